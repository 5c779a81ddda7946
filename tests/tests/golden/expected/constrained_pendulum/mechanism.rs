impl Pendulum {
    fn __names(&self) {
        let _ = &self.m;
        let _ = &self.m;
        let _ = &self.g;
        let _ = &self.l;
    }
}
impl ::lagrange_runtime::system::Mechanism<2usize, 1, 0usize> for Pendulum {
    const FACTS: ::lagrange_runtime::system::Facts = ::lagrange_runtime::system::Facts {
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
    type Index = __derived::Index;
    const INDEX: __derived::Index = __derived::Index {
        x: 0usize,
        y: 1usize,
    };
    const COORDINATES: [&'static ::core::primitive::str; 2usize] = ["x", "y"];
    const CONSTRAINTS: [&'static ::core::primitive::str; 1] = ["rod"];
    const INPUTS: [&'static ::core::primitive::str; 0usize] = __derived::INPUTS;
    const PARAMETERS: &'static [&'static ::core::primitive::str] = __derived::PARAMETERS;
    const EQUATIONS_TEXT: &'static ::core::primitive::str = "mass[x, x] = m\nmass[y, y] = m\nforcing[x] = 0\nforcing[y] = -m*g\nmomentum[x] = m*dot(x)\nmomentum[y] = m*dot(y)\nenergy = m*((dot(x)^2 + dot(y)^2)/2 + g*y)\nconstraint[rod] = norm([x, y]) - l";
    const EQUATIONS_LATEX: &'static ::core::primitive::str = "\\begin{aligned}\n  M_{x,x} &= m \\\\\n  M_{y,y} &= m \\\\\n  F_{x} &= 0 \\\\\n  F_{y} &= -m g \\\\\n  p_{x} &= m \\dot{x} \\\\\n  p_{y} &= m \\dot{y} \\\\\n  h &= m \\left(\\frac{\\dot{x}^{2} + \\dot{y}^{2}}{2} + g y\\right) \\\\\n  \\mathrm{constraint}_{\\mathrm{rod}} &= \\left\\lVert\\left(x, y\\right)\\right\\rVert - l\n\\end{aligned}";
    const STATED_LATEX: &'static ::core::primitive::str = "\\begin{aligned}\n  T &= \\frac{m \\left(\\dot{x}^{2} + \\dot{y}^{2}\\right)}{2} \\\\\n  V &= m g y \\\\\n  \\text{constraint }\\mathrm{rod} & \\left\\lVert \\begin{pmatrix} x \\\\ y \\end{pmatrix}\\right\\rVert = l \\\\\n  \\mathrm{tension} &= -\\lambda_{\\mathrm{rod}}\n\\end{aligned}";
    const BLOCK: &'static ::core::primitive::str = "coordinates x, y;\nkinetic = m*(dot(x)^2 + dot(y)^2)/2;\npotential = m*g*y;\nconstraint rod: norm([x, y]) == l;\noutput tension = -multiplier(rod);";
    const SUMMARY: &'static ::core::primitive::str = "A point mass on a rod, in Cartesian coordinates.";
    const DESCRIPTIONS: &'static [&'static ::core::primitive::str] = &["", "", ""];
    const FOUND_SYMMETRIES: &'static [::lagrange_runtime::system::FoundSymmetry] = &[
        ::lagrange_runtime::system::FoundSymmetry {
            change: "[0, 1]",
            gauge: "-m*g*t",
            momentum: "m*(dot(y) + g*t)",
            proved: true,
            changed_by: &["rod"],
        },
        ::lagrange_runtime::system::FoundSymmetry {
            change: "[t, 0]",
            gauge: "m*x",
            momentum: "m*(t*dot(x) - x)",
            proved: true,
            changed_by: &["rod"],
        },
        ::lagrange_runtime::system::FoundSymmetry {
            change: "[0, t]",
            gauge: "m*(y - g*t^2/2)",
            momentum: "m*(g*t^2/2 - y + t*dot(y))",
            proved: true,
            changed_by: &["rod"],
        },
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
