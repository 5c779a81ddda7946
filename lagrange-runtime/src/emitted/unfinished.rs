//! Stands in for the equations of a mechanism whose block has mistakes, while the compiler reports them.

use crate::error::SingularMass;
use crate::scalar::Scalar;
use crate::system::{
    Acceleration, AccelerationJacobian, Autonomous, Balance, BalanceJacobian, Conservative, ConstantMass, Energies,
    Equations, Facts, Holonomic, PositiveMass, RegularMomentum, Separable, System, Unconstrained,
    VelocityFreeAcceleration,
};
use nalgebra::{SMatrix, SVector};

/// A system of the given shape that computes NaN: a program with it never compiles, since its block has mistakes.
#[derive(Clone, Copy, Debug)]
pub struct Unfinished<const N: usize, const C: usize, const U: usize>;

impl<const N: usize, const C: usize, const U: usize> Autonomous for Unfinished<N, C, U> {}
impl<const N: usize, const C: usize, const U: usize> Conservative for Unfinished<N, C, U> {}
impl<const N: usize, const C: usize, const U: usize> ConstantMass for Unfinished<N, C, U> {}
impl<const N: usize, const C: usize, const U: usize> Separable for Unfinished<N, C, U> {}
impl<const N: usize, const C: usize, const U: usize> VelocityFreeAcceleration for Unfinished<N, C, U> {}
impl<const N: usize, const C: usize, const U: usize> PositiveMass for Unfinished<N, C, U> {}
impl<const N: usize, const C: usize, const U: usize> RegularMomentum for Unfinished<N, C, U> {}
impl<const N: usize, const C: usize, const U: usize> Unconstrained for Unfinished<N, C, U> {}
impl<const N: usize, const C: usize, const U: usize> Holonomic for Unfinished<N, C, U> {}

fn vector<R: Scalar, const N: usize>() -> SVector<R, N> {
    SVector::repeat(R::from_f64(f64::NAN))
}

fn matrix<R: Scalar, const N: usize, const M: usize>() -> SMatrix<R, N, M> {
    SMatrix::repeat(R::from_f64(f64::NAN))
}

impl<R: Scalar, const N: usize, const C: usize, const U: usize> System<R, N, C, U> for Unfinished<N, C, U> {
    fn facts(&self) -> &'static Facts {
        &Facts::NONE
    }
    fn coordinates(&self) -> &'static [&'static str] {
        &[]
    }
    fn default_inputs(&self) -> SVector<R, U> {
        vector()
    }
    fn balance(&self, _: R, _: &SVector<R, N>, _: &SVector<R, N>, _: &SVector<R, U>) -> Balance<R, N> {
        Balance { momentum: vector(), balance: vector() }
    }
    fn balance_jacobian(
        &self,
        _: R,
        _: &SVector<R, N>,
        _: &SVector<R, N>,
        _: &SVector<R, U>,
    ) -> BalanceJacobian<R, N, U> {
        BalanceJacobian {
            momentum: vector(),
            balance: vector(),
            momentum_q: matrix(),
            mass_matrix: matrix(),
            momentum_t: vector(),
            balance_q: matrix(),
            balance_v: matrix(),
            balance_t: vector(),
            balance_u: matrix(),
        }
    }
    fn equations(&self, _: R, _: &SVector<R, N>, _: &SVector<R, N>, _: &SVector<R, U>) -> Equations<R, N> {
        Equations { mass_matrix: matrix(), forcing: vector() }
    }
    fn acceleration(
        &self,
        _: R,
        _: &SVector<R, N>,
        _: &SVector<R, N>,
        _: &SVector<R, U>,
    ) -> Result<Acceleration<R, N, C>, SingularMass> {
        Ok(Acceleration { acceleration: vector(), multipliers: vector() })
    }
    fn acceleration_jacobian(
        &self,
        _: R,
        _: &SVector<R, N>,
        _: &SVector<R, N>,
        _: &SVector<R, U>,
    ) -> Result<AccelerationJacobian<R, N, C, U>, SingularMass> {
        Ok(AccelerationJacobian {
            acceleration: vector(),
            multipliers: vector(),
            acceleration_q: matrix(),
            acceleration_v: matrix(),
            acceleration_t: vector(),
            acceleration_u: matrix(),
            multipliers_q: matrix(),
            multipliers_v: matrix(),
            multipliers_t: vector(),
            multipliers_u: matrix(),
        })
    }
    fn parameter_count(&self) -> usize {
        0
    }
    fn acceleration_parameters(
        &self,
        _: R,
        _: &SVector<R, N>,
        _: &SVector<R, N>,
        _: &SVector<R, U>,
        _: &mut [Acceleration<R, N, C>],
    ) -> Result<(), SingularMass> {
        Ok(())
    }
    fn velocity_correction(
        &self,
        _: R,
        _: &SVector<R, N>,
        _: &SVector<R, N>,
        _: &SVector<R, N>,
    ) -> Result<SVector<R, N>, SingularMass> {
        Ok(vector())
    }
    fn energies(&self, _: R, _: &SVector<R, N>, _: &SVector<R, N>, _: &SVector<R, U>) -> Energies<R> {
        Energies { kinetic: None, potential: None, energy: R::from_f64(f64::NAN) }
    }
    fn power_names(&self) -> &'static [&'static str] {
        &[]
    }
    fn powers(&self, _: R, _: &SVector<R, N>, _: &SVector<R, N>, _: &SVector<R, U>, _: &mut [R]) {}
}
