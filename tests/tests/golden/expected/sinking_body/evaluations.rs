impl<R: Scalar> System<R, 1usize, 0, 0usize> for Prepared<R> {
    ///Operations: 1 addition, 1 multiplication, 1 other function.
    #[inline(always)]
    fn balance(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 0usize>,
    ) -> Balance<R, 1usize> {
        let v_x = v[0];
        let ([x1_0], x1_1) = solution_1(&[self.p_c, (-v_x).mul_add(self.p_k, self.k1)]);
        Balance {
            momentum: SVector::<R, 1usize>::from([v_x]),
            balance: SVector::<R, 1usize>::from([x1_0]),
        }
    }
    ///Operations: 1 addition, 1 multiplication, 1 other function, 2 selections.
    #[inline(always)]
    fn inertial_balance(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 0usize>,
    ) -> InertialBalance<R, 1usize> {
        let v_x = v[0];
        let ([x1_0], x1_1) = solution_1(&[self.p_c, (-v_x).mul_add(self.p_k, self.k1)]);
        InertialBalance {
            momentum: SVector::<R, 1usize>::from([v_x]),
            balance: SVector::<R, 1usize>::from([x1_0]),
            mass_matrix: SMatrix::<
                R,
                1usize,
                1usize,
            >::from(
                [[R::select(R::ZERO.lt(x1_1), R::ONE, R::ZERO)]] as [[R; 1usize]; 1usize],
            ),
        }
    }
    ///Operations: 1 addition, 1 multiplication, 1 division, 1 other function, 3 selections.
    #[inline]
    fn balance_jacobian(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 0usize>,
    ) -> BalanceJacobian<R, 1usize> {
        let v_x = v[0];
        let ([x1_0], x1_1) = solution_1(&[self.p_c, (-v_x).mul_add(self.p_k, self.k1)]);
        let x2 = x1_0.abs();
        BalanceJacobian {
            momentum: SVector::<R, 1usize>::from([v_x]),
            balance: SVector::<R, 1usize>::from([x1_0]),
            momentum_q: SMatrix::<
                R,
                1usize,
                1usize,
            >::from([[R::ZERO]] as [[R; 1usize]; 1usize]),
            mass_matrix: SMatrix::<
                R,
                1usize,
                1usize,
            >::from(
                [[R::select(R::ZERO.lt(x1_1), R::ONE, R::ZERO)]] as [[R; 1usize]; 1usize],
            ),
            balance_q: SMatrix::<
                R,
                1usize,
                1usize,
            >::from([[R::ZERO]] as [[R; 1usize]; 1usize]),
            balance_v: SMatrix::<
                R,
                1usize,
                1usize,
            >::from([[self.k3 / x2]] as [[R; 1usize]; 1usize]),
        }
    }
    ///Operations: 1 addition, 1 multiplication, 1 other function, 2 selections.
    #[inline(always)]
    fn equations(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 0usize>,
    ) -> Equations<R, 1usize> {
        let v_x = v[0];
        let ([x1_0], x1_1) = solution_1(&[self.p_c, (-v_x).mul_add(self.p_k, self.k1)]);
        Equations {
            mass_matrix: SMatrix::<
                R,
                1usize,
                1usize,
            >::from(
                [[R::select(R::ZERO.lt(x1_1), R::ONE, R::ZERO)]] as [[R; 1usize]; 1usize],
            ),
            forcing: SVector::<R, 1usize>::from([x1_0]),
        }
    }
    ///Operations: 1 addition, 1 multiplication, 1 division, 1 other function, 3 selections.
    #[inline(always)]
    fn acceleration(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 0usize>,
    ) -> ::core::result::Result<Acceleration<R, 1usize, 0>, SingularMass> {
        let v_x = v[0];
        let ([x1_0], x1_1) = solution_1(&[self.p_c, (-v_x).mul_add(self.p_k, self.k1)]);
        let x2 = R::select(R::ZERO.lt(x1_1), R::ONE, R::ZERO);
        if R::LANES > 1 || Mask::all(R::ZERO.lt(x2)) {
            ::core::result::Result::Ok(
                emitted::where_safe(
                    R::ZERO.lt(x2),
                    Acceleration {
                        acceleration: SVector::<R, 1usize>::from([x1_0 / x2]),
                        multipliers: SVector::<R, 0>::from([]),
                    },
                ),
            )
        } else {
            emitted::pivoted_acceleration(self, t, *q, *v, *u)
        }
    }
    ///Operations: 3 additions, 1 multiplication, 1 division, 1 other function, 3 selections.
    #[inline(always)]
    fn velocity_correction(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        x: &SVector<R, 1usize>,
    ) -> ::core::result::Result<SVector<R, 1usize>, SingularMass> {
        let v_x = v[0];
        let ([x1_0], x1_1) = solution_1(&[self.p_c, (-v_x).mul_add(self.p_k, self.k1)]);
        let x2 = R::select(R::ZERO.lt(x1_1), R::ONE, R::ZERO);
        let x_x = x[0];
        if Mask::all(R::ZERO.lt(x2)) {
            ::core::result::Result::Ok(
                SVector::<R, 1usize>::from([v_x + (x_x - v_x) / x2]),
            )
        } else {
            emitted::pivoted_velocity_correction(self, t, *q, *v, *x)
        }
    }
    ///Operations: 1 addition, 2 multiplications.
    #[inline]
    fn energies(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 0usize>,
    ) -> Energies<R> {
        let v_x = v[0];
        let x1 = v_x * v_x.mul_add(self.k5, self.p_weight);
        Energies {
            kinetic: ::core::option::Option::Some(R::ZERO),
            potential: ::core::option::Option::Some(x1),
            energy: x1,
        }
    }
    ///Operations: 1 addition, 1 multiplication, 1 other function.
    fn switches(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 0usize>,
        out: &mut [R],
    ) {
        let v_x = v[0];
        let ([x1_0], x1_1) = solution_1(&[self.p_c, (-v_x).mul_add(self.p_k, self.k1)]);
        let switches: [R; 1usize] = [x1_0];
        for (out, value) in out.iter_mut().zip(switches) {
            *out = value;
        }
    }
}
impl<R: Scalar> Sensors<R, 1usize, 0usize> for Prepared<R> {
    ///Operations: 1 addition, 4 multiplications, 1 other function, 1 selection.
    fn powers(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 0usize>,
        out: &mut [R],
    ) {
        let v_x = v[0];
        let ([x1_0], x1_1) = solution_1(&[self.p_c, (-v_x).mul_add(self.p_k, self.k1)]);
        let powers: [R; 2usize] = [(x1_0.abs() * (x1_0 * x1_0) * self.k6), R::ZERO];
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
    ///Operations: 1 addition, 3 multiplications, 2 divisions, 1 other function, 4 selections.
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
        let v_x = v[0];
        let ([x1_0], x1_1) = solution_1(&[self.p_c, (-v_x).mul_add(self.p_k, self.k1)]);
        let x2 = R::select(R::ZERO.lt(x1_1), R::ONE, R::ZERO);
        let x3 = x1_0.abs();
        let x4 = x2.recip();
        if Mask::all(R::ZERO.lt(x2)) {
            ::core::result::Result::Ok(AccelerationJacobian {
                acceleration: SVector::<R, 1usize>::from([(x1_0 * x4)]),
                multipliers: SVector::<R, 0>::from([]),
                acceleration_q: SMatrix::<
                    R,
                    1usize,
                    1usize,
                >::from([[R::ZERO]] as [[R; 1usize]; 1usize]),
                acceleration_v: SMatrix::<
                    R,
                    1usize,
                    1usize,
                >::from([[(self.k3 / x3 * x4)]] as [[R; 1usize]; 1usize]),
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
