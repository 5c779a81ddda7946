impl<R: Scalar> System<R, 1usize, 0, 1usize> for Prepared<R> {
    ///Operations: 3 additions, 5 multiplications, 1 sine/cosine pair.
    #[inline(always)]
    fn balance(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 1usize>,
    ) -> Balance<R, 1usize> {
        let u_push = u[0];
        let sin_1 = (self.p_w * t).sin();
        let q_x = q[0];
        let v_x = v[0];
        let x2 = (-v_x)
            .mul_add(self.p_c, (-self.p_k).mul_add(sin_1.mul_add(self.k1, q_x), u_push));
        Balance {
            momentum: SVector::<R, 1usize>::from([(self.p_m * v_x)]),
            balance: SVector::<R, 1usize>::from([x2]),
        }
    }
    ///Operations: 3 additions, 5 multiplications, 1 sine/cosine pair.
    #[inline]
    fn balance_jacobian(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 1usize>,
    ) -> BalanceJacobian<R, 1usize> {
        let u_push = u[0];
        let sin_1 = (self.p_w * t).sin();
        let q_x = q[0];
        let v_x = v[0];
        let x2 = (-v_x)
            .mul_add(self.p_c, (-self.p_k).mul_add(sin_1.mul_add(self.k1, q_x), u_push));
        BalanceJacobian {
            momentum: SVector::<R, 1usize>::from([(self.p_m * v_x)]),
            balance: SVector::<R, 1usize>::from([x2]),
            momentum_q: SMatrix::<
                R,
                1usize,
                1usize,
            >::from([[R::ZERO]] as [[R; 1usize]; 1usize]),
            mass_matrix: SMatrix::<
                R,
                1usize,
                1usize,
            >::from([[self.p_m]] as [[R; 1usize]; 1usize]),
            balance_q: SMatrix::<
                R,
                1usize,
                1usize,
            >::from([[self.k2]] as [[R; 1usize]; 1usize]),
            balance_v: SMatrix::<
                R,
                1usize,
                1usize,
            >::from([[self.k3]] as [[R; 1usize]; 1usize]),
        }
    }
    ///Operations: 3 additions, 4 multiplications, 1 sine/cosine pair.
    #[inline(always)]
    fn equations(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 1usize>,
    ) -> Equations<R, 1usize> {
        let u_push = u[0];
        let sin_1 = (self.p_w * t).sin();
        let q_x = q[0];
        let v_x = v[0];
        let x2 = (-v_x)
            .mul_add(self.p_c, (-self.p_k).mul_add(sin_1.mul_add(self.k1, q_x), u_push));
        Equations {
            mass_matrix: SMatrix::<
                R,
                1usize,
                1usize,
            >::from([[self.p_m]] as [[R; 1usize]; 1usize]),
            forcing: SVector::<R, 1usize>::from([x2]),
        }
    }
    ///Operations: 3 additions, 5 multiplications, 1 sine/cosine pair.
    #[inline(always)]
    fn acceleration(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 1usize>,
    ) -> ::core::result::Result<Acceleration<R, 1usize, 0>, SingularMass> {
        let u_push = u[0];
        let sin_1 = (self.p_w * t).sin();
        let q_x = q[0];
        let v_x = v[0];
        let x2 = (-v_x)
            .mul_add(self.p_c, (-self.p_k).mul_add(sin_1.mul_add(self.k1, q_x), u_push));
        if R::LANES > 1 || Mask::all(self.k5) {
            ::core::result::Result::Ok(
                emitted::where_safe(
                    self.k5,
                    Acceleration {
                        acceleration: SVector::<R, 1usize>::from([(x2 * self.k6)]),
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
        let x_x = x[0];
        if Mask::all(self.k5) {
            ::core::result::Result::Ok(SVector::<R, 1usize>::from([(self.k6 * x_x)]))
        } else {
            emitted::pivoted_velocity_correction(self, t, *q, *v, *x)
        }
    }
    ///Operations: 2 additions, 6 multiplications, 1 sine/cosine pair.
    #[inline]
    fn energies(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 1usize>,
    ) -> Energies<R> {
        let sin_1 = (self.p_w * t).sin();
        let q_x = q[0];
        let x2 = sin_1.mul_add(self.k1, q_x);
        let x3 = self.k12 * (x2 * x2);
        let v_x = v[0];
        let x4 = self.k13 * (v_x * v_x);
        Energies {
            kinetic: ::core::option::Option::Some(x4),
            potential: ::core::option::Option::Some(x3),
            energy: x3 + x4,
        }
    }
}
impl<R: Scalar> Sensors<R, 1usize, 1usize> for Prepared<R> {
    ///Operations: 1 addition, 7 multiplications, 1 sine/cosine pair.
    fn powers(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 1usize>,
        out: &mut [R],
    ) {
        let u_push = u[0];
        let (sin_1, cos_1) = (self.p_w * t).sin_cos();
        let q_x = q[0];
        let v_x = v[0];
        let powers: [R; 3usize] = [
            (v_x * u_push),
            (self.k3 * (v_x * v_x)),
            (self.k9 * (cos_1 * sin_1.mul_add(self.k1, q_x))),
        ];
        for (out, value) in out.iter_mut().zip(powers) {
            *out = value;
        }
    }
}
impl<R: Scalar> Linearise<R, 1usize, 0, 1usize> for Prepared<R> {
    ///Operations: 2 multiplications, 1 sine/cosine pair.
    #[inline]
    fn balance_rates(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 1usize>,
    ) -> BalanceRates<R, 1usize, 1usize> {
        let cos_1 = (self.p_w * t).cos();
        BalanceRates {
            momentum_t: SVector::<R, 1usize>::from([R::ZERO]),
            balance_t: SVector::<R, 1usize>::from([(cos_1 * self.k4)]),
            balance_u: SMatrix::<
                R,
                1usize,
                1usize,
            >::from([[R::ONE]] as [[R; 1usize]; 1usize]),
        }
    }
    ///Operations: 3 additions, 6 multiplications, 1 sine/cosine pair.
    #[inline]
    fn acceleration_jacobian(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 1usize>,
    ) -> ::core::result::Result<
        AccelerationJacobian<R, 1usize, 0, 1usize>,
        SingularMass,
    > {
        let u_push = u[0];
        let (sin_1, cos_1) = (self.p_w * t).sin_cos();
        let q_x = q[0];
        let v_x = v[0];
        let x2 = (-v_x)
            .mul_add(self.p_c, (-self.p_k).mul_add(sin_1.mul_add(self.k1, q_x), u_push));
        if Mask::all(self.k5) {
            ::core::result::Result::Ok(AccelerationJacobian {
                acceleration: SVector::<R, 1usize>::from([(x2 * self.k6)]),
                multipliers: SVector::<R, 0>::from([]),
                acceleration_q: SMatrix::<
                    R,
                    1usize,
                    1usize,
                >::from([[self.k7]] as [[R; 1usize]; 1usize]),
                acceleration_v: SMatrix::<
                    R,
                    1usize,
                    1usize,
                >::from([[self.k8]] as [[R; 1usize]; 1usize]),
                acceleration_t: SVector::<R, 1usize>::from([(cos_1 * self.k10)]),
                acceleration_u: SMatrix::<
                    R,
                    1usize,
                    1usize,
                >::from([[self.k6]] as [[R; 1usize]; 1usize]),
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
