impl Oscillator {
    fn __names(&self) {
        let _ = &self.m;
        let _ = &self.k;
        let _ = &self.a;
        let _ = &self.w;
        let _ = &self.c;
        let _ = &self.push;
    }
}
impl ::lagrange_runtime::system::Mechanism<1usize, 0, 1usize> for Oscillator {
    const FACTS: ::lagrange_runtime::system::Facts = ::lagrange_runtime::system::Facts {
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
    type Index = __derived::Index;
    const INDEX: __derived::Index = __derived::Index { x: 0usize };
    const COORDINATES: [&'static ::core::primitive::str; 1usize] = ["x"];
    const CONSTRAINTS: [&'static ::core::primitive::str; 0] = [];
    const INPUTS: [&'static ::core::primitive::str; 1usize] = __derived::INPUTS;
    const PARAMETERS: &'static [&'static ::core::primitive::str] = __derived::PARAMETERS;
    const EQUATIONS_TEXT: &'static ::core::primitive::str = "mass[x, x] = m\nforcing[x] = push - c*dot(x) + k*(a*sin(w*t) - x)\nmomentum[x] = m*dot(x)\nenergy = (m*dot(x)^2 + k*(x - a*sin(w*t))^2)/2";
    const EQUATIONS_LATEX: &'static ::core::primitive::str = "\\begin{aligned}\n  M_{x,x} &= m \\\\\n  F_{x} &= \\mathrm{push} - c \\dot{x} + k \\left(a \\sin\\left(w t\\right) - x\\right) \\\\\n  p_{x} &= m \\dot{x} \\\\\n  h &= \\frac{m \\dot{x}^{2} + k \\left(x - a \\sin\\left(w t\\right)\\right)^{2}}{2}\n\\end{aligned}";
    const STATED_LATEX: &'static ::core::primitive::str = "\\begin{aligned}\n  T &= \\frac{m \\dot{x}^{2}}{2} \\\\\n  V &= \\frac{k \\left(x - a \\sin\\left(w t\\right)\\right)^{2}}{2} \\\\\n  D &= \\frac{c \\dot{x}^{2}}{2} \\\\\n  \\text{force on }x &= \\mathrm{push}\n\\end{aligned}";
    const BLOCK: &'static ::core::primitive::str = "coordinates x;\nkinetic = m*dot(x)^2/2;\npotential = k*(x - a*sin(w*t))^2/2;\ndissipation = c*dot(x)^2/2;\nforce x = push;";
    const SUMMARY: &'static ::core::primitive::str = "A mass on a spring whose other end shakes, with a damper and a force.";
    const DESCRIPTIONS: &'static [&'static ::core::primitive::str] = &[
        "",
        "",
        "",
        "",
        "",
        "",
    ];
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
            "k" => ::core::result::Result::Ok(self.k),
            "c" => ::core::result::Result::Ok(self.c),
            "a" => ::core::result::Result::Ok(self.a),
            "w" => ::core::result::Result::Ok(self.w),
            "push" => ::core::result::Result::Ok(self.push),
            _ => {
                ::core::result::Result::Err(::lagrange_runtime::error::UnknownParameter {
                    known: &["m", "k", "c", "a", "w", "push"],
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
            "k" => self.k = __value,
            "c" => self.c = __value,
            "a" => self.a = __value,
            "w" => self.w = __value,
            "push" => self.push = __value,
            _ => {
                return ::core::result::Result::Err(::lagrange_runtime::error::UnknownParameter {
                    known: &["m", "k", "c", "a", "w", "push"],
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
        let __parameters: [::core::primitive::f64; 5usize] = [
            self.m,
            self.k,
            self.c,
            self.a,
            self.w,
        ];
        let __inputs: [::core::primitive::f64; 1usize] = [self.push];
        __derived::prepare(
            &__parameters.map(<R as ::lagrange_runtime::scalar::Scalar>::from_f64),
            &::core::convert::From::from(
                __inputs.map(<R as ::lagrange_runtime::scalar::Scalar>::from_f64),
            ),
        )
    }
    fn prepare_from<R: ::lagrange_runtime::scalar::Scalar>(
        __parameters: &[R],
        __inputs: &::lagrange_runtime::nalgebra::SVector<R, 1usize>,
    ) -> ::core::result::Result<
        __derived::Prepared<R>,
        ::lagrange_runtime::error::PrepareError,
    > {
        __derived::prepare(__parameters, __inputs)
    }
}
