impl<R: Scalar> Prepared<R> {
    fn of(
        parameters: &[R; 3usize],
        inputs: &SVector<R, 0usize>,
        fingerprint: Fingerprint,
    ) -> Self {
        let p_m = parameters[0];
        let p_g = parameters[2];
        let x1 = p_m * p_g;
        let x2 = R::ZERO.lt(p_m);
        let x3 = p_m.recip();
        let x4 = x1 * x3;
        let p_l = parameters[1];
        Prepared {
            inputs: *inputs,
            fingerprint,
            parameters: *parameters,
            p_m: p_m,
            p_g: p_g,
            k1: x1,
            k2: -x1,
            k3: x2,
            k4: x3,
            k5: -x3,
            k6: R::select(x2, R::ZERO, R::ZERO.recip()),
            k7: x4,
            k8: -x4,
            k9: x3 * R::from_f64(-2.0),
            k10: p_m * R::from_f64(0.5),
            p_l: p_l,
            k11: p_l.abs(),
        }
    }
}
impl<R: Scalar> Prepared<R> {
    /// The prepared struct with each value as a constant dual number.
    fn lifted<const D: usize>(&self) -> Prepared<Dual<R, D>> {
        Prepared {
            fingerprint: self.fingerprint,
            inputs: self.inputs.map(Dual::constant),
            parameters: self.parameters.map(Dual::constant),
            p_m: Dual::constant(self.p_m),
            p_g: Dual::constant(self.p_g),
            k1: Dual::constant(self.k1),
            k2: Dual::constant(self.k2),
            k3: self.k3,
            k4: Dual::constant(self.k4),
            k5: Dual::constant(self.k5),
            k6: Dual::constant(self.k6),
            k7: Dual::constant(self.k7),
            k8: Dual::constant(self.k8),
            k9: Dual::constant(self.k9),
            k10: Dual::constant(self.k10),
            p_l: Dual::constant(self.p_l),
            k11: Dual::constant(self.k11),
        }
    }
    /// The prepared struct with a dual variable for each of `D` parameters from `first` on.
    fn varied<const D: usize>(&self, first: usize) -> Prepared<Dual<R, D>> {
        let parameters: [Dual<R, D>; 3usize] = emitted::variables(
            &self.parameters,
            first,
        );
        Prepared::of(&parameters, &self.inputs.map(Dual::constant), self.fingerprint)
    }
}
impl<R: Scalar> Prepared<R> {
    ///Operations: 13 additions, 39 multiplications, 1 other function, 1 selection.
    fn residual_jacobian(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
        x: &SVector<R, 2usize>,
        multipliers: &SVector<R, 1>,
    ) -> (
        emitted::ResidualJacobian<R, 2usize, 0usize>,
        emitted::ConstraintResidualJacobian<R, 2usize, 1>,
    ) {
        let q_x = q[0];
        let q_y = q[1];
        let x1 = R::norm_of([q_x, q_y]).recip_or_zero();
        let x2 = x1 * x1;
        let x3 = q_x * x2;
        let x4 = q_y * x2;
        let v_x = v[0];
        let v_y = v[1];
        let x5 = v_y.mul_add(q_y, v_x * q_x);
        let x6 = (-x2).mul_add(x5 * x5, v_y.mul_add(v_y, v_x * v_x));
        let x_x = x[0];
        let x_y = x[1];
        let x7 = (-x5).mul_add(x3, v_x);
        let x8 = (-x5).mul_add(x4, v_y);
        let m_0 = multipliers[0];
        let x9 = x1 * x2.mul_add(q_x * q_x, R::from_f64(-1.0)) * m_0;
        let x10 = x1 * x2 * (q_x * q_y) * m_0;
        let x11 = q_y.mul_add(x_y, q_x.mul_add(x_x, x6));
        let x12 = (-x3).mul_add(x11, (-R::from_f64(2.0)).mul_add(x2 * (x5 * x7), x_x));
        let x13 = x1 * x2.mul_add(q_y * q_y, R::from_f64(-1.0)) * m_0;
        let x14 = (-x4).mul_add(x11, (-R::from_f64(2.0)).mul_add(x2 * (x5 * x8), x_y));
        (
            emitted::ResidualJacobian {
                q: SMatrix::<
                    R,
                    2usize,
                    2usize,
                >::from([[x9, x10], [x10, x13]] as [[R; 2usize]; 2usize]),
                v: SMatrix::<
                    R,
                    2usize,
                    2usize,
                >::from(
                    [[R::ZERO, R::ZERO], [R::ZERO, R::ZERO]] as [[R; 2usize]; 2usize],
                ),
                t: SVector::<R, 2usize>::from([R::ZERO, R::ZERO]),
                u: SMatrix::<R, 2usize, 0usize>::from([] as [[R; 2usize]; 0usize]),
            },
            emitted::ConstraintResidualJacobian {
                q: SMatrix::<
                    R,
                    1usize,
                    2usize,
                >::from([[(x1 * x12)], [(x1 * x14)]] as [[R; 1usize]; 2usize]),
                v: SMatrix::<
                    R,
                    1usize,
                    2usize,
                >::from(
                    [[(R::from_f64(2.0) * (x1 * x7))], [(R::from_f64(2.0) * (x1 * x8))]]
                        as [[R; 1usize]; 2usize],
                ),
                t: SVector::<R, 1>::from([R::ZERO]),
            },
        )
    }
    ///Operations: 1 addition.
    fn residual_parameters(
        &self,
        t: R,
        q: &SVector<R, 2usize>,
        v: &SVector<R, 2usize>,
        u: &SVector<R, 0usize>,
        x: &SVector<R, 2usize>,
        multipliers: &SVector<R, 1>,
    ) -> ([SVector<R, 2usize>; 3usize], [SVector<R, 1>; 3usize]) {
        let x_x = x[0];
        let x_y = x[1];
        (
            [
                SVector::<R, 2usize>::from([x_x, self.p_g + x_y]),
                SVector::<R, 2usize>::from([R::ZERO, R::ZERO]),
                SVector::<R, 2usize>::from([R::ZERO, self.p_m]),
            ],
            [
                SVector::<R, 1>::from([R::ZERO]),
                SVector::<R, 1>::from([R::ZERO]),
                SVector::<R, 1>::from([R::ZERO]),
            ],
        )
    }
}
