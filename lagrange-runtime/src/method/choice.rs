//! A method that a program chooses while it runs.

/// Makes an enum of methods, which is a method itself: the one of its variant.
///
/// Use it where a program takes the method from a command line or a file. Such a program could also call
/// [`integrate`](crate::solve::integrate) once for each method, but the step loop, the search for events and the step control would
/// then be compiled as often. With the enum they are compiled once. A step by the enum costs a jump, and copies the memory of the
/// largest of its methods.
///
/// The number type follows the name of the enum. All methods must choose their steps in the same way: all have fixed steps, or all
/// adapt them. Otherwise the enum does not compile where it is used. The enum is a method for those mechanisms for which all of its
/// variants are.
///
/// The memory of a step belongs to the variant that made it. A [`Checkpoint`](crate::stepper::Checkpoint) of one variant that is
/// resumed by another ends with an error.
///
/// ```
/// use lagrange_runtime::prelude::*;
///
/// lagrange_runtime::method_choice! {
///     /// The methods of this program.
///     pub enum Pair: f64 {
///         /// For loose tolerances.
///         Loose(Tsitouras5<f64>),
///         /// For tight tolerances.
///         Tight(Verner9<f64>),
///     }
/// }
///
/// #[lagrangian {
///     coordinates x;
///     kinetic = m*dot(x)^2/2;
///     potential = k*x^2/2;
/// }]
/// struct Oscillator {
///     m: f64,
///     k: f64,
/// }
///
/// let system = Oscillator { m: 1.0, k: 1.0 }.prepare::<f64>()?;
/// for (name, tolerance) in [("loose", 1e-4), ("tight", 1e-12)] {
///     let method = if name == "loose" { Pair::Loose(Tsitouras5::new()) } else { Pair::Tight(Verner9::new()) };
///     let options = Options { rtol: tolerance.into(), atol: tolerance.into(), ..Options::default() };
///     let solution = solve(&system, State::new(0.0, [1.0], [0.0]), 1.0, &method, &options)?;
///     assert!((solution.last().expect("a stored state").q[0] - 1.0_f64.cos()).abs() < 10.0 * tolerance);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[macro_export]
macro_rules! method_choice {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $Choice:ident: $Real:ty {
            $($(#[$help:meta])* $Variant:ident($Method:ty)),+ $(,)?
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug)]
        #[allow(clippy::large_enum_variant, reason = "one value serves a whole motion")]
        $visibility enum $Choice {
            $($(#[$help])* $Variant($Method),)+
        }

        const _: () = {
            use $crate::dense::Interpolant;
            use $crate::error::Failure;
            use $crate::evaluate::Evaluate;
            use $crate::method::{Method, Pace, Trial};
            use $crate::nalgebra::SVector;
            use $crate::state::State;

            /// A value of one of the methods: its memory, or its workspace.
            #[derive(Clone, Copy, Debug)]
            #[allow(clippy::large_enum_variant, reason = "it lives on the stack, where nothing may be allocated")]
            pub enum Of<$($Variant),+> {
                $($Variant($Variant),)+
            }

            /// The failure of a method that gets the memory of another one.
            #[cold]
            fn foreign(method: &'static str) -> Failure {
                Failure::NotApplicable { method, needs: "the memory of its own steps" }
            }

            impl<const N: usize, const C: usize> Method<$Real, N, C> for $Choice
            where
                $($Method: Method<$Real, N, C>,)+
            {
                type Memory = Of<$(<$Method as Method<$Real, N, C>>::Memory),+>;
                type Workspace = Of<$(<$Method as Method<$Real, N, C>>::Workspace),+>;

                const ADAPTIVE: bool = {
                    let adaptive = [$(<$Method as Method<$Real, N, C>>::ADAPTIVE),+];
                    let mut index = 1;
                    while index < adaptive.len() {
                        assert!(
                            adaptive[index] == adaptive[0],
                            "either all methods of a choice have fixed steps, or all adapt their steps"
                        );
                        index += 1;
                    }
                    adaptive[0]
                };
                const MEASURES_ERRORS: bool = false $(|| <$Method as Method<$Real, N, C>>::MEASURES_ERRORS)+;

                fn name(&self) -> &'static str {
                    match self {
                        $(Self::$Variant(method) => Method::<$Real, N, C>::name(method),)+
                    }
                }

                fn order(&self) -> u32 {
                    match self {
                        $(Self::$Variant(method) => Method::<$Real, N, C>::order(method),)+
                    }
                }

                fn error_power(&self) -> u32 {
                    match self {
                        $(Self::$Variant(method) => Method::<$Real, N, C>::error_power(method),)+
                    }
                }

                fn workspace(&self) -> Self::Workspace {
                    match self {
                        $(Self::$Variant(method) => Of::$Variant(Method::<$Real, N, C>::workspace(method)),)+
                    }
                }

                fn pace(&self) -> Pace<$Real> {
                    match self {
                        $(Self::$Variant(method) => Method::<$Real, N, C>::pace(method),)+
                    }
                }

                fn holds_contacts(&self) -> bool {
                    match self {
                        $(Self::$Variant(method) => Method::<$Real, N, C>::holds_contacts(method),)+
                    }
                }

                fn resolves_contacts(&self) -> bool {
                    match self {
                        $(Self::$Variant(method) => Method::<$Real, N, C>::resolves_contacts(method),)+
                    }
                }

                fn is_limited_by_stability(&self) -> bool {
                    match self {
                        $(Self::$Variant(method) => Method::<$Real, N, C>::is_limited_by_stability(method),)+
                    }
                }

                fn stability(&self) -> Option<[f64; 2]> {
                    match self {
                        $(Self::$Variant(method) => Method::<$Real, N, C>::stability(method),)+
                    }
                }

                fn judges_interpolants(&self) -> bool {
                    match self {
                        $(Self::$Variant(method) => Method::<$Real, N, C>::judges_interpolants(method),)+
                    }
                }

                fn start<E: Evaluate<$Real, N, C> + ?Sized>(
                    &self,
                    evaluator: &mut E,
                    state: &State<$Real, N>,
                ) -> Result<Self::Memory, Failure> {
                    match self {
                        $(Self::$Variant(method) => Ok(Of::$Variant(method.start(evaluator, state)?)),)+
                    }
                }

                fn refresh<E: Evaluate<$Real, N, C> + ?Sized>(
                    &self,
                    evaluator: &mut E,
                    state: &State<$Real, N>,
                    memory: &Self::Memory,
                ) -> Result<Self::Memory, Failure> {
                    match (self, memory) {
                        $((Self::$Variant(method), Of::$Variant(memory)) => {
                            Ok(Of::$Variant(method.refresh(evaluator, state, memory)?))
                        })+
                        #[allow(unreachable_patterns, reason = "there may be one method")]
                        _ => Err(foreign(Method::<$Real, N, C>::name(self))),
                    }
                }

                fn forget_inputs(&self, memory: &Self::Memory) -> Self::Memory {
                    match (self, memory) {
                        $((Self::$Variant(method), Of::$Variant(memory)) => {
                            Of::$Variant(Method::<$Real, N, C>::forget_inputs(method, memory))
                        })+
                        #[allow(unreachable_patterns, reason = "there may be one method")]
                        _ => *memory,
                    }
                }

                fn moved<E: Evaluate<$Real, N, C> + ?Sized>(
                    &self,
                    evaluator: &mut E,
                    state: &State<$Real, N>,
                    memory: &Self::Memory,
                ) -> Result<Self::Memory, Failure> {
                    match (self, memory) {
                        $((Self::$Variant(method), Of::$Variant(memory)) => {
                            Ok(Of::$Variant(method.moved(evaluator, state, memory)?))
                        })+
                        #[allow(unreachable_patterns, reason = "there may be one method")]
                        _ => Err(foreign(Method::<$Real, N, C>::name(self))),
                    }
                }

                fn held<E: Evaluate<$Real, N, C> + ?Sized>(
                    &self,
                    evaluator: &mut E,
                    states: [&State<$Real, N>; 2],
                    memory: &Self::Memory,
                ) -> Result<Self::Memory, Failure> {
                    match (self, memory) {
                        $((Self::$Variant(method), Of::$Variant(memory)) => {
                            Ok(Of::$Variant(method.held(evaluator, states, memory)?))
                        })+
                        #[allow(unreachable_patterns, reason = "there may be one method")]
                        _ => Err(foreign(Method::<$Real, N, C>::name(self))),
                    }
                }

                fn step<E: Evaluate<$Real, N, C> + ?Sized>(
                    &self,
                    evaluator: &mut E,
                    workspace: &mut Self::Workspace,
                    state: &State<$Real, N>,
                    memory: &Self::Memory,
                    h: $Real,
                    end: $Real,
                ) -> Result<Trial<$Real, N, Self::Memory>, Failure> {
                    match (self, workspace, memory) {
                        $((Self::$Variant(method), Of::$Variant(workspace), Of::$Variant(memory)) => {
                            let Trial { state, memory, estimate } =
                                method.step(evaluator, workspace, state, memory, h, end)?;
                            Ok(Trial { state, memory: Of::$Variant(memory), estimate })
                        })+
                        #[allow(unreachable_patterns, reason = "there may be one method")]
                        _ => Err(foreign(Method::<$Real, N, C>::name(self))),
                    }
                }

                fn acceleration<E: Evaluate<$Real, N, C> + ?Sized>(
                    &self,
                    evaluator: &mut E,
                    state: &State<$Real, N>,
                    memory: &Self::Memory,
                ) -> Result<SVector<$Real, N>, Failure> {
                    match (self, memory) {
                        $((Self::$Variant(method), Of::$Variant(memory)) => {
                            method.acceleration(evaluator, state, memory)
                        })+
                        #[allow(unreachable_patterns, reason = "there may be one method")]
                        _ => Err(foreign(Method::<$Real, N, C>::name(self))),
                    }
                }

                fn interpolant<E: Evaluate<$Real, N, C> + ?Sized>(
                    &self,
                    evaluator: &mut E,
                    workspace: &mut Self::Workspace,
                    start: (&State<$Real, N>, &SVector<$Real, N>),
                    end: (&State<$Real, N>, &SVector<$Real, N>),
                ) -> Result<Interpolant<$Real, N>, Failure> {
                    match (self, workspace) {
                        $((Self::$Variant(method), Of::$Variant(workspace)) => {
                            method.interpolant(evaluator, workspace, start, end)
                        })+
                        #[allow(unreachable_patterns, reason = "there may be one method")]
                        _ => Err(foreign(Method::<$Real, N, C>::name(self))),
                    }
                }

                fn consistent<E: Evaluate<$Real, N, C> + ?Sized>(
                    &self,
                    evaluator: &E,
                    state: &State<$Real, N>,
                ) -> Result<State<$Real, N>, Failure> {
                    match self {
                        $(Self::$Variant(method) => method.consistent(evaluator, state),)+
                    }
                }

                fn synchronise<E: Evaluate<$Real, N, C> + ?Sized>(
                    &self,
                    evaluator: &mut E,
                    state: &State<$Real, N>,
                    memory: &Self::Memory,
                ) -> Result<State<$Real, N>, Failure> {
                    match (self, memory) {
                        $((Self::$Variant(method), Of::$Variant(memory)) => {
                            method.synchronise(evaluator, state, memory)
                        })+
                        #[allow(unreachable_patterns, reason = "there may be one method")]
                        _ => Err(foreign(Method::<$Real, N, C>::name(self))),
                    }
                }
            }
        };
    };
}
