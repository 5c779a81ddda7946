impl<R: Scalar> System<R, 1usize, 0, 1usize> for Prepared<R> {
    #[inline]
    fn facts(&self) -> &'static Facts {
        const FACTS: Facts = ::lagrange_runtime::system::Facts {
            autonomous: false,
            conservative: false,
            constant_mass: true,
            separable: false,
            velocity_free_acceleration: false,
            velocity_free_forcing: false,
            quadratic: true,
            positive_mass: true,
            regular_momentum: true,
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
    fn input_names(&self) -> &'static [&'static str] {
        &INPUTS
    }
    #[inline]
    fn default_inputs(&self) -> SVector<R, 1usize> {
        self.inputs
    }
    fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }
    fn parameters(&self) -> Parameters<'_, R> {
        const INERTIAL: [bool; 5usize] = [true, false, false, false, false];
        Parameters {
            names: PARAMETERS,
            values: &self.parameters,
            inertial: &INERTIAL,
        }
    }
    #[inline]
    fn balance_by_time(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 1usize>,
    ) -> ::core::option::Option<Balance<R, 1usize>> {
        let rates = Linearise::balance_rates(self, t, q, v, u);
        ::core::option::Option::Some(Balance {
            momentum: rates.momentum_t,
            balance: rates.balance_t,
        })
    }
}
impl<R: Scalar> Sensors<R, 1usize, 1usize> for Prepared<R> {
    fn power_names(&self) -> &'static [&'static str] {
        &["x", "dissipation", "time"]
    }
}
impl<R: Scalar> Linearise<R, 1usize, 0, 1usize> for Prepared<R> {
    #[inline]
    fn parameter_count(&self) -> usize {
        5usize
    }
    fn acceleration_parameters(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 1usize>,
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
