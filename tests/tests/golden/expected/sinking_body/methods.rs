impl<R: Scalar> Prepared<R> {
    ///Operations: 1 addition, 1 multiplication, 1 division, 1 other function, 1 selection.
    fn residual_jacobian(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 0usize>,
        x: &SVector<R, 1usize>,
    ) -> emitted::ResidualJacobian<R, 1usize, 0usize> {
        let v_x = v[0];
        let ([x1_0], x1_1) = solution_1(&[self.p_c, (-v_x).mul_add(self.p_k, self.k1)]);
        let x2 = x1_0.abs();
        emitted::ResidualJacobian {
            q: SMatrix::<R, 1usize, 1usize>::from([[R::ZERO]] as [[R; 1usize]; 1usize]),
            v: SMatrix::<
                R,
                1usize,
                1usize,
            >::from([[self.k2 / x2]] as [[R; 1usize]; 1usize]),
            t: SVector::<R, 1usize>::from([R::ZERO]),
            u: SMatrix::<R, 1usize, 0usize>::from([] as [[R; 1usize]; 0usize]),
        }
    }
    ///Operations: 1 addition, 5 multiplications, 1 division, 1 other function, 1 selection.
    fn residual_parameters(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 0usize>,
        x: &SVector<R, 1usize>,
    ) -> [SVector<R, 1usize>; 3usize] {
        let v_x = v[0];
        let ([x1_0], x1_1) = solution_1(&[self.p_c, (-v_x).mul_add(self.p_k, self.k1)]);
        let x2 = x1_0.abs().recip();
        [
            SVector::<R, 1usize>::from([(x2 * self.k4)]),
            SVector::<R, 1usize>::from([(self.k4 * (v_x * x2))]),
            SVector::<R, 1usize>::from([(x1_0 * self.k4)]),
        ]
    }
}
