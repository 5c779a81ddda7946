impl<R: Scalar> system::Autonomous for Prepared<R> {}
impl<R: Scalar> system::Conservative for Prepared<R> {}
impl<R: Scalar> system::ConstantMass for Prepared<R> {}
impl<R: Scalar> system::Separable for Prepared<R> {}
impl<R: Scalar> system::PositiveMass for Prepared<R> {}
impl<R: Scalar> system::RegularMomentum for Prepared<R> {}
impl<R: Scalar> system::Holonomic for Prepared<R> {}
