//! The derivatives of the outputs.

use super::system::Writer;
use crate::program::{Part, Routine};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

impl Writer<'_, '_> {
    /// The outputs with their derivatives; nothing without outputs.
    pub(super) fn output_jacobian(&self) -> TokenStream {
        let Some(outputs) = &self.emission.evaluations.outputs else { return TokenStream::new() };
        let (arguments, n, u) = (self.arguments(), self.n, self.u);
        let routine = self.emission.evaluations.output_jacobian.as_ref();
        let count = routine.map(Self::count);
        let written =
            routine.map_or_else(|| quote!(rows.fill(OutputRow::undefined());), |routine| self.written_rows(routine));
        let others = self.rows_by_duals(outputs.outputs.len());
        quote! {
            #count
            fn output_jacobian(
                &self, #arguments, outputs: &[usize], rows: &mut [OutputRow<R, #n, #u>]
            ) {
                #written
                #others
            }
        }
    }

    /// The rows whose derivatives are written out.
    fn written_rows(&self, routine: &Routine) -> TokenStream {
        let (n, u, jacobian) = (self.n, self.u, &self.emission.equations.output_jacobian);
        let body = self.body(routine);
        let count = jacobian.written.len();
        let row_of = |part: Part, row: usize| -> Vec<TokenStream> {
            body.part(part).iter().skip(row).step_by(count).cloned().collect()
        };
        let mut biases = body.part(Part::Curvature).iter();
        let rows = jacobian.bias.iter().enumerate().map(|(row, bias)| {
            let [q, v, by_u] = [Part::ByQ, Part::ByV, Part::ByU].map(|part| self.vector(&row_of(part, row)));
            let [value, t, drift] = [Part::Output, Part::ByT, Part::Rate].map(|part| &body.part(part)[row]);
            let bias = match bias.and_then(|_| biases.next()) {
                Some(bias) => bias.clone(),
                None => quote!(emitted::undefined()),
            };
            quote!(OutputRow { value: #value, q: #q, v: #v, t: #t, u: #by_u, drift: #drift, bias: #bias })
        });
        let (statements, indices) = (&body.statements, indices(&jacobian.written));
        quote! {
            #statements
            let written: [OutputRow<R, #n, #u>; #count] = [#(#rows),*];
            emitted::write_rows(&#indices, &written, outputs, rows);
        }
    }

    /// The other rows by dual numbers; nothing where there is none.
    fn rows_by_duals(&self, count: usize) -> Option<TokenStream> {
        let jacobian = &self.emission.equations.output_jacobian;
        if jacobian.others.is_empty() {
            return None;
        }
        let others = indices(&jacobian.others);
        let biases = (!jacobian.other_positions.is_empty()).then(|| {
            let positions = indices(&jacobian.other_positions);
            quote! {
                let twice = self.lifted().lifted();
                emitted::output_biases::<_, #count, _, _>(
                    |t, q, v, u, out| Sensors::outputs(&twice, t, q, v, u, out), (t, q, v, u), &#positions, (outputs, rows),
                );
            }
        });
        Some(quote! {
            let lifted = self.lifted();
            emitted::output_rows::<_, #count, _, _>(
                |t, q, v, u, out| Sensors::outputs(&lifted, t, q, v, u, out), (t, q, v, u), &#others, (outputs, rows),
            );
            #biases
        })
    }
}

/// Indices as an array.
fn indices(all: &[usize]) -> TokenStream {
    let all = all.iter().map(|&index| Literal::usize_unsuffixed(index));
    quote!([#(#all),*])
}
