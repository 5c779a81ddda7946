impl Pendulum {
    fn __names(&self) {
        let _ = &self.m;
        let _ = &self.l;
        let _ = &self.m;
        let _ = &self.g;
        let _ = &self.l;
    }
}
impl ::lagrange_runtime::system::Mechanism<1usize, 0, 0usize> for Pendulum {
    const FACTS: ::lagrange_runtime::system::Facts = ::lagrange_runtime::system::Facts {
        autonomous: true,
        conservative: true,
        constant_mass: true,
        separable: true,
        velocity_free_acceleration: true,
        velocity_free_forcing: true,
        quadratic: true,
        positive_mass: true,
        regular_momentum: true,
        singular_mass: false,
        unconstrained: true,
        holonomic: true,
        cyclic: &[],
    };
    type Index = __derived::Index;
    const INDEX: __derived::Index = __derived::Index { theta: 0usize };
    const COORDINATES: [&'static ::core::primitive::str; 1usize] = ["theta"];
    const CONSTRAINTS: [&'static ::core::primitive::str; 0] = [];
    const INPUTS: [&'static ::core::primitive::str; 0usize] = __derived::INPUTS;
    const PARAMETERS: &'static [&'static ::core::primitive::str] = __derived::PARAMETERS;
    const EQUATIONS_TEXT: &'static ::core::primitive::str = "mass[theta, theta] = m*l^2\nforcing[theta] = -m*l*g*sin(theta)\nmomentum[theta] = m*l^2*dot(theta)\nenergy = m*l*(l*dot(theta)^2/2 - g*cos(theta))";
    const EQUATIONS_LATEX: &'static ::core::primitive::str = "\\begin{aligned}\n  M_{\\theta,\\theta} &= m l^{2} \\\\\n  F_{\\theta} &= -m l g \\sin\\left(\\theta\\right) \\\\\n  p_{\\theta} &= m l^{2} \\dot{\\theta} \\\\\n  h &= m l \\left(\\frac{l \\dot{\\theta}^{2}}{2} - g \\cos\\left(\\theta\\right)\\right)\n\\end{aligned}";
    const STATED_LATEX: &'static ::core::primitive::str = "\\begin{aligned}\n  T &= \\frac{m l^{2} \\dot{\\theta}^{2}}{2} \\\\\n  V &= -m g l \\cos\\left(\\theta\\right)\n\\end{aligned}";
    const BLOCK: &'static ::core::primitive::str = "coordinates theta;\nkinetic = m*l^2*dot(theta)^2/2;\npotential = -m*g*l*cos(theta);";
    const SUMMARY: &'static ::core::primitive::str = "A point mass on a rod.";
    const DESCRIPTIONS: &'static [&'static ::core::primitive::str] = &["", "", ""];
    type Prepared<R: ::lagrange_runtime::scalar::Scalar> = __derived::Prepared<R>;
    fn parameter(
        &self,
        __name: &::core::primitive::str,
    ) -> ::core::result::Result<
        ::core::primitive::f64,
        ::lagrange_runtime::error::UnknownParameter,
    > {
        match __name {
            "m" => ::core::result::Result::Ok(self.m),
            "l" => ::core::result::Result::Ok(self.l),
            "g" => ::core::result::Result::Ok(self.g),
            _ => {
                ::core::result::Result::Err(::lagrange_runtime::error::UnknownParameter {
                    known: &["m", "l", "g"],
                })
            }
        }
    }
    fn set_parameter(
        &mut self,
        __name: &::core::primitive::str,
        __value: ::core::primitive::f64,
    ) -> ::core::result::Result<(), ::lagrange_runtime::error::UnknownParameter> {
        match __name {
            "m" => self.m = __value,
            "l" => self.l = __value,
            "g" => self.g = __value,
            _ => {
                return ::core::result::Result::Err(::lagrange_runtime::error::UnknownParameter {
                    known: &["m", "l", "g"],
                });
            }
        }
        ::core::result::Result::Ok(())
    }
    fn prepare<R: ::lagrange_runtime::scalar::Scalar>(
        &self,
    ) -> ::core::result::Result<
        __derived::Prepared<R>,
        ::lagrange_runtime::error::PrepareError,
    > {
        let __parameters: [::core::primitive::f64; 3usize] = [self.m, self.l, self.g];
        let __inputs: [::core::primitive::f64; 0usize] = [];
        __derived::prepare(
            &__parameters.map(<R as ::lagrange_runtime::scalar::Scalar>::from_f64),
            &::core::convert::From::from(
                __inputs.map(<R as ::lagrange_runtime::scalar::Scalar>::from_f64),
            ),
        )
    }
    fn prepare_from<R: ::lagrange_runtime::scalar::Scalar>(
        __parameters: &[R],
        __inputs: &::lagrange_runtime::nalgebra::SVector<R, 0usize>,
    ) -> ::core::result::Result<
        __derived::Prepared<R>,
        ::lagrange_runtime::error::PrepareError,
    > {
        __derived::prepare(__parameters, __inputs)
    }
}
