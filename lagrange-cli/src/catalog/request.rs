//! A request for a simulation.

use super::{Components, Feedback, MethodChoice, OwnFunction, RequestError, Until, Watched};
use lagrange_runtime::error::Number;
use lagrange_runtime::prelude::{Direction, State};

/// A request for a simulation: changes to the published values, the method, and the states to
/// return.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Parameters and inputs to change, by name.
    pub set: Vec<(String, f64)>,
    /// Initial coordinates and velocities to change, by name. The velocity of `x` is `x_dot` or
    /// `dot(x)`.
    ///
    /// A mechanism with constraints starts from a state that meets them. The components that are
    /// named here keep their values if that is possible. The components that are not named are
    /// changed as the constraints demand.
    pub initial: Vec<(String, f64)>,
    /// Whether the start may be far from the initial values asked for. It is far only if the
    /// constraints cannot be met near these values.
    pub project: bool,
    /// The time at which the motion starts.
    pub t_start: f64,
    /// The time at which the motion ends. It is below [`Request::t_start`] for a motion backward in time.
    pub t_end: f64,
    /// The method, with its settings.
    pub method: MethodChoice,
    /// The largest number of steps that may be tried. `None` sets no limit; an adaptive method then
    /// fails when its steps no longer advance.
    pub max_steps: Option<u64>,
    /// The values of quantities at which the motion ends before [`Request::t_end`]. The first one
    /// that is crossed counts.
    pub until: Vec<Until>,
    /// The values of quantities whose crossings are told by [`Output::instant`](super::Output::instant).
    pub watched: Vec<Watched>,
    /// Whether to compute the balance of energy along the motion. It costs a few evaluations a
    /// step.
    pub audit: bool,
    /// The states to return.
    pub states: States,
    /// The time after the start after which the largest Lyapunov exponent is averaged. `None` does not compute the exponent, which costs several
    /// evaluations of Jacobians a step.
    pub exponent: Option<f64>,
    /// The laws of inputs.
    pub feedback: Feedback,
}

/// The states that a simulation returns.
#[derive(Clone, Debug, PartialEq)]
pub enum States {
    /// The initial state, the state after each step, and the state after each jump, which has the time of the state before it.
    EveryStep,
    /// This number of states, evenly spaced in time from the start to the end; at least 2.
    Points(usize),
    /// Those at these times, which lie between the start and the end in the order of the motion.
    At(Vec<f64>),
    /// Those at the times `from`, `from` + `interval`, `from` + 2 `interval`, … after the start, up to the end. A motion backward
    /// in time has those before its start.
    Every {
        /// The first time after the start, which is not negative.
        from: f64,
        /// The time between two states, which is positive.
        interval: f64,
    },
    /// Those at which a quantity crosses a value, from the time `from` after the start on.
    Section {
        /// The quantity and the value.
        crossing: Until,
        /// The direction of the crossings that count.
        direction: Direction,
        /// The time after the start before which no crossing counts.
        from: f64,
    },
}

/// The initial state that a request asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Asked<const N: usize> {
    /// The state. Components that the request does not name have their published values.
    pub(super) state: State<f64, N>,
    /// For each coordinate, whether the request names it, and whether it names its velocity.
    pub(super) named: [[bool; 2]; N],
}

impl Request {
    /// The largest number of states that may be asked for. It is limited because their times are
    /// kept in memory.
    pub const MAX_POINTS: usize = 100_000_000;

