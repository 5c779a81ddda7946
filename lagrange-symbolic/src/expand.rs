//! The whole way: tokens → syntax → derivation → evaluations and texts → tokens.

use crate::assembly::{self, Exchange, Source};
use crate::derivation::{Derivation, bounded, derivation, max_operations, too_large};
use crate::emit::{default_runtime, emit, unfinished};
use crate::graph::function::{Function, Orders};
use crate::meaning::Model;
use crate::parse::{self, Role};
use crate::program::{Builder, Evaluations, Operation};
use crate::report::{Mistake, Report};
use crate::texts::Texts;
use proc_macro2::TokenStream;
use quote::quote;

/// The expansion of `#[lagrangian { block }] item`: the struct with its equations, or the struct with the messages.
///
/// A mechanism with parts expands to a call of the macro of its first part, and [`assemble`] goes on from there.
pub fn expand(block: TokenStream, item: TokenStream) -> TokenStream {
    let mut paths: Vec<TokenStream> = parse::part_paths(&block).into_iter().map(|(_, path)| path).collect();
    if !paths.is_empty()
        && let Ok(own) = syn::parse2::<syn::ItemStruct>(item.clone())
    {
        let is_own = |path: &TokenStream| parse::last_name(path).is_some_and(|name| name == own.ident);
        // The macro of a struct that is a part of itself does not exist yet.
        if paths.iter().any(is_own) {
            paths.clear();
        }
        let runtime = parse::runtime_path(&block).unwrap_or_else(default_runtime);
        let are_parts = assembly::are_parts(&block, &own, &runtime);
        let rest = go_on(Exchange::new(block, item, paths));
        return quote!(#are_parts #rest);
    }
    go_on(Exchange::new(block, item, paths))
}

/// The next step in the expansion of a mechanism with parts. The tokens are those that the macro of a part passes on.
pub fn assemble(tokens: TokenStream) -> TokenStream {
    Exchange::read(tokens).map(go_on).unwrap_or_default()
}

fn go_on(exchange: Exchange) -> TokenStream {
    let runtime = parse::runtime_path(exchange.block()).unwrap_or_else(default_runtime);
    exchange.next(&runtime).map_or_else(|call| call, |source| whole(&source, &runtime))
}

/// The expansion of a mechanism whose parts are all there.
fn whole(source: &Source, runtime: &TokenStream) -> TokenStream {
    let Source { block, item, .. } = source;
    let role = parse::role(block);
    let expansion = if role == Role::Open { open(source) } else { finished(source, role) };
    let part = |has_mistakes: bool| match role {
        Role::Whole => TokenStream::new(),
        Role::Part | Role::Open => assembly::left_behind(source, has_mistakes, runtime),
    };
    match expansion {
        Ok(expansion) => {
            let part = part(false);
            quote!(#expansion #part)
        }
        Err(report) => {
            let part = part(true);
            let (coordinates, inputs) = (parse::coordinate_names(block), parse::input_count(item));
            let constraints = parse::constraint_count(block);
            let item = parse::without_helpers(item.clone());
            let unfinished = unfinished(&item, &coordinates, constraints, inputs, &report, runtime);
            quote!(#unfinished #part)
        }
    }
}

/// The expansion of a block without mistakes, behind its warnings.
fn finished(source: &Source, role: Role) -> Result<TokenStream, Report> {
    let spec = assembly::spec(source)?;
    if role == Role::Part {
        assembly::check_alone(spec.clone())?;
    }
    let mut derivation = derivation(&spec)?;
    let evaluations = evaluations(&mut derivation)?;
    let texts = Texts::of(&spec, &mut derivation, &evaluations, source);
    let expansion = emit(&derivation, &evaluations, &texts);
    let warnings = &derivation.model.warnings;
    Ok(quote!(#warnings #expansion))
}

/// The expansion of a part that is no mechanism alone: the struct.
fn open(source: &Source) -> Result<TokenStream, Report> {
    assembly::check_alone(assembly::spec(source)?)?;
    Ok(parse::without_helpers(source.item.clone()))
}

/// What the emitted code evaluates.
///
/// # Errors
/// An evaluation with more operations than allowed. Derivatives of the user's own functions that the block does not state.
pub(crate) fn evaluations(derivation: &mut Derivation) -> Result<Evaluations, Report> {
    let evaluations = Evaluations::new(&mut derivation.model.graph, &derivation.equations);
    within_limit(&derivation.model, &evaluations)?;
    underivable(&derivation.model, &evaluations)?;
    warn_of_density(derivation, &evaluations);
    Ok(evaluations)
}

/// Fails where an evaluation has more operations than allowed.
fn within_limit(model: &Model, evaluations: &Evaluations) -> Result<(), Report> {
    bounded(model)?;
    let longest = evaluations.counts().into_iter().max_by_key(|(_, count)| count.total());
    match longest {
        Some((name, count)) if count.total() as usize > max_operations(model) => {
            Err(too_large(model, format!("`{name}`")))
        }
        _ => Ok(()),
    }
}

/// The number of operations of an evaluation above which densely coupled velocities cause a warning.
const MANY_OPERATIONS: u32 = 8_000;

/// The coupling is dense if each velocity, of a coordinate or an intermediate one, is coupled with more than this number of others on
/// average.
const MANY_NEIGHBOURS: usize = 8;

/// Warns of long evaluations that come from a dense coupling of the velocities.
fn warn_of_density(derivation: &mut Derivation, evaluations: &Evaluations) {
    let Derivation { model, equations, .. } = derivation;
    let coordinates = model.coordinates.len();
    let operations = evaluations.counts().into_iter().map(|(_, count)| count.total()).max().unwrap_or(0);
    let (velocities, coupled) = match &equations.sparse_mass {
        Some(sparse) => {
            let terms = sparse.definitions.iter().map(Vec::len).sum::<usize>();
            (coordinates + sparse.definitions.len(), sparse.hessian.len() + terms)
        }
        None => {
            let entries = equations.mass.iter().flatten().filter(|entry| !model.graph.is_zero(**entry));
            (coordinates, entries.count() / 2)
        }
    };
    if operations >= MANY_OPERATIONS && coupled > MANY_NEIGHBOURS * velocities {
        let each = operations / coordinates.max(1) as u32;
        let mistake = Mistake::DenseMass { coordinates, operations, each };
        model.warnings.add(mistake, &model.item.ident);
    }
}

/// Fails where the equations need derivatives of the user's own functions that the block does not state.
fn underivable(model: &Model, evaluations: &Evaluations) -> Result<(), Report> {
    let mut missing = Vec::new();
    let programs = evaluations.implicits.iter().map(|program| &program.builder);
    for operation in programs.chain([&evaluations.builder]).flat_map(Builder::operations) {
        let Operation::Call(Function::Extern { index, orders }, _) = operation else { continue };
        let function = &model.externs[*index as usize];
        let is_given = *orders == Orders::NONE || function.derivatives.iter().any(|(given, _)| given == orders);
        if !is_given && !missing.contains(&(*index, *orders)) {
            missing.push((*index, *orders));
        }
    }
    missing.sort_unstable();
    let mut report = Report::new();
    for (index, orders) in missing {
        let function = &model.externs[index as usize];
        let by: Vec<&str> = orders.arguments().map(|argument| function.arguments[argument].as_str()).collect();
        let mistake = Mistake::MissingDerivative { name: function.name.clone(), by: by.join(", ") };
        report.add(mistake, &function.ident);
    }
    report.propagate(())
}
