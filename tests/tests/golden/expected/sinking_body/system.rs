impl<R: Scalar> System<R, 1usize, 0, 0usize> for Prepared<R> {
    #[inline]
    fn facts(&self) -> &'static Facts {
        const FACTS: Facts = ::lagrange_runtime::system::Facts {
            autonomous: true,
            conservative: false,
            constant_mass: false,
            separable: false,
            velocity_free_acceleration: false,
            velocity_free_forcing: false,
            quadratic: false,
            positive_mass: false,
            regular_momentum: false,
            singular_mass: false,
            unconstrained: true,
            holonomic: true,
            cyclic: &[],
        };
        &FACTS
    }
    fn coordinates(&self) -> &'static [&'static str] {
        &["x"]
    }
    #[inline(always)]
    fn state_count(&self) -> usize {
        1usize
    }
    #[inline(always)]
    fn without_inertia_count(&self) -> usize {
        1usize
    }
    #[inline]
    fn default_inputs(&self) -> SVector<R, 0usize> {
        self.inputs
    }
    fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }
    fn parameters(&self) -> Parameters<'_, R> {
        const INERTIAL: [bool; 3usize] = [false, false, false];
        Parameters {
            names: PARAMETERS,
            values: &self.parameters,
            inertial: &INERTIAL,
        }
    }
    #[inline]
    fn switch_count(&self) -> usize {
        1usize
    }
    fn switch_rules(
        &self,
    ) -> ::core::option::Option<&'static dyn SwitchRules<R, 1usize>> {
        ::core::option::Option::Some(&Switches)
    }
    fn switch_names(&self) -> &'static [&'static str] {
        &["rate_x(c, -weight - k*x)"]
    }
}
impl<R: Scalar> Sensors<R, 1usize, 0usize> for Prepared<R> {
    fn power_names(&self) -> &'static [&'static str] {
        &["dissipation", "time"]
    }
}
impl<R: Scalar> Linearise<R, 1usize, 0, 0usize> for Prepared<R> {
    #[inline]
    fn parameter_count(&self) -> usize {
        3usize
    }
    fn acceleration_parameters(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 0usize>,
        columns: &mut [Acceleration<R, 1usize, 0>],
    ) -> ::core::result::Result<(), SingularMass> {
        let a = System::acceleration(self, t, q, v, u)?.acceleration;
        let residual = self.residual_parameters(t, q, v, u, &a);
        emitted::solve_columns(
            &self.equations(t, q, v, u).mass_matrix,
            &residual,
            columns,
        )
    }
}
