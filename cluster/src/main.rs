//! `lagrange-cluster`: sweeps of the mechanisms of the program `lagrange`, shared by the processes that `mpirun` or `srun` starts.

fn main() -> std::process::ExitCode {
    lagrange_cluster::run(&lagrange_catalogue::CATALOG)
}
