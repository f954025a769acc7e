//! The attribute `kernel`: a kernel that names its signals as the model does, turned into one of RustHDL.

mod condition;
pub(crate) mod piece;
mod statement;
mod value;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::{Error, Expr, FnArg, Ident, ImplItem, ItemImpl, Pat, Result};

use statement::statements;

/// What the statements of a kernel are written with.
struct Kernel {
    /// The `self` of the kernel's signature: names that a macro makes are seen only beside their own `self`.
    this: Ident,
    /// The variables of the loops around a statement.
    loops: Vec<Ident>,
    /// The parameters that decide at elaboration.
    decisions: BTreeSet<Ident>,
    /// The lists of parameters of which one does.
    listed_decisions: BTreeSet<Ident>,
}

/// `#[kernel] impl Logic for X { fn update(&mut self) { .. } }` as RustHDL has it.
pub(crate) fn expand(input: ItemImpl) -> Result<TokenStream> {
    let ItemImpl { attrs, generics, trait_, self_ty, items, .. } = &input;
    let (Some((_, logic, _)), [ImplItem::Fn(update)]) = (trait_, items.as_slice()) else {
        return Err(Error::new(
            input.span(),
            "expected `impl Logic for` a block, with nothing but `fn update(&mut self)`",
        ));
    };
    let receiver = match update.sig.inputs.first() {
        Some(FnArg::Receiver(receiver)) if update.sig.inputs.len() == 1 => receiver,
        _ => return Err(Error::new(update.sig.span(), "expected `fn update(&mut self)`")),
    };
    if let Some(expanded) = piece::expanded_first(&input, &update.block) {
        return Ok(expanded);
    }
    let this = Ident::new("self", receiver.self_token.span);
    let mut kernel = Kernel {
        this,
        loops: Vec::new(),
        decisions: BTreeSet::new(),
        listed_decisions: BTreeSet::new(),
    };
    let body = statements(&mut kernel, &update.block)?;
    let (signature, update_attributes) = (&update.sig, &update.attrs);
    let this = &kernel.this;
    let translated = quote_spanned!(this.span()=> #[hdl_gen]);
    let of_block = |name: &Ident| quote_spanned!(name.span()=> &#this.#name);
    let decisions = kernel.decisions.iter().map(of_block);
    let listed = kernel.listed_decisions.iter().map(of_block);
    let (parameters, _, bounds) = generics.split_for_impl();
    Ok(quote! {
        #(#attrs)*
        impl #parameters #logic for #self_ty #bounds {
            #(#update_attributes)*
            #translated
            #signature { #body }
        }
        const _: () = {
            impl #parameters #self_ty #bounds {
                /// `when` takes parameters, which the elaborator knows, and no signals.
                #[allow(dead_code)]
                fn decided_at_elaboration(&#this) {
                    let _: &[&Param] = &[#(#decisions),*];
                    let _: &[&Vec<Param>] = &[#(#listed),*];
                }
            }
        };
    })
}

impl Kernel {
    /// Whether `name` is the variable of a loop.
    fn is_loop_variable(&self, name: &Ident) -> bool {
        self.loops.contains(name)
    }

    /// Notes the parameter, or the list of parameters, that an expression names; false if it names none.
    fn decides_by(&mut self, expression: &Expr) -> bool {
        let (name, names) = match expression {
            Expr::Index(index) => (single_name(&index.expr), &mut self.listed_decisions),
            _ => (single_name(expression), &mut self.decisions),
        };
        let Some(name) = name else { return false };
        if !self.loops.contains(name) {
            names.insert(name.clone());
        }
        true
    }
}

/// The variable of `for variable in ..`.
fn loop_variable(pattern: &Pat) -> Result<Ident> {
    match pattern {
        Pat::Ident(name) if name.subpat.is_none() => Ok(name.ident.clone()),
        other => Err(Error::new(other.span(), "expected the name of the loop's variable")),
    }
}

/// The name that an expression is, if it is one.
fn single_name(expression: &Expr) -> Option<&Ident> {
    match expression {
        Expr::Path(path) if path.qself.is_none() && path.attrs.is_empty() => path.path.get_ident(),
        _ => None,
    }
}
