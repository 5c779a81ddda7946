impl<R: Scalar> System<R, 2usize, 0, 0usize> for Prepared<R> {
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
    ///Operations: no operation.
    #[inline(always)]
    fn acceleration(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
    ) -> ::core::result::Result<Acceleration<R, 2usize, 0>, SingularMass> {
        if let ::core::option::Option::Some(solved) = emitted::acceleration_at_rest(
            &Ruled::<Self, 3usize>::new(self),
            t,
            q,
            v,
            u,
        ) {
            return solved;
        }
        if R::LANES > 1 || Mask::all(self.k4) {
            ::core::result::Result::Ok(
                emitted::where_safe(
                    self.k4,
                    Acceleration {
                        acceleration: SVector::<R, 2usize>::from([R::ZERO, self.k6]),
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
        if Mask::all(self.k4) {
            ::core::result::Result::Ok(
                SVector::<R, 2usize>::from([(self.k5 * x_x), (self.k5 * x_y)]),
            )
        } else {
            emitted::pivoted_velocity_correction(self, t, *q, *v, *x)
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
        let x2 = self.k7 * v_y.mul_add(v_y, v_x * v_x);
        Energies {
            kinetic: ::core::option::Option::Some(x2),
            potential: ::core::option::Option::Some(x1),
            energy: x1 + x2,
        }
    }
    ///Operations: 1 addition.
    fn switches(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
        out: &mut [R],
    ) {
        let q_y = q[1];
        let v_x = v[0];
        let switches: [R; 2usize] = [(q_y - self.p_r), v_x];
        for (out, value) in out.iter_mut().zip(switches) {
            *out = value;
        }
    }
    ///Operations: no operation.
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
        let rows: [Row<R, 2usize>; 2usize] = [
            Row {
                rate: v_y,
                direction: SVector::<R, 2usize>::from([R::ZERO, R::ONE]),
                curvature: R::ZERO,
                bound: R::ZERO,
            },
            Row {
                rate: v_x,
                direction: SVector::<R, 2usize>::from([R::ONE, R::ZERO]),
                curvature: R::ZERO,
                bound: self.p_mu,
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
            forcing: SVector::<R, 2usize>::from([R::ZERO, self.k2]),
        }
    }
    ///Operations: 2 additions, 1 selection.
    fn gaps(&self, t: R, q: &SVector<R, 2usize>, out: &mut [Gap<R>]) {
        let q_y = q[1];
        let gaps: [Gap<R>; 1usize] = [
            Gap {
                value: q_y - self.p_r,
                scale: self.k3 + q_y.abs(),
                restitution: self.p_e,
            },
        ];
        for (out, gap) in out.iter_mut().zip(gaps) {
            *out = gap;
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
        let powers: [R; 4usize] = [R::ZERO, R::ZERO, R::ZERO, R::ZERO];
        for (out, value) in out.iter_mut().zip(powers) {
            *out = value;
        }
        emitted::write_contact_powers(
            &Ruled::<Self, 3usize>::new(self),
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
            &Ruled::<Self, 3usize>::new(self),
            t,
            q,
            v,
            u,
        );
        let f_0 = forces[0];
        let outputs: [R; 1usize] = [f_0];
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
