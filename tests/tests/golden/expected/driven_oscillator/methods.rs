impl<R: Scalar> Prepared<R> {
    ///Operations: 2 multiplications, 1 sine/cosine pair.
    fn residual_jacobian(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 1usize>,
        x: &SVector<R, 1usize>,
    ) -> emitted::ResidualJacobian<R, 1usize, 1usize> {
        let cos_1 = (self.p_w * t).cos();
        emitted::ResidualJacobian {
            q: SMatrix::<R, 1usize, 1usize>::from([[self.p_k]] as [[R; 1usize]; 1usize]),
            v: SMatrix::<R, 1usize, 1usize>::from([[self.p_c]] as [[R; 1usize]; 1usize]),
            t: SVector::<R, 1usize>::from([(cos_1 * self.k9)]),
            u: SMatrix::<
                R,
                1usize,
                1usize,
            >::from([[R::from_f64(-1.0)]] as [[R; 1usize]; 1usize]),
        }
    }
    ///Operations: 1 addition, 5 multiplications, 1 sine/cosine pair.
    fn residual_parameters(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 1usize>,
        x: &SVector<R, 1usize>,
    ) -> [SVector<R, 1usize>; 5usize] {
        let (sin_1, cos_1) = (self.p_w * t).sin_cos();
        let q_x = q[0];
        let v_x = v[0];
        let x_x = x[0];
        [
            SVector::<R, 1usize>::from([x_x]),
            SVector::<R, 1usize>::from([sin_1.mul_add(self.k1, q_x)]),
            SVector::<R, 1usize>::from([v_x]),
            SVector::<R, 1usize>::from([(sin_1 * self.k2)]),
            SVector::<R, 1usize>::from([(t * cos_1 * self.k11)]),
        ]
    }
}