    /// Returns the times of the states to return, or `None` if they are not known before.
    ///
    /// # Errors
    /// [`RequestError::BadValue`] if the number of states, the end time or the interval is not allowed.
    pub(crate) fn times(&self) -> Result<Option<Vec<f64>>, RequestError> {
        let bad = |text: String| Err(RequestError::BadValue(text));
        let most = Self::MAX_POINTS;
        let (start, length) = (self.t_start, self.t_end - self.t_start);
        if matches!(self.states, States::Points(_) | States::Every { .. }) && (!length.is_finite() || length == 0.0) {
            let not = Number(self.t_start);
            return bad(format!("the end time is {}; with points it must be finite and not {not}", Number(self.t_end)));
        }
        match &self.states {
            States::EveryStep | States::Section { .. } => Ok(None),
            States::At(times) => self.check_times(times).map(|()| Some(times.clone())),
            States::Points(points) if !(2..=most).contains(points) => {
                bad(format!("{points} points were asked for; 2 to {most} are possible"))
            }
            States::Points(points) => {
                let last = (points - 1) as f64;
                Ok(Some((0..*points).map(|index| start + length * (index as f64 / last)).collect()))
            }
            States::Every { from, interval } => {
                let (from, interval) = (*from, *interval);
                if from < 0.0 || !from.is_finite() || interval <= 0.0 || !interval.is_finite() {
                    let [from, interval] = [Number(from), Number(interval)];
                    return bad(format!(
                        "states from {from} on every {interval} were asked for; both must be positive"
                    ));
                }
                // The last time may miss the end by rounding.
                let count = (length.abs() - from) / interval * (1.0 + 4.0 * f64::EPSILON);
                if count >= most as f64 {
                    return bad(format!("an interval of {} makes more than {most} states", Number(interval)));
                }
                let time = |index: u64| start + (from + interval * index as f64).min(length.abs()) * length.signum();
                Ok(Some(if count < 0.0 { Vec::new() } else { (0..=count as u64).map(time).collect() }))
            }
        }
    }

    /// Checks times of states that were given one by one.
    ///
    /// # Errors
    /// [`RequestError::BadValue`] names the first time that is outside the motion or out of order.
    fn check_times(&self, times: &[f64]) -> Result<(), RequestError> {
        let (start, end) = (self.t_start, self.t_end);
        let mut last = start;
        for &time in times {
            let [least, most] = if start <= end { [last, end] } else { [end, last] };
            if !(least..=most).contains(&time) {
                let [time, last, end] = [time, last, end].map(Number);
                return Err(RequestError::BadValue(format!(
                    "a state at the time {time} was asked for; the times must be in the order of the motion, and this one between \
                     {last} and {end}"
                )));
            }
            last = time;
        }
        Ok(())
    }

    /// The conditions of all events, in their order: the conditions that end the motion, the conditions that are watched, and the condition of the section.
    /// Each has the function whose zeros are told in its place, if there is one.
    pub(super) fn crossings(&self) -> impl Iterator<Item = (&Until, Option<&OwnFunction>)> {
        let section = match &self.states {
            States::Section { crossing, .. } => Some(crossing),
            _ => None,
        };
        let watched = self.watched.iter().map(|watched| (&watched.crossing, watched.function.as_ref()));
        self.until.iter().map(|until| (until, None)).chain(watched).chain(section.map(|section| (section, None)))
    }

