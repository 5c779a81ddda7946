//! Compiles `sundials.c`, where SUNDIALS is installed.

use std::path::PathBuf;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(sundials)");
    println!("cargo::rerun-if-env-changed=SUNDIALS_PREFIX");
    println!("cargo::rerun-if-changed=sundials.c");
    let prefix = PathBuf::from(std::env::var_os("SUNDIALS_PREFIX").unwrap_or_else(|| "/usr".into()));
    if !prefix.join("include/cvode/cvode.h").exists() {
        return;
    }
    cc::Build::new()
        .file("sundials.c")
        .include(prefix.join("include"))
        .opt_level(3)
        .flag("-march=native")
        .flag("-Wno-unused-parameter")
        .compile("lagrange_sundials");
    for folder in ["lib/x86_64-linux-gnu", "lib"].map(|folder| prefix.join(folder)) {
        if folder.exists() {
            println!("cargo::rustc-link-search=native={}", folder.display());
        }
    }
    for library in ["cvode", "ida", "nvecserial", "sunmatrixdense", "sunlinsoldense"] {
        println!("cargo::rustc-link-lib=dylib=sundials_{library}");
    }
    println!("cargo::rustc-cfg=sundials");
}
