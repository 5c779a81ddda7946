//! Quantities of a motion by name, and the values of them at which it ends.

use super::{Components, Request, RequestError, States};
use lagrange_runtime::event::{Event, StateFunction};
use lagrange_runtime::prelude::*;
use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

/// A coordinate, a velocity or a component of an output, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The coordinate of this index.
    Coordinate(usize),
    /// The velocity of the coordinate of this index, or the state that follows the velocities.
    Velocity(usize),
    /// The component of this index among those of all outputs.
    Output(usize),
}

impl Quantity {
    /// Returns the quantity of this name. The names are those of [`Quantity::names`], and
    /// `dot(x)` for the velocity of `x`.
    ///
    /// # Errors
    /// [`RequestError::UnknownQuantity`] lists the names that exist.
    pub fn find(name: &str, components: Components<'_>, outputs: &[&str]) -> Result<Self, RequestError> {
        let output = || outputs.iter().position(|output| *output == name).map(Self::Output);
        let found = match components.find(name) {
            Some((index, 0)) => Some(Self::Coordinate(index)),
            Some((index, _)) => Some(Self::Velocity(index)),
            None => output(),
        };
        let known = || Self::names(components, outputs);
        found.ok_or_else(|| RequestError::UnknownQuantity { name: name.to_owned(), known: known() })
    }

    /// Returns the names of all quantities: the coordinates, the velocities, the states, and the
    /// components of the outputs.
    pub fn names(components: Components<'_>, outputs: &[&str]) -> Vec<String> {
        let positions = components.coordinates().iter().map(|name| (*name).to_owned());
        positions.chain(components.velocities()).chain(outputs.iter().map(|name| (*name).to_owned())).collect()
    }

    /// Returns the place of the quantity in [`Quantity::names`] of a mechanism with these
    /// `components`.
    pub fn place(self, components: Components<'_>) -> usize {
        let (count, states) = (components.coordinates().len(), components.states().len());
        match self {
            Self::Coordinate(index) => index,
            Self::Velocity(index) => count + index,
            Self::Output(index) => 2 * count + states + index,
        }
    }
}

/// A value of a quantity at which a motion ends. It ends where the quantity crosses the value in
/// either direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Until {
    /// The name of the quantity, as [`Quantity::find`] takes it.
    pub quantity: String,
    /// Whether the absolute value of the quantity is compared with the value.
    pub absolute: bool,
    /// The value.
    pub value: f64,
    /// The condition as the user wrote it, for rows and pictures.
    pub label: String,
}

/// A function of the time, the coordinates and the velocities, behind which stand the quantities of states. Its zeros are told.
#[derive(Clone)]
pub struct OwnFunction(pub Arc<SharedFunction>);

/// A function of t, q and v that threads may share.
pub type SharedFunction = dyn Fn(f64, &[f64], &[f64]) -> f64 + Send + Sync;

impl PartialEq for OwnFunction {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for OwnFunction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("OwnFunction")
    }
}

/// A value of a quantity whose crossings are told.
#[derive(Clone, Debug, PartialEq)]
pub struct Watched {
    /// The quantity and the value.
    pub crossing: Until,
    /// A function whose zeros are told in place of the crossings of a quantity; `crossing` then has its name as the label.
    pub function: Option<OwnFunction>,
    /// The direction of the crossings that count.
    pub direction: Direction,
    /// Whether the motion ends at the first of them.
    pub ends: bool,
}

type BoxedFunction<'a, const N: usize> = Box<StateFunction<'a, f64, N>>;

/// The functions whose zeros are told, end a motion, or are its section.
pub(super) struct Crossings<'a, const N: usize>(Vec<BoxedFunction<'a, N>>);

impl<'a, const N: usize> Crossings<'a, N> {
    /// Returns the functions of [`Request::until`], of [`Request::watched`] and of [`States::Section`], in this order.
    ///
    /// # Errors
    /// [`RequestError::UnknownQuantity`] for a name that no quantity has, and [`RequestError::BadValue`] for an output that contains
    /// the force of a contact.
    pub(super) fn of<const C: usize>(
        system: &'a dyn System<f64, N, C, 0>,
        request: &'a Request,
    ) -> Result<Self, RequestError> {
        let components = Components::split(system.coordinates(), system.state_count());
        let function =
            |(until, own): (&'a Until, Option<&'a OwnFunction>)| -> Result<BoxedFunction<'a, N>, RequestError> {
                if let Some(own) = own {
                    let count = components.coordinates().len();
                    return Ok(Box::new(move |t: f64, q: &SVector<f64, N>, v: &SVector<f64, N>| {
                        own.0(t, &q.as_slice()[..count], v.as_slice())
                    }));
                }
                let quantity = Quantity::find(&until.quantity, components, system.output_names())?;
                if matches!(quantity, Quantity::Output(index) if system.outputs_of_forces().contains(&index)) {
                    return Err(RequestError::BadValue(format!(
                        "`{}` contains the force of a contact, which is known at the ends of steps only: it can neither end a \
                     motion nor be a section",
                        until.quantity
                    )));
                }
                let outputs = RefCell::new(vec![0.0; system.output_names().len()]);
                Ok(Box::new(move |t: f64, q: &SVector<f64, N>, v: &SVector<f64, N>| {
                    let found = match quantity {
                        Quantity::Coordinate(index) => q[index],
                        Quantity::Velocity(index) => v[index],
                        Quantity::Output(index) => {
                            let mut outputs = outputs.borrow_mut();
                            system.outputs(t, q, v, &SVector::zeros(), &mut outputs);
                            outputs[index]
                        }
                    };
                    (if until.absolute { found.abs() } else { found }) - until.value
                }))
            };
        Ok(Self(request.crossings().map(function).collect::<Result<_, _>>()?))
    }

    /// Returns an event for each function of this request.
    pub(super) fn events(&self, request: &Request) -> Vec<Event<'_, f64, N>> {
        let until = request.until.iter().map(|_| (Direction::Any, true));
        let watched = request.watched.iter().map(|watched| (watched.direction, watched.ends));
        let section = match &request.states {
            States::Section { direction, .. } => Some((*direction, false)),
            _ => None,
        };
        let mut events = Vec::new();
        for (function, (direction, ends)) in self.0.iter().zip(until.chain(watched).chain(section)) {
            let event = Event::new(&**function).going(direction);
            events.push(if ends { event.terminal() } else { event });
        }
        events
    }
}
