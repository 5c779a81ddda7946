impl<R: Scalar> system::Autonomous for Prepared<R> {}
impl<R: Scalar> system::Unconstrained for Prepared<R> {}
impl<R: Scalar> system::Holonomic for Prepared<R> {}
