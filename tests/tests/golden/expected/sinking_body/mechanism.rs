impl Body {
    fn __names(&self) {
        let _ = &self.weight;
        let _ = &self.k;
        let _ = &self.c;
    }
}
impl ::lagrange_runtime::system::Mechanism<1usize, 0, 0usize> for Body {
    const FACTS: ::lagrange_runtime::system::Facts = ::lagrange_runtime::system::Facts {
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
    type Index = __derived::Index;
    const INDEX: __derived::Index = __derived::Index { x: 0usize };
    const COORDINATES: [&'static ::core::primitive::str; 1usize] = ["x"];
    const STATES: ::core::primitive::usize = 1usize;
    const WITHOUT_INERTIA: ::core::primitive::usize = 1usize;
    const CONSTRAINTS: [&'static ::core::primitive::str; 0] = [];
    const INPUTS: [&'static ::core::primitive::str; 0usize] = __derived::INPUTS;
    const PARAMETERS: &'static [&'static ::core::primitive::str] = __derived::PARAMETERS;
    const EQUATIONS_TEXT: &'static ::core::primitive::str = "0 = -weight - k*x - c*dot(x)*abs(dot(x))\nenergy = x*(weight + k*x/2)";
    const EQUATIONS_LATEX: &'static ::core::primitive::str = "\\begin{aligned}\n  0 &= -\\mathrm{weight} - k x - c \\dot{x} \\left|\\dot{x}\\right| \\\\\n  h &= x \\left(\\mathrm{weight} + \\frac{k x}{2}\\right)\n\\end{aligned}";
    const STATED_LATEX: &'static ::core::primitive::str = "\\begin{aligned}\n  T &= 0 \\\\\n  V &= \\mathrm{weight} x + \\frac{k x^{2}}{2} \\\\\n  D &= \\frac{c \\left|\\dot{x}\\right|^{3}}{3}\n\\end{aligned}";
    const BLOCK: &'static ::core::primitive::str = "coordinates x;\nkinetic = 0;\npotential = weight*x + k*x^2/2;\ndissipation = c*abs(dot(x))^3/3;";
    const SUMMARY: &'static ::core::primitive::str = "A light body on a spring that sinks in water.";
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
            "weight" => ::core::result::Result::Ok(self.weight),
            "k" => ::core::result::Result::Ok(self.k),
            "c" => ::core::result::Result::Ok(self.c),
            _ => {
                ::core::result::Result::Err(::lagrange_runtime::error::UnknownParameter {
                    known: &["weight", "k", "c"],
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
            "weight" => self.weight = __value,
            "k" => self.k = __value,
            "c" => self.c = __value,
            _ => {
                return ::core::result::Result::Err(::lagrange_runtime::error::UnknownParameter {
                    known: &["weight", "k", "c"],
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
        let __parameters: [::core::primitive::f64; 3usize] = [
            self.weight,
            self.k,
            self.c,
        ];
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
