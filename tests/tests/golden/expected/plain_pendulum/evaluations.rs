impl<R: Scalar> System<R, 1usize, 0, 0usize> for Prepared<R> {
    ///Operations: 2 multiplications, 1 sine/cosine pair.
    #[inline(always)]
    fn balance(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 0usize>,
    ) -> Balance<R, 1usize> {
        let q_theta = q[0];
        let sin_theta = q_theta.sin();
        let v_theta = v[0];
        Balance {
            momentum: SVector::<R, 1usize>::from([(v_theta * self.k2)]),
            balance: SVector::<R, 1usize>::from([(sin_theta * self.k5)]),
        }
    }
    ///Operations: 3 multiplications, 1 sine/cosine pair.
    #[inline]
    fn balance_jacobian(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 0usize>,
    ) -> BalanceJacobian<R, 1usize> {
        let q_theta = q[0];
        let (sin_theta, cos_theta) = q_theta.sin_cos();
        let v_theta = v[0];
        BalanceJacobian {
            momentum: SVector::<R, 1usize>::from([(v_theta * self.k2)]),
            balance: SVector::<R, 1usize>::from([(sin_theta * self.k5)]),
            momentum_q: SMatrix::<
                R,
                1usize,
                1usize,
            >::from([[R::ZERO]] as [[R; 1usize]; 1usize]),
            mass_matrix: SMatrix::<
                R,
                1usize,
                1usize,
            >::from([[self.k2]] as [[R; 1usize]; 1usize]),
            balance_q: SMatrix::<
                R,
                1usize,
                1usize,
            >::from([[(cos_theta * self.k5)]] as [[R; 1usize]; 1usize]),
            balance_v: SMatrix::<
                R,
                1usize,
                1usize,
            >::from([[R::ZERO]] as [[R; 1usize]; 1usize]),
        }
    }
    ///Operations: 1 multiplication, 1 sine/cosine pair.
    #[inline(always)]
    fn equations(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 0usize>,
    ) -> Equations<R, 1usize> {
        let q_theta = q[0];
        let sin_theta = q_theta.sin();
        Equations {
            mass_matrix: SMatrix::<
                R,
                1usize,
                1usize,
            >::from([[self.k2]] as [[R; 1usize]; 1usize]),
            forcing: SVector::<R, 1usize>::from([(sin_theta * self.k5)]),
        }
    }
    ///Operations: 1 multiplication, 1 sine/cosine pair.
    #[inline(always)]
    fn acceleration(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 0usize>,
    ) -> ::core::result::Result<Acceleration<R, 1usize, 0>, SingularMass> {
        let q_theta = q[0];
        let sin_theta = q_theta.sin();
        if R::LANES > 1 || Mask::all(self.k6) {
            ::core::result::Result::Ok(
                emitted::where_safe(
                    self.k6,
                    Acceleration {
                        acceleration: SVector::<
                            R,
                            1usize,
                        >::from([(sin_theta * self.k8)]),
                        multipliers: SVector::<R, 0>::from([]),
                    },
                ),
            )
        } else {
            emitted::pivoted_acceleration(self, t, *q, *v, *u)
        }
    }
    ///Operations: 1 multiplication.
    #[inline(always)]
    fn velocity_correction(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        x: &SVector<R, 1usize>,
    ) -> ::core::result::Result<SVector<R, 1usize>, SingularMass> {
        let x_theta = x[0];
        if Mask::all(self.k6) {
            ::core::result::Result::Ok(SVector::<R, 1usize>::from([(self.k7 * x_theta)]))
        } else {
            emitted::pivoted_velocity_correction(self, t, *q, *v, *x)
        }
    }
    ///Operations: 1 addition, 3 multiplications, 1 sine/cosine pair.
    #[inline]
    fn energies(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 0usize>,
    ) -> Energies<R> {
        let q_theta = q[0];
        let cos_theta = q_theta.cos();
        let x1 = cos_theta * self.k5;
        let v_theta = v[0];
        let x2 = self.k12 * (v_theta * v_theta);
        Energies {
            kinetic: ::core::option::Option::Some(x2),
            potential: ::core::option::Option::Some(x1),
            energy: x1 + x2,
        }
    }
}
impl<R: Scalar> Sensors<R, 1usize, 0usize> for Prepared<R> {
    ///Operations: no operation.
    fn powers(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 0usize>,
        out: &mut [R],
    ) {
        let powers: [R; 2usize] = [R::ZERO, R::ZERO];
        for (out, value) in out.iter_mut().zip(powers) {
            *out = value;
        }
    }
}
impl<R: Scalar> Linearise<R, 1usize, 0, 0usize> for Prepared<R> {
    ///Operations: no operation.
    #[inline]
    fn balance_rates(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 0usize>,
    ) -> BalanceRates<R, 1usize, 0usize> {
        BalanceRates {
            momentum_t: SVector::<R, 1usize>::from([R::ZERO]),
            balance_t: SVector::<R, 1usize>::from([R::ZERO]),
            balance_u: SMatrix::<R, 1usize, 0usize>::from([] as [[R; 1usize]; 0usize]),
        }
    }
    ///Operations: 2 multiplications, 1 sine/cosine pair.
    #[inline]
    fn acceleration_jacobian(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 0usize>,
    ) -> ::core::result::Result<
        AccelerationJacobian<R, 1usize, 0, 0usize>,
        SingularMass,
    > {
        let q_theta = q[0];
        let (sin_theta, cos_theta) = q_theta.sin_cos();
        if Mask::all(self.k6) {
            ::core::result::Result::Ok(AccelerationJacobian {
                acceleration: SVector::<R, 1usize>::from([(sin_theta * self.k8)]),
                multipliers: SVector::<R, 0>::from([]),
                acceleration_q: SMatrix::<
                    R,
                    1usize,
                    1usize,
                >::from([[(cos_theta * self.k8)]] as [[R; 1usize]; 1usize]),
                acceleration_v: SMatrix::<
                    R,
                    1usize,
                    1usize,
                >::from([[R::ZERO]] as [[R; 1usize]; 1usize]),
                acceleration_t: SVector::<R, 1usize>::from([R::ZERO]),
                acceleration_u: SMatrix::<
                    R,
                    1usize,
                    0usize,
                >::from([] as [[R; 1usize]; 0usize]),
                multipliers_q: SMatrix::repeat(R::ZERO),
                multipliers_v: SMatrix::repeat(R::ZERO),
                multipliers_t: SVector::<R, 0>::from([]),
                multipliers_u: SMatrix::repeat(R::ZERO),
            })
        } else {
            let a = System::acceleration(self, t, q, v, u)?.acceleration;
            let residual = self.residual_jacobian(t, q, v, u, &a);
            emitted::acceleration_jacobian(
                &self.equations(t, q, v, u).mass_matrix,
                &a,
                &residual,
            )
        }
    }
}
