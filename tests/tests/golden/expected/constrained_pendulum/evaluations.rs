impl<R: Scalar> System<R, 2usize, 1, 0usize> for Prepared<R> {
    ///Operations: 2 multiplications.
    #[inline(always)]
    fn balance(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
    ) -> Balance<R, 2usize> {
        let v_x = v[0];
        let v_y = v[1];
        Balance {
            momentum: SVector::<R, 2usize>::from([(self.p_m * v_x), (self.p_m * v_y)]),
            balance: SVector::<R, 2usize>::from([R::ZERO, self.k2]),
        }
    }
    ///Operations: 2 multiplications.
    #[inline]
    fn balance_jacobian(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
    ) -> BalanceJacobian<R, 2usize> {
        let v_x = v[0];
        let v_y = v[1];
        BalanceJacobian {
            momentum: SVector::<R, 2usize>::from([(self.p_m * v_x), (self.p_m * v_y)]),
            balance: SVector::<R, 2usize>::from([R::ZERO, self.k2]),
            momentum_q: SMatrix::<
                R,
                2usize,
                2usize,
            >::from([[R::ZERO, R::ZERO], [R::ZERO, R::ZERO]] as [[R; 2usize]; 2usize]),
            mass_matrix: SMatrix::<
                R,
                2usize,
                2usize,
            >::from([[self.p_m, R::ZERO], [R::ZERO, self.p_m]] as [[R; 2usize]; 2usize]),
            balance_q: SMatrix::<
                R,
                2usize,
                2usize,
            >::from([[R::ZERO, R::ZERO], [R::ZERO, R::ZERO]] as [[R; 2usize]; 2usize]),
            balance_v: SMatrix::<
                R,
                2usize,
                2usize,
            >::from([[R::ZERO, R::ZERO], [R::ZERO, R::ZERO]] as [[R; 2usize]; 2usize]),
        }
    }
    ///Operations: no operation.
    #[inline(always)]
    fn equations(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
    ) -> Equations<R, 2usize> {
        Equations {
            mass_matrix: SMatrix::<
                R,
                2usize,
                2usize,
            >::from([[self.p_m, R::ZERO], [R::ZERO, self.p_m]] as [[R; 2usize]; 2usize]),
            forcing: SVector::<R, 2usize>::from([R::ZERO, self.k2]),
        }
    }
    ///Operations: 8 additions, 20 multiplications, 1 division, 1 other function, 2 selections.
    #[inline(always)]
    fn acceleration(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
    ) -> ::core::result::Result<Acceleration<R, 2usize, 1>, SingularMass> {
        let q_x = q[0];
        let q_y = q[1];
        let x1 = R::norm_of([q_x, q_y]).recip_or_zero();
        let x2 = q_x * x1;
        let x3 = q_y * x1;
        let x4 = x2 * self.k4;
        let x5 = x3 * self.k4;
        let x6 = x2 * x4;
        let x7 = x3.mul_add(x5, x6);
        let x8 = x7.recip();
        let v_x = v[0];
        let v_y = v[1];
        let x9 = v_y.mul_add(q_y, v_x * q_x);
        let x10 = (-(x1 * x1)).mul_add(x9 * x9, v_y.mul_add(v_y, v_x * v_x));
        let x11 = x1 * x10;
        let x12 = -(x8 * x11.mul_add(x5, x6 * self.k7));
        let x13 = x8 * (-x3).mul_add(self.k8, -x11);
        if R::LANES > 1 || Mask::all(self.k6.lt(x7)) {
            ::core::result::Result::Ok(
                emitted::where_safe(
                    self.k6.lt(x7),
                    Acceleration {
                        acceleration: SVector::<R, 2usize>::from([(x4 * x13), x12]),
                        multipliers: SVector::<R, 1>::from([x13]),
                    },
                ),
            )
        } else {
            emitted::constrained_acceleration(self, t, *q, *v, *u)
        }
    }
    ///Operations: 2 multiplications.
    #[inline(always)]
    fn velocity_correction(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        x: &SVector<R, 2usize>,
    ) -> ::core::result::Result<SVector<R, 2usize>, SingularMass> {
        let x_x = x[0];
        let x_y = x[1];
        if Mask::all(self.k3) {
            ::core::result::Result::Ok(
                SVector::<R, 2usize>::from([(self.k4 * x_x), (self.k4 * x_y)]),
            )
        } else {
            emitted::constrained_velocity_correction(self, t, *q, *v, *x)
        }
    }
    ///Operations: 2 additions, 4 multiplications.
    #[inline]
    fn energies(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
    ) -> Energies<R> {
        let q_y = q[1];
        let x1 = self.k1 * q_y;
        let v_x = v[0];
        let v_y = v[1];
        let x2 = v_y.mul_add(v_y, v_x * v_x) * self.k10;
        Energies {
            kinetic: ::core::option::Option::Some(x2),
            potential: ::core::option::Option::Some(x1),
            energy: x1 + x2,
        }
    }
    ///Operations: 2 additions, 2 multiplications, 1 other function, 1 selection.
    #[inline(always)]
    fn constraint(&self, t: R, q: &SVector<R, 2usize>) -> Constraint<R, 2usize, 1> {
        let q_x = q[0];
        let q_y = q[1];
        let x1 = R::norm_of([q_x, q_y]);
        let x2 = x1.recip_or_zero();
        Constraint {
            value: SVector::<R, 1>::from([(x1 - self.p_l)]),
            scale: SVector::<R, 1>::from([self.k11 + x1]),
            jacobian: SMatrix::<
                R,
                1usize,
                2usize,
            >::from([[(q_x * x2)], [(q_y * x2)]] as [[R; 1usize]; 2usize]),
            drift: SVector::<R, 1>::from([R::ZERO]),
        }
    }
    ///Operations: 10 additions, 31 multiplications, 1 other function, 1 selection.
    #[inline(always)]
    fn constraint_hidden(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        multipliers: &SVector<R, 1>,
    ) -> ConstraintHidden<R, 2usize, 1> {
        let q_x = q[0];
        let q_y = q[1];
        let x1 = R::norm_of([q_x, q_y]).recip_or_zero();
        let x2 = x1 * x1;
        let v_x = v[0];
        let v_y = v[1];
        let x3 = v_y.mul_add(q_y, v_x * q_x);
        let x4 = (-x2).mul_add(x3 * x3, v_y.mul_add(v_y, v_x * v_x));
        let m_0 = multipliers[0];
        let x5 = x1 * x2.mul_add(q_x * q_x, R::from_f64(-1.0)) * m_0;
        let x6 = x1 * x2.mul_add(q_y * q_y, R::from_f64(-1.0)) * m_0;
        let x7 = -(x1 * x2 * (q_x * q_y) * m_0);
        ConstraintHidden {
            rate: SVector::<R, 1>::from([(x1 * x3)]),
            curvature: SVector::<R, 1>::from([(x1 * x4)]),
            rate_q: SMatrix::<
                R,
                1usize,
                2usize,
            >::from(
                [
                    [(x1 * (-x3).mul_add(q_x * x2, v_x))],
                    [(x1 * (-x3).mul_add(q_y * x2, v_y))],
                ] as [[R; 1usize]; 2usize],
            ),
            reaction: SVector::<R, 2usize>::from([(q_x * x1 * m_0), (q_y * x1 * m_0)]),
            reaction_q: SMatrix::<
                R,
                2usize,
                2usize,
            >::from([[-x5, x7], [x7, -x6]] as [[R; 2usize]; 2usize]),
        }
    }
}
impl<R: Scalar> Sensors<R, 2usize, 0usize> for Prepared<R> {
    ///Operations: no operation.
    fn powers(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
        out: &mut [R],
    ) {
        let powers: [R; 2usize] = [R::ZERO, R::ZERO];
        for (out, value) in out.iter_mut().zip(powers) {
            *out = value;
        }
    }
    ///Operations: 1 addition.
    fn outputs(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
        out: &mut [R],
    ) {
        let (x, multipliers) = emitted::solved(System::acceleration(self, t, q, v, u));
        let m_0 = multipliers[0];
        let outputs: [R; 1usize] = [-m_0];
        for (out, value) in out.iter_mut().zip(outputs) {
            *out = value;
        }
    }
}
impl<R: Scalar> Linearise<R, 2usize, 1, 0usize> for Prepared<R> {
    ///Operations: no operation.
    #[inline]
    fn balance_rates(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
    ) -> BalanceRates<R, 2usize, 0usize> {
        BalanceRates {
            momentum_t: SVector::<R, 2usize>::from([R::ZERO, R::ZERO]),
            balance_t: SVector::<R, 2usize>::from([R::ZERO, R::ZERO]),
            balance_u: SMatrix::<R, 2usize, 0usize>::from([] as [[R; 2usize]; 0usize]),
        }
    }
    ///Operations: 30 additions, 78 multiplications, 1 division, 1 other function, 2 selections.
    #[inline]
    fn acceleration_jacobian(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
    ) -> ::core::result::Result<
        AccelerationJacobian<R, 2usize, 1, 0usize>,
        SingularMass,
    > {
        let q_x = q[0];
        let q_y = q[1];
        let x1 = R::norm_of([q_x, q_y]).recip_or_zero();
        let x2 = q_x * x1;
        let x3 = q_y * x1;
        let x4 = x1 * x1;
        let x5 = x2 * self.k4;
        let x6 = x3 * self.k4;
        let x7 = x2 * x5;
        let x8 = x7 * self.k5;
        let x9 = x3.mul_add(x6, x7);
        let x10 = x9.recip();
        let x11 = q_x * x4;
        let x12 = q_y * x4;
        let x13 = x3 * self.k9;
        let v_x = v[0];
        let v_y = v[1];
        let x14 = v_y.mul_add(q_y, v_x * q_x);
        let x15 = (-x4).mul_add(x14 * x14, v_y.mul_add(v_y, v_x * v_x));
        let x16 = x1 * x15;
        let x17 = x10 * x16.mul_add(x6, x7 * self.k7);
        let x18 = -x17;
        let x19 = x10 * (-x3).mul_add(self.k8, -x16);
        let x20 = x5 * x19;
        let x21 = x19 * (x1 * x4.mul_add(q_x * q_x, R::from_f64(-1.0)));
        let x22 = x19 * (x1 * x4 * (q_x * q_y));
        let x23 = (-x14).mul_add(x11, v_x);
        let x24 = (-q_y).mul_add(x17, q_x.mul_add(x20, x15));
        let x25 = (-x11)
            .mul_add(x24, (-R::from_f64(2.0)).mul_add(x4 * (x14 * x23), x20));
        let x26 = (-x1).mul_add(x25, x5 * x21);
        let x27 = x10 * (-x6).mul_add(x26, -(x8 * x22));
        let x28 = x10 * x6.mul_add(x22, x26);
        let x29 = x19 * (x1 * x4.mul_add(q_y * q_y, R::from_f64(-1.0)));
        let x30 = (-x14).mul_add(x12, v_y);
        let x31 = (-x24)
            .mul_add(x12, (-R::from_f64(2.0)).mul_add(x4 * (x14 * x30), x18));
        let x32 = (-x1).mul_add(x31, x5 * x22);
        let x33 = x10 * (-x6).mul_add(x32, -(x8 * x29));
        let x34 = x10 * x6.mul_add(x29, x32);
        let x35 = x1 * x23;
        let x36 = x10 * (x35 * R::from_f64(-2.0));
        let x37 = x1 * x30;
        let x38 = x10 * (R::from_f64(-2.0) * x37);
        if Mask::all(self.k6.lt(x9)) {
            ::core::result::Result::Ok(AccelerationJacobian {
                acceleration: SVector::<R, 2usize>::from([x20, x18]),
                multipliers: SVector::<R, 1>::from([x19]),
                acceleration_q: SMatrix::<
                    R,
                    2usize,
                    2usize,
                >::from(
                    [
                        [x5.mul_add(x28, self.k5 * x21), -x27],
                        [x5.mul_add(x34, self.k5 * x22), -x33],
                    ] as [[R; 2usize]; 2usize],
                ),
                acceleration_v: SMatrix::<
                    R,
                    2usize,
                    2usize,
                >::from(
                    [
                        [(x5 * x36), (x10 * (x35 * x13))],
                        [(x5 * x38), (x10 * (x13 * x37))],
                    ] as [[R; 2usize]; 2usize],
                ),
                acceleration_t: SVector::<R, 2usize>::from([R::ZERO, R::ZERO]),
                acceleration_u: SMatrix::<
                    R,
                    2usize,
                    0usize,
                >::from([] as [[R; 2usize]; 0usize]),
                multipliers_q: SMatrix::<
                    R,
                    1usize,
                    2usize,
                >::from([[x28], [x34]] as [[R; 1usize]; 2usize]),
                multipliers_v: SMatrix::<
                    R,
                    1usize,
                    2usize,
                >::from([[x36], [x38]] as [[R; 1usize]; 2usize]),
                multipliers_t: SVector::<R, 1>::from([R::ZERO]),
                multipliers_u: SMatrix::<
                    R,
                    1usize,
                    0usize,
                >::from([] as [[R; 1usize]; 0usize]),
            })
        } else {
            let solved = System::acceleration(self, t, q, v, u)?;
            self.acceleration_jacobian_at(t, q, v, u, &solved, 0.0)
        }
    }
}