    /// Returns the initial state asked for: `state` with the values of [`Request::initial`].
    /// `components` are the names of the mechanism's coordinates and states, and `parameters` those of its
    /// parameters and inputs.
    ///
    /// # Errors
    /// [`RequestError`] for a name that is unknown, misplaced or repeated.
    pub(super) fn initial_state<const N: usize>(
        &self,
        mut state: State<f64, N>,
        components: Components<'_>,
        parameters: &[&str],
    ) -> Result<Asked<N>, RequestError> {
        let mut given = [[None; 2]; N];
        for (name, value) in &self.initial {
            let Some((index, kind)) = components.find(name).filter(|(index, _)| *index < N) else {
                if parameters.contains(&name.as_str()) {
                    return Err(RequestError::Misplaced { name: name.clone(), is_parameter: true });
                }
                let pairs =
                    components.coordinates().iter().flat_map(|name| [(*name).to_owned(), format!("{name}_dot")]);
                let known = pairs.chain(components.states().iter().map(|name| (*name).to_owned())).collect();
                return Err(RequestError::UnknownCoordinate { name: name.clone(), known });
            };
            let values = if kind == 0 { &mut state.q } else { &mut state.v };
            values[index] = *value;
            if let Some(first) = given[index][kind].replace(*value) {
                return Err(RequestError::Repeated { name: name.clone(), values: [first, *value] });
            }
        }
        Ok(Asked { state, named: given.map(|values| values.map(|value: Option<f64>| value.is_some())) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::MethodName;

    fn request(initial: &[(&str, f64)]) -> Request {
        Request {
            set: Vec::new(),
            initial: initial.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect(),
            project: false,
            t_start: 0.0,
            t_end: 1.0,
            method: MethodChoice::with_step(MethodName::Rk4, 0.1),
            max_steps: None,
            until: Vec::new(),
            watched: Vec::new(),
            audit: false,
            states: States::Points(5),
            exponent: None,
            feedback: Feedback::default(),
        }
    }

    #[test]
    fn velocities_have_two_spellings() {
        let start = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
        let Asked { state, named } = request(&[("a", 1.0), ("b_dot", 2.0), ("dot(a)", 3.0)])
            .initial_state(start, Components::split(&["a", "b"], 0), &[])
            .expect("all names are known");
        assert_eq!(named, [[true, true], [false, true]]);
        assert_eq!((state.q[0], state.q[1], state.v[0], state.v[1]), (1.0, 0.0, 3.0, 2.0));
    }

    #[test]
    fn an_unknown_coordinate_is_named_with_what_is_known() {
        let start = State::new(0.0, [0.0], [0.0]);
        let error = request(&[("thta", 1.0)])
            .initial_state(start, Components::split(&["theta"], 0), &[])
            .expect_err("no such coordinate");
        assert_eq!(
            error.to_string(),
            "no coordinate or velocity `thta`; did you mean `theta`? (known: `theta`, `theta_dot`)"
        );
    }

    #[test]
    fn a_parameter_among_initial_values_is_told_from_a_coordinate() {
        let start = State::new(0.0, [0.0], [0.0]);
        let error = request(&[("m", 1.0)])
            .initial_state(start, Components::split(&["a"], 0), &["m"])
            .expect_err("it is no coordinate");
        assert!(
            error.to_string().contains("`m` is a parameter or an input") && error.to_string().contains("--set m=VALUE")
        );
    }

    #[test]
    fn a_component_with_two_values_is_named_in_either_spelling() {
        let start = State::new(0.0, [0.0], [0.0]);
        for initial in [[("a", 1.0), ("a", 1.0)], [("a_dot", 1.0), ("dot(a)", 2.0)]] {
            let error = request(&initial)
                .initial_state(start, Components::split(&["a"], 0), &[])
                .expect_err("it is given twice");
            let [(_, first), (name, second)] = initial;
            assert_eq!(error.to_string(), format!("`{name}` is given twice, as {first} and as {second}"));
        }
    }

    #[test]
    fn times_include_both_ends() {
        assert_eq!(request(&[]).times(), Ok(Some(vec![0.0, 0.25, 0.5, 0.75, 1.0])));
        let every =
            |from, interval, t_end| Request { states: States::Every { from, interval }, t_end, ..request(&[]) }.times();
        assert_eq!(every(0.5, 0.25, 1.2), Ok(Some(vec![0.5, 0.75, 1.0])));
        assert_eq!(every(0.5, 0.25, -1.0), Ok(Some(vec![-0.5, -0.75, -1.0])));
        assert_eq!(every(2.0, 0.25, 1.0), Ok(Some(Vec::new())));
        // 0.1 + 7 · 0.1 is above 0.8 by rounding, and is the end.
        let times = every(0.1, 0.1, 0.8).expect("it is allowed").expect("times");
        assert_eq!((times.len(), times[7]), (8, 0.8));
        let later =
            Request { t_start: 2.0, t_end: 1.0, states: States::Every { from: 0.25, interval: 0.5 }, ..request(&[]) };
        assert_eq!(later.times(), Ok(Some(vec![1.75, 1.25])));
        assert_eq!(Request { states: States::Points(3), ..later }.times(), Ok(Some(vec![2.0, 1.5, 1.0])));
        assert!(every(0.0, 1e-9, 1.0).is_err() && every(-1.0, 0.1, 1.0).is_err() && every(0.0, 0.0, 1.0).is_err());
    }

    #[test]
    fn a_time_outside_the_motion_or_out_of_order_is_named() {
        let at = |t_start, t_end, times: &[f64]| {
            Request { t_start, t_end, states: States::At(times.to_vec()), ..request(&[]) }.times()
        };
        assert_eq!(at(1.0, 3.0, &[1.0, 2.0, 2.0, 3.0]), Ok(Some(vec![1.0, 2.0, 2.0, 3.0])));
        assert_eq!(at(3.0, 1.0, &[2.5, 1.0]), Ok(Some(vec![2.5, 1.0])));
        for (times, expected) in
            [([2.0, 1.5], "the time 1.5"), ([0.5, 2.0], "the time 0.5"), ([2.0, f64::NAN], "the time NaN")]
        {
            let message = at(1.0, 3.0, &times).expect_err("it is not allowed").to_string();
            assert!(message.contains(expected) && message.contains("and 3"), "{message}");
        }
        assert!(at(3.0, 1.0, &[1.5, 2.5]).is_err());
    }
}
