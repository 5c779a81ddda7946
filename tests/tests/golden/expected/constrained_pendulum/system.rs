impl<R: Scalar> System<R, 2usize, 1, 0usize> for Prepared<R> {
    #[inline]
    fn facts(&self) -> &'static Facts {
        const FACTS: Facts = ::lagrange_runtime::system::Facts {
            autonomous: true,
            conservative: true,
            constant_mass: true,
            separable: true,
            velocity_free_acceleration: false,
            velocity_free_forcing: true,
            quadratic: true,
            positive_mass: true,
            regular_momentum: true,
            singular_mass: false,
            unconstrained: false,
            holonomic: true,
            cyclic: &["x"],
        };
        &FACTS
    }
    fn coordinates(&self) -> &'static [&'static str] {
        &["x", "y"]
    }
    #[inline]
    fn default_inputs(&self) -> SVector<R, 0usize> {
        self.inputs
    }
    fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }
    fn parameters(&self) -> Parameters<'_, R> {
        const INERTIAL: [bool; 3usize] = [true, false, false];
        Parameters {
            names: PARAMETERS,
            values: &self.parameters,
            inertial: &INERTIAL,
        }
    }
    fn constraints(&self) -> &'static [&'static str] {
        &["rod"]
    }
    #[inline]
    fn holonomic_count(&self) -> usize {
        1usize
    }
}
impl<R: Scalar> Sensors<R, 2usize, 0usize> for Prepared<R> {
    fn power_names(&self) -> &'static [&'static str] {
        &["dissipation", "time"]
    }
    fn output_names(&self) -> &'static [&'static str] {
        &["tension"]
    }
}
impl<R: Scalar> Linearise<R, 2usize, 1, 0usize> for Prepared<R> {
    #[inline]
    fn parameter_count(&self) -> usize {
        3usize
    }
    fn acceleration_jacobian_at(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
        solved: &Acceleration<R, 2usize, 1>,
        tolerance: f64,
    ) -> ::core::result::Result<
        AccelerationJacobian<R, 2usize, 1, 0usize>,
        SingularMass,
    > {
        let (residual, constraint_rows) = self
            .residual_jacobian(t, q, v, u, &solved.acceleration, &solved.multipliers);
        emitted::constrained_jacobian(
            self,
            (t, q, v, u),
            solved,
            &residual,
            &constraint_rows,
            tolerance,
        )
    }
    fn acceleration_parameters(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
        columns: &mut [Acceleration<R, 2usize, 1>],
    ) -> ::core::result::Result<(), SingularMass> {
        let solved = System::acceleration(self, t, q, v, u)?;
        let (residual, constraint_rows) = self
            .residual_parameters(t, q, v, u, &solved.acceleration, &solved.multipliers);
        emitted::solve_constrained_columns(
            self,
            (t, q, v, u),
            &residual,
            &constraint_rows,
            columns,
        )
    }
    fn output_jacobian(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
        outputs: &[usize],
        rows: &mut [OutputRow<R, 2usize, 0usize>],
    ) {
        rows.fill(OutputRow::undefined());
        let lifted = self.lifted();
        emitted::output_rows::<
            _,
            1usize,
            _,
            _,
        >(
            |t, q, v, u, out| Sensors::outputs(&lifted, t, q, v, u, out),
            (t, q, v, u),
            &[0],
            (outputs, rows),
        );
    }
}
