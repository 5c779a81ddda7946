/// A point mass on a rod.
///
/// # Derived equations
///
/// ```text
/// mass[theta, theta] = m*l^2
/// forcing[theta] = -m*l*g*sin(theta)
/// momentum[theta] = m*l^2*dot(theta)
/// energy = m*l*(l*dot(theta)^2/2 - g*cos(theta))
/// ```
///
/// They are solved as `mass * acceleration = forcing`. Operations of each evaluation:
///
/// - `prepare`: 2 additions, 9 multiplications, 1 division, 1 selection
/// - `acceleration`: 1 multiplication, 1 sine/cosine pair
/// - `acceleration_jacobian`: 2 multiplications, 1 sine/cosine pair
/// - `velocity_correction`: 2 additions, 2 multiplications
/// - `equations`: 1 multiplication, 1 sine/cosine pair
/// - `balance`: 2 multiplications, 1 sine/cosine pair
/// - `balance_jacobian`: 3 multiplications, 1 sine/cosine pair
/// - `residual_jacobian`: 1 multiplication, 1 sine/cosine pair
/// - `residual_parameters`: 2 additions, 5 multiplications, 1 sine/cosine pair
/// - `energies`: 1 addition, 3 multiplications, 1 sine/cosine pair
/// - `powers`: no operation
pub struct Pendulum {
    pub m: f64,
    pub l: f64,
    pub g: f64,
}
#[automatically_derived]
const _: () = {
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
        type Prepared<R: ::lagrange_runtime::scalar::Scalar> = __derived::Prepared<R>;
        fn parameter(
            &self,
            name: &::core::primitive::str,
        ) -> ::core::result::Result<
            ::core::primitive::f64,
            ::lagrange_runtime::error::UnknownParameter,
        > {
            match name {
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
            name: &::core::primitive::str,
            value: ::core::primitive::f64,
        ) -> ::core::result::Result<(), ::lagrange_runtime::error::UnknownParameter> {
            match name {
                "m" => self.m = value,
                "l" => self.l = value,
                "g" => self.g = value,
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
            let parameters: [::core::primitive::f64; 3usize] = [self.m, self.l, self.g];
            let inputs: [::core::primitive::f64; 0usize] = [];
            __derived::prepare(
                &parameters.map(<R as ::lagrange_runtime::scalar::Scalar>::from_f64),
                &::core::convert::From::from(
                    inputs.map(<R as ::lagrange_runtime::scalar::Scalar>::from_f64),
                ),
            )
        }
        fn prepare_from<R: ::lagrange_runtime::scalar::Scalar>(
            parameters: &[R],
            inputs: &::lagrange_runtime::nalgebra::SVector<R, 0usize>,
        ) -> ::core::result::Result<
            __derived::Prepared<R>,
            ::lagrange_runtime::error::PrepareError,
        > {
            __derived::prepare(parameters, inputs)
        }
    }
    mod __derived {
        use ::core::prelude::rust_2024::*;
        use ::lagrange_runtime::error::{PrepareError, SingularMass};
        use ::lagrange_runtime::nalgebra::{SMatrix, SVector};
        use ::lagrange_runtime::scalar::{Mask, Scalar};
        use ::lagrange_runtime::system::{
            Acceleration, AccelerationJacobian, Balance, BalanceJacobian, Energies,
            Equations, Facts, Fingerprint, Parameters, System,
        };
        use ::lagrange_runtime::{emitted, system};
        /// The index of each coordinate in q.
        #[derive(Clone, Copy, Debug)]
        pub struct Index {
            ///Index of the coordinate `theta` in q.
            pub theta: ::core::primitive::usize,
        }
        /// The equations with their parameters fixed.
        #[derive(Clone, Copy, Debug)]
        pub struct Prepared<R: Scalar> {
            inputs: SVector<R, 0usize>,
            fingerprint: Fingerprint,
            parameters: [R; 3usize],
            ///`l^2`
            k1: R,
            ///`m*l^2`
            k2: R,
            ///`m*l`
            k3: R,
            ///`m*l*g`
            k4: R,
            ///Part of the factored mass matrix.
            k5: R,
            ///Part of the factored mass matrix.
            k6: R::Mask,
            ///Part of the factored mass matrix.
            k7: R,
            ///Part of the factored mass matrix.
            k8: R,
            ///`l*g`
            k9: R,
            ///`m*g`
            k10: R,
            ///`2*m*l`
            k11: R,
            ///`m*l^2/2`
            k12: R,
        }
        pub const PARAMETERS: &[&str] = &["m", "l", "g"];
        pub const INPUTS: [&str; 0usize] = [];
        pub fn prepare<R: Scalar>(
            parameters: &[R],
            inputs: &SVector<R, 0usize>,
        ) -> ::core::result::Result<Prepared<R>, PrepareError> {
            emitted::check_parameters(
                parameters,
                inputs.as_slice(),
                PARAMETERS,
                &INPUTS,
            )?;
            check(parameters)?;
            let fingerprint = Fingerprint::of(
                1170855267500142532u64,
                parameters,
                inputs.as_slice(),
            );
            let mut copied = [R::ZERO; 3usize];
            for (copied, parameter) in copied.iter_mut().zip(parameters) {
                *copied = *parameter;
            }
            let p_m = parameters[0];
            let p_l = parameters[1];
            let x1 = p_l * p_l;
            let x2 = p_m * x1;
            let p_g = parameters[2];
            let x3 = p_m * p_l;
            let x4 = p_g * x3;
            let x5 = x2.recip();
            ::core::result::Result::Ok(Prepared {
                inputs: *inputs,
                fingerprint,
                parameters: copied,
                k1: x1,
                k2: x2,
                k3: x3,
                k4: x4,
                k5: -x4,
                k6: R::ZERO.lt(x2),
                k7: x5,
                k8: -(x4 * x5),
                k9: p_l * p_g,
                k10: p_m * p_g,
                k11: x3 * R::from_f64(2.0),
                k12: x2 * R::from_f64(0.5),
            })
        }
        /// Checks the assumptions of the block, and the conditions that the proofs of its facts used.
        fn check<R: Scalar>(
            parameters: &[R],
        ) -> ::core::result::Result<(), PrepareError> {
            let p_m = parameters[0];
            let p_l = parameters[1];
            emitted::check_positive("m*l^2", p_m * (p_l * p_l), true)?;
            ::core::result::Result::Ok(())
        }
        impl<R: Scalar> Prepared<R> {
            ///Operations: 1 multiplication, 1 sine/cosine pair.
            fn residual_jacobian(
                &self,
                t: R,
                q: &SVector<R, 1usize>,
                v: &SVector<R, 1usize>,
                u: &SVector<R, 0usize>,
                x: &SVector<R, 1usize>,
            ) -> emitted::ResidualJacobian<R, 1usize, 0usize> {
                let q_theta = q[0];
                let cos_theta = q_theta.cos();
                emitted::ResidualJacobian {
                    q: SMatrix::<
                        R,
                        1usize,
                        1usize,
                    >::from([[(self.k4 * cos_theta)]] as [[R; 1usize]; 1usize]),
                    v: SMatrix::<
                        R,
                        1usize,
                        1usize,
                    >::from([[R::ZERO]] as [[R; 1usize]; 1usize]),
                    t: SVector::<R, 1usize>::from([R::ZERO]),
                    u: SMatrix::<R, 1usize, 0usize>::from([] as [[R; 1usize]; 0usize]),
                }
            }
            ///Operations: 2 additions, 5 multiplications, 1 sine/cosine pair.
            fn residual_parameters(
                &self,
                t: R,
                q: &SVector<R, 1usize>,
                v: &SVector<R, 1usize>,
                u: &SVector<R, 0usize>,
                x: &SVector<R, 1usize>,
            ) -> [SVector<R, 1usize>; 3usize] {
                let q_theta = q[0];
                let sin_theta = q_theta.sin();
                let x_theta = x[0];
                [
                    SVector::<
                        R,
                        1usize,
                    >::from([self.k1.mul_add(x_theta, sin_theta * self.k9)]),
                    SVector::<
                        R,
                        1usize,
                    >::from([x_theta.mul_add(self.k11, sin_theta * self.k10)]),
                    SVector::<R, 1usize>::from([(self.k3 * sin_theta)]),
                ]
            }
        }
        impl<R: Scalar> System<R, 1usize, 0, 0usize> for Prepared<R> {
            #[inline]
            fn facts(&self) -> &'static Facts {
                const FACTS: Facts = ::lagrange_runtime::system::Facts {
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
                &FACTS
            }
            fn coordinates(&self) -> &'static [&'static str] {
                &["theta"]
            }
            #[inline]
            fn default_inputs(&self) -> SVector<R, 0usize> {
                self.inputs
            }
            fn fingerprint(&self) -> Fingerprint {
                self.fingerprint
            }
            #[inline]
            fn parameter_count(&self) -> usize {
                3usize
            }
            fn parameters(&self) -> Parameters<'_, R> {
                const INERTIAL: [bool; 3usize] = [true, true, false];
                Parameters {
                    names: PARAMETERS,
                    values: &self.parameters,
                    inertial: &INERTIAL,
                }
            }
            fn power_names(&self) -> &'static [&'static str] {
                &["dissipation", "time"]
            }
            ///Operations: 2 multiplications, 1 sine/cosine pair.
            #[inline(always)]
            fn balance(
                &self,
                t: R,
                q: &SVector<R, 1usize>,
                v: &SVector<R, 1usize>,
                u: &SVector<R, 0usize>,
            ) -> Balance<R, 1usize> {
                let q_theta = q[0];
                let sin_theta = q_theta.sin();
                let v_theta = v[0];
                Balance {
                    momentum: SVector::<R, 1usize>::from([(v_theta * self.k2)]),
                    balance: SVector::<R, 1usize>::from([(sin_theta * self.k5)]),
                }
            }
            ///Operations: 3 multiplications, 1 sine/cosine pair.
            #[inline]
            fn balance_jacobian(
                &self,
                t: R,
                q: &SVector<R, 1usize>,
                v: &SVector<R, 1usize>,
                u: &SVector<R, 0usize>,
            ) -> BalanceJacobian<R, 1usize, 0usize> {
                let q_theta = q[0];
                let (sin_theta, cos_theta) = q_theta.sin_cos();
                let v_theta = v[0];
                BalanceJacobian {
                    momentum: SVector::<R, 1usize>::from([(v_theta * self.k2)]),
                    balance: SVector::<R, 1usize>::from([(sin_theta * self.k5)]),
                    momentum_q: SMatrix::<
                        R,
                        1usize,
                        1usize,
                    >::from([[R::ZERO]] as [[R; 1usize]; 1usize]),
                    mass_matrix: SMatrix::<
                        R,
                        1usize,
                        1usize,
                    >::from([[self.k2]] as [[R; 1usize]; 1usize]),
                    momentum_t: SVector::<R, 1usize>::from([R::ZERO]),
                    balance_q: SMatrix::<
                        R,
                        1usize,
                        1usize,
                    >::from([[(cos_theta * self.k5)]] as [[R; 1usize]; 1usize]),
                    balance_v: SMatrix::<
                        R,
                        1usize,
                        1usize,
                    >::from([[R::ZERO]] as [[R; 1usize]; 1usize]),
                    balance_t: SVector::<R, 1usize>::from([R::ZERO]),
                    balance_u: SMatrix::<
                        R,
                        1usize,
                        0usize,
                    >::from([] as [[R; 1usize]; 0usize]),
                }
            }
            ///Operations: 1 multiplication, 1 sine/cosine pair.
            #[inline(always)]
            fn equations(
                &self,
                t: R,
                q: &SVector<R, 1usize>,
                v: &SVector<R, 1usize>,
                u: &SVector<R, 0usize>,
            ) -> Equations<R, 1usize> {
                let q_theta = q[0];
                let sin_theta = q_theta.sin();
                Equations {
                    mass_matrix: SMatrix::<
                        R,
                        1usize,
                        1usize,
                    >::from([[self.k2]] as [[R; 1usize]; 1usize]),
                    forcing: SVector::<R, 1usize>::from([(sin_theta * self.k5)]),
                }
            }
            ///Operations: 1 multiplication, 1 sine/cosine pair.
            #[inline(always)]
            fn acceleration(
                &self,
                t: R,
                q: &SVector<R, 1usize>,
                v: &SVector<R, 1usize>,
                u: &SVector<R, 0usize>,
            ) -> ::core::result::Result<Acceleration<R, 1usize, 0>, SingularMass> {
                let q_theta = q[0];
                let sin_theta = q_theta.sin();
                if Mask::all(self.k6) {
                    ::core::result::Result::Ok(Acceleration {
                        acceleration: SVector::<
                            R,
                            1usize,
                        >::from([(sin_theta * self.k8)]),
                        multipliers: SVector::<R, 0>::from([]),
                    })
                } else {
                    emitted::pivoted_acceleration(self, t, *q, *v, *u)
                }
            }
            ///Operations: 2 multiplications, 1 sine/cosine pair.
            #[inline]
            fn acceleration_jacobian(
                &self,
                t: R,
                q: &SVector<R, 1usize>,
                v: &SVector<R, 1usize>,
                u: &SVector<R, 0usize>,
            ) -> ::core::result::Result<
                AccelerationJacobian<R, 1usize, 0, 0usize>,
                SingularMass,
            > {
                let q_theta = q[0];
                let (sin_theta, cos_theta) = q_theta.sin_cos();
                if Mask::all(self.k6) {
                    ::core::result::Result::Ok(AccelerationJacobian {
                        acceleration: SVector::<
                            R,
                            1usize,
                        >::from([(sin_theta * self.k8)]),
                        multipliers: SVector::<R, 0>::from([]),
                        acceleration_q: SMatrix::<
                            R,
                            1usize,
                            1usize,
                        >::from([[(cos_theta * self.k8)]] as [[R; 1usize]; 1usize]),
                        acceleration_v: SMatrix::<
                            R,
                            1usize,
                            1usize,
                        >::from([[R::ZERO]] as [[R; 1usize]; 1usize]),
                        acceleration_t: SVector::<R, 1usize>::from([R::ZERO]),
                        acceleration_u: SMatrix::<
                            R,
                            1usize,
                            0usize,
                        >::from([] as [[R; 1usize]; 0usize]),
                        multipliers_q: SMatrix::repeat(R::ZERO),
                        multipliers_v: SMatrix::repeat(R::ZERO),
                        multipliers_t: SVector::<R, 0>::from([]),
                        multipliers_u: SMatrix::repeat(R::ZERO),
                    })
                } else {
                    let a = System::acceleration(self, t, q, v, u)?.acceleration;
                    let residual = self.residual_jacobian(t, q, v, u, &a);
                    emitted::acceleration_jacobian(
                        &self.equations(t, q, v, u).mass_matrix,
                        &a,
                        &residual,
                    )
                }
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
            ///Operations: 2 additions, 2 multiplications.
            #[inline(always)]
            fn velocity_correction(
                &self,
                t: R,
                q: &SVector<R, 1usize>,
                v: &SVector<R, 1usize>,
                x: &SVector<R, 1usize>,
            ) -> ::core::result::Result<SVector<R, 1usize>, SingularMass> {
                let v_theta = v[0];
                let x_theta = x[0];
                if Mask::all(self.k6) {
                    ::core::result::Result::Ok(
                        SVector::<
                            R,
                            1usize,
                        >::from([
                            self
                                .k7
                                .mul_add((-v_theta).mul_add(self.k2, x_theta), v_theta),
                        ]),
                    )
                } else {
                    emitted::pivoted_velocity_correction(self, t, *q, *v, *x)
                }
            }
            ///Operations: 1 addition, 3 multiplications, 1 sine/cosine pair.
            #[inline]
            fn energies(
                &self,
                t: R,
                q: &SVector<R, 1usize>,
                v: &SVector<R, 1usize>,
                u: &SVector<R, 0usize>,
            ) -> Energies<R> {
                let q_theta = q[0];
                let cos_theta = q_theta.cos();
                let x1 = cos_theta * self.k5;
                let v_theta = v[0];
                let x2 = self.k12 * (v_theta * v_theta);
                Energies {
                    kinetic: ::core::option::Option::Some(x2),
                    potential: ::core::option::Option::Some(x1),
                    energy: x1 + x2,
                }
            }
            ///Operations: no operation.
            fn powers(
                &self,
                t: R,
                q: &SVector<R, 1usize>,
                v: &SVector<R, 1usize>,
                u: &SVector<R, 0usize>,
                out: &mut [R],
            ) {
                let powers: [R; 2usize] = [R::ZERO, R::ZERO];
                for (out, value) in out.iter_mut().zip(powers) {
                    *out = value;
                }
            }
        }
        impl<R: Scalar> system::Autonomous for Prepared<R> {}
        impl<R: Scalar> system::Conservative for Prepared<R> {}
        impl<R: Scalar> system::ConstantMass for Prepared<R> {}
        impl<R: Scalar> system::Separable for Prepared<R> {}
        impl<R: Scalar> system::VelocityFreeAcceleration for Prepared<R> {}
        impl<R: Scalar> system::PositiveMass for Prepared<R> {}
        impl<R: Scalar> system::RegularMomentum for Prepared<R> {}
        impl<R: Scalar> system::Unconstrained for Prepared<R> {}
        impl<R: Scalar> system::Holonomic for Prepared<R> {}
    }
};
