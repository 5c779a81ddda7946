impl<R: Scalar> Prepared<R> {
    ///Operations: 1 multiplication, 1 sine/cosine pair.
    fn residual_jacobian(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 0usize>,
        x: &SVector<R, 1usize>,
    ) -> emitted::ResidualJacobian<R, 1usize, 0usize> {
        let q_theta = q[0];
        let cos_theta = q_theta.cos();
        emitted::ResidualJacobian {
            q: SMatrix::<
                R,
                1usize,
                1usize,
            >::from([[(self.k4 * cos_theta)]] as [[R; 1usize]; 1usize]),
            v: SMatrix::<R, 1usize, 1usize>::from([[R::ZERO]] as [[R; 1usize]; 1usize]),
            t: SVector::<R, 1usize>::from([R::ZERO]),
            u: SMatrix::<R, 1usize, 0usize>::from([] as [[R; 1usize]; 0usize]),
        }
    }
    ///Operations: 2 additions, 5 multiplications, 1 sine/cosine pair.
    fn residual_parameters(
        &self,
        t: R,
        q: &SVector<R, 1usize>,
        v: &SVector<R, 1usize>,
        u: &SVector<R, 0usize>,
        x: &SVector<R, 1usize>,
    ) -> [SVector<R, 1usize>; 3usize] {
        let q_theta = q[0];
        let sin_theta = q_theta.sin();
        let x_theta = x[0];
        [
            SVector::<R, 1usize>::from([self.k1.mul_add(x_theta, sin_theta * self.k9)]),
            SVector::<
                R,
                1usize,
            >::from([x_theta.mul_add(self.k11, sin_theta * self.k10)]),
            SVector::<R, 1usize>::from([(self.k3 * sin_theta)]),
        ]
    }
}
