//! What the catalog's mechanisms claim to be constant, as the compiler judges it.

use lagrange_symbolic::{Conserved, derivation, parse};
use quote::ToTokens;
use std::path::Path;

/// Every `invariant` of the mechanisms in `models/src`, a vector's components each: the struct's name, its own, and what is
/// known of it.
fn claims() -> Vec<(String, String, Conserved)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/src");
    let mut files: Vec<_> =
        folder.read_dir().expect("the models are there").map(|entry| entry.expect("it can be read").path()).collect();
    files.sort();
    let mut found = Vec::new();
    for path in files.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs")) {
        let text = std::fs::read_to_string(&path).expect("sources are text");
        for item in syn::parse_file(&text).expect("sources are Rust").items {
            let syn::Item::Struct(mut item) = item else { continue };
            let Some(at) = item.attrs.iter().position(|attribute| attribute.path().is_ident("lagrangian")) else {
                continue;
            };
            let block = item.attrs.remove(at).meta.require_list().expect("the attribute has a block").tokens.clone();
            let name = item.ident.to_string();
            let derived = parse::parse(block, item.to_token_stream()).and_then(|spec| derivation(&spec));
            let Ok(derived) = derived else { panic!("{name} is not derived") };
            for (claim, known) in derived.invariants {
                let scalar = claim.split('[').next().unwrap_or(&claim).to_owned();
                found.push((name.clone(), scalar, known));
            }
        }
    }
    found
}

#[test]
fn every_claim_is_proved_but_for_one_that_is_beyond_the_normal_form() {
    let claims = claims();
    for (model, name) in [
        ("LcPlate", "total"),
        ("TriplePendulum", "total"),
        ("TriplePendulumCartesian", "total"),
        ("CoupledCircuits", "in_phase"),
        ("CoupledCircuits", "in_opposition"),
        ("ChargeInFields", "total"),
        ("ChargeInFields", "guiding_centre"),
        ("HenonHeiles", "total"),
        ("Kepler", "spin"),
        ("HeavyTop", "vertical"),
        ("SphericalPendulumCartesian", "spin"),
        ("OuterSolarSystem", "total"),
        ("OuterSolarSystem", "drift"),
        ("OuterSolarSystem", "spin"),
    ] {
        assert!(claims.contains(&(model.to_owned(), name.to_owned(), Conserved::Proved)), "{model}: {name}");
    }
    let mut checked: Vec<String> = claims
        .iter()
        .filter(|(_, _, known)| *known != Conserved::Proved)
        .map(|(model, name, _)| format!("{model}: {name}"))
        .collect();
    checked.dedup();
    assert_eq!(checked, ["Kepler: axis"]);
}
