impl<R: Scalar> System<R, 2usize, 0, 0usize> for Prepared<R> {
    ///Operations: 3 multiplications, 1 selection.
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
            balance: SVector::<R, 2usize>::from([(v_x.sign() * self.k1), R::ZERO]),
        }
    }
    ///Operations: 3 multiplications, 1 selection.
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
            balance: SVector::<R, 2usize>::from([(v_x.sign() * self.k1), R::ZERO]),
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
    ///Operations: 1 multiplication, 1 selection.
    #[inline(always)]
    fn equations(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
    ) -> Equations<R, 2usize> {
        let v_x = v[0];
        Equations {
            mass_matrix: SMatrix::<
                R,
                2usize,
                2usize,
            >::from([[self.p_m, R::ZERO], [R::ZERO, self.p_m]] as [[R; 2usize]; 2usize]),
            forcing: SVector::<R, 2usize>::from([(v_x.sign() * self.k1), R::ZERO]),
        }
    }
    ///Operations: 1 multiplication, 1 selection.
    #[inline(always)]
    fn acceleration(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
    ) -> ::core::result::Result<Acceleration<R, 2usize, 0>, SingularMass> {
        if let ::core::option::Option::Some(solved) = emitted::acceleration_at_rest(
            &Ruled::<Self, 4usize>::new(self),
            t,
            q,
            v,
            u,
        ) {
            return solved;
        }
        let v_x = v[0];
        if R::LANES > 1 || Mask::all(self.k2) {
            ::core::result::Result::Ok(
                emitted::where_safe(
                    self.k2,
                    Acceleration {
                        acceleration: SVector::<
                            R,
                            2usize,
                        >::from([(v_x.sign() * self.k4), R::ZERO]),
                        multipliers: SVector::<R, 0>::from([]),
                    },
                ),
            )
        } else {
            emitted::pivoted_acceleration(self, t, *q, *v, *u)
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
        if Mask::all(self.k2) {
            ::core::result::Result::Ok(
                SVector::<R, 2usize>::from([(self.k3 * x_x), (self.k3 * x_y)]),
            )
        } else {
            emitted::pivoted_velocity_correction(self, t, *q, *v, *x)
        }
    }
    ///Operations: 1 addition, 4 multiplications.
    #[inline]
    fn energies(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
    ) -> Energies<R> {
        let v_x = v[0];
        let v_y = v[1];
        let x1 = self.k5.mul_add(v_y * v_y, self.k5 * (v_x * v_x));
        Energies {
            kinetic: ::core::option::Option::Some(x1),
            potential: ::core::option::Option::Some(R::ZERO),
            energy: x1,
        }
    }
    ///Operations: 1 addition, 1 other function.
    fn switches(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
        out: &mut [R],
    ) {
        let v_x = v[0];
        let v_y = v[1];
        let switches: [R; 3usize] = [v_y, v_x, R::norm_of([(v_x - self.p_speed), v_y])];
        for (out, value) in out.iter_mut().zip(switches) {
            *out = value;
        }
    }
    ///Operations: 1 addition.
    fn rows(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
        out: &mut [Row<R, 2usize>],
    ) -> Equations<R, 2usize> {
        let v_x = v[0];
        let v_y = v[1];
        let rows: [Row<R, 2usize>; 3usize] = [
            Row {
                rate: v_x,
                direction: SVector::<R, 2usize>::from([R::ONE, R::ZERO]),
                curvature: R::ZERO,
                bound: self.p_c,
            },
            Row {
                rate: v_x - self.p_speed,
                direction: SVector::<R, 2usize>::from([R::ONE, R::ZERO]),
                curvature: R::ZERO,
                bound: R::ZERO,
            },
            Row {
                rate: v_y,
                direction: SVector::<R, 2usize>::from([R::ZERO, R::ONE]),
                curvature: R::ZERO,
                bound: R::ZERO,
            },
        ];
        for (out, row) in out.iter_mut().zip(rows) {
            *out = row;
        }
        Equations {
            mass_matrix: SMatrix::<
                R,
                2usize,
                2usize,
            >::from([[self.p_m, R::ZERO], [R::ZERO, self.p_m]] as [[R; 2usize]; 2usize]),
            forcing: SVector::<R, 2usize>::from([R::ZERO, R::ZERO]),
        }
    }
    ///Operations: 2 additions, 1 multiplication, 1 other function, 1 selection.
    fn bounds(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
        multipliers: &SVector<R, 0>,
        out: &mut [Bound<R, 0>],
    ) {
        let v_y = v[1];
        let x1 = self.p_b.mul_add((-v_y.abs()).exp(), self.p_b);
        let bounds: [Bound<R, 0>; 1usize] = [
            Bound {
                value: x1,
                slope: SVector::<R, 0>::from([]),
            },
        ];
        for (out, bound) in out.iter_mut().zip(bounds) {
            *out = bound;
        }
    }
}
impl<R: Scalar> Sensors<R, 2usize, 0usize> for Prepared<R> {
    ///Operations: 1 multiplication, 1 selection.
    fn powers(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
        out: &mut [R],
    ) {
        let v_x = v[0];
        let powers: [R; 4usize] = [(self.k1 * v_x.abs()), R::ZERO, R::ZERO, R::ZERO];
        for (out, value) in out.iter_mut().zip(powers) {
            *out = value;
        }
        emitted::write_contact_powers(
            &Ruled::<Self, 4usize>::new(self),
            (t, q, v, u),
            0usize,
            out,
        );
    }
    ///Operations: no operation.
    fn outputs(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
        out: &mut [R],
    ) {
        let forces = emitted::contact_forces(
            &Ruled::<Self, 4usize>::new(self),
            t,
            q,
            v,
            u,
        );
        let f_1 = forces[1];
        let f_2 = forces[2];
        let outputs: [R; 2usize] = [f_1, f_2];
        for (out, value) in out.iter_mut().zip(outputs) {
            *out = value;
        }
    }
}
impl<R: Scalar> Linearise<R, 2usize, 0, 0usize> for Prepared<R> {
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
}
