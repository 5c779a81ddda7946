//! Parts: the statements `part` and `given`, the names of quantities of parts, and the fields that are parts.

use super::cursor::Cursor;
use super::expression::Parser;
use super::item::{ends, is_helper, length, number_type, without_group};
use crate::report::{Mistake, Report};
use crate::syntax::{
    CoordinateArray, Expr, ExprKind, Indexing, PartField, StatementKind, is_joined, joined, joined_elements, plain,
    segments,
};
use proc_macro2::{Delimiter, Ident, TokenStream};

/// The form of a statement `part`.
const PART_FORM: &str = "part name: Type;";

/// The form of a statement `given`.
const GIVEN_FORM: &str = "given base[2];";

impl Parser {
    /// `name: path`, `name[length]: path`, or nothing in the block of a mechanism that may be a part.
    pub(super) fn part(&mut self, cursor: &mut Cursor) -> Option<StatementKind> {
        if cursor.is_empty() || cursor.at(";") {
            return Some(StatementKind::MayBePart);
        }
        let name = self.name("the name of a part", cursor)?;
        let mut length = None;
        if let Some(group) = cursor.eat_group(Delimiter::Bracket) {
            let mut lengths = self.list(&group)?;
            length = lengths.pop();
            if length.is_none() || !lengths.is_empty() {
                let why = "an array of parts has one length".to_owned();
                let found = format!("{} lengths", lengths.len() + usize::from(length.is_some()));
                let form = format!("part {}[5]: Type;", plain(&name));
                return self.fail(Mistake::Form { form, found, why }, cursor.last());
            }
        }
        let start = cursor.place();
        if !cursor.eat(":") {
            let why = "the type is the struct of a mechanism whose block has the statement `part;`".to_owned();
            return self.fail(Mistake::Form { form: PART_FORM.to_owned(), found: cursor.found(), why }, start);
        }
        let path = self.path(PART_FORM, cursor)?;
        Some(StatementKind::Part { name, length, path })
    }

    /// `base[2]: m, current`
    pub(super) fn given(&mut self, cursor: &mut Cursor) -> Option<StatementKind> {
        let mut quantities = Vec::new();
        loop {
            let name = self.name("a quantity that is given", cursor)?;
            let mut lengths = Vec::new();
            while let Some(group) = cursor.eat_group(Delimiter::Bracket) {
                lengths.extend(self.list(&group)?);
            }
            let unit = self.behind_colon(cursor)?;
            quantities.push(CoordinateArray { name, lengths, unit, range: None, is_virtual: false });
            if cursor.at("=") {
                let why = "the block that has the part says what the quantity is".to_owned();
                return self
                    .fail(Mistake::Form { form: GIVEN_FORM.to_owned(), found: cursor.found(), why }, cursor.place());
            }
            if !cursor.eat(",") || cursor.is_empty() || cursor.at(";") {
                return Some(StatementKind::Given(quantities));
            }
        }
    }

    /// The quantity `name` of the part that `base` is: `left.name`, `link[i].name`, `leg[i].left.name`. `None` if `base` is no part.
    pub(super) fn of_part(&mut self, base: &Expr, name: &Ident) -> Option<Expr> {
        let (part, indices) = base.named()?;
        if !self.parts.contains(&plain(part)) && !is_joined(part) {
            return None;
        }
        let of_before = segments(part).iter().filter(|(_, is_array)| *is_array).count();
        let joined = match indices.len() > of_before {
            true => joined_elements(part, name),
            false => joined(part, name),
        };
        let place = base.place.to(name.into());
        let quantity = Expr::new(ExprKind::Name(joined), place);
        if indices.is_empty() {
            return Some(quantity);
        }
        let indices = indices.into_iter().cloned().collect();
        self.build(ExprKind::Index { of: Box::new(quantity), indices }, place)
    }

    /// The rest of the name of a quantity that the block gives to a part: `.base` behind `left`, or behind `link[i in 0..5]`.
    pub(super) fn given_by_whole(
        &mut self,
        part: Ident,
        indices: Vec<Indexing>,
        cursor: &mut Cursor,
    ) -> Option<(Ident, Vec<Indexing>)> {
        let (mut name, mut all) = (part, indices);
        let mut is_array = !all.is_empty();
        while cursor.eat(".") {
            let next = self.name("a quantity of the part", cursor)?;
            name = if is_array { joined_elements(&name, &next) } else { joined(&name, &next) };
            let indices = self.indexing(&name, cursor)?;
            is_array = !indices.is_empty();
            all.extend(indices);
        }
        Some((name, all))
    }
}

/// A field that is a part.
pub(super) fn field(
    field: &mut syn::Field,
    position: usize,
    generics: &[Ident],
    report: &mut Report,
) -> Option<PartField> {
    let ident = field.ident.clone()?;
    let name = plain(&ident);
    if let Some(helper) = field.attrs.iter().find(|attribute| is_helper(attribute)) {
        report.add(Mistake::HelperOfPart { field: name }, ends(helper));
        return None;
    }
    let mut mistake = |found: &dyn quote::ToTokens| {
        let found = found.to_token_stream().to_string().replace(' ', "");
        report.add(Mistake::PartFieldType { field: name.clone(), found }, ends(&field.ty));
        None
    };
    let (of, size) = match without_group(&field.ty) {
        syn::Type::Array(array) => match length(&array.len) {
            Some(size) => (without_group(&array.elem), Some(size)),
            None => return mistake(&array.len),
        },
        other => (other, None),
    };
    let syn::Type::Path(syn::TypePath { qself: None, path, .. }) = of else { return mistake(of) };
    let last = path.segments.last()?;
    let number = match &last.arguments {
        syn::PathArguments::None => None,
        syn::PathArguments::AngleBracketed(arguments) => {
            let (1, Some(syn::GenericArgument::Type(argument))) = (arguments.args.len(), arguments.args.first()) else {
                return mistake(of);
            };
            match number_type(without_group(argument), generics) {
                Some(number) => Some(number),
                None => return mistake(of),
            }
        }
        syn::PathArguments::Parenthesized(_) => return mistake(of),
    };
    Some(PartField { ident, position, type_name: last.ident.clone(), number, length: size })
}

/// The last name of a path.
pub(crate) fn last_name(path: &TokenStream) -> Option<Ident> {
    let parsed = syn::parse::Parser::parse2(syn::Path::parse_mod_style, path.clone()).ok()?;
    parsed.segments.last().map(|segment| segment.ident.clone())
}
