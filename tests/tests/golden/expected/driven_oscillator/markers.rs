impl<R: Scalar> system::ConstantMass for Prepared<R> {}
impl<R: Scalar> system::PositiveMass for Prepared<R> {}
impl<R: Scalar> system::RegularMomentum for Prepared<R> {}
impl<R: Scalar> system::Unconstrained for Prepared<R> {}
impl<R: Scalar> system::Holonomic for Prepared<R> {}
