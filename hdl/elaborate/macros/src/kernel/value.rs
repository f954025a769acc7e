//! Expressions of a kernel that are values: words of bits, and the places that they are read from.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{BinOp, Error, Expr, ExprCall, ExprMethodCall, Lit, Result, UnOp};

use super::condition::{condition, is_condition};
use super::{Kernel, single_name};

/// Methods of a signal itself, rather than of its value.
const OF_PLACES: [&str; 3] = ["width", "len", "number"];

/// A signal, a field or one of a list, without `.val()`.
pub(super) fn place(kernel: &mut Kernel, expression: &Expr) -> Result<TokenStream> {
    match expression {
        Expr::Path(_) => match single_name(expression) {
            Some(name) if name == "self" => {
                Err(Error::new(name.span(), "a kernel names its signals without `self`"))
            }
            Some(name) => {
                let this = &kernel.this;
                Ok(quote_spanned!(name.span()=> #this.#name))
            }
            None => Err(Error::new(expression.span(), "expected the name of a signal")),
        },
        Expr::Field(field) => {
            let (base, member) = (place(kernel, &field.base)?, &field.member);
            Ok(quote!(#base.#member))
        }
        Expr::Index(index) => {
            let (base, at) = (place(kernel, &index.expr)?, number(kernel, &index.index)?);
            Ok(quote!(#base[#at]))
        }
        other => Err(Error::new(other.span(), "expected a signal, a field, or one of a list")),
    }
}

/// A value; `resized` without a width takes that of `target`, the signal that is assigned.
pub(super) fn value(
    kernel: &mut Kernel,
    expression: &Expr,
    target: Option<&TokenStream>,
) -> Result<TokenStream> {
    match expression {
        Expr::Lit(literal) => Ok(quote!(#literal)),
        Expr::Path(path) if path.path.segments.len() > 1 => Ok(quote!(#path)),
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => match single_name(expression) {
            Some(name) if kernel.is_loop_variable(name) => Ok(quote!(#name)),
            _ => {
                let place = place(kernel, expression)?;
                Ok(quote_spanned!(expression.span()=> #place.val()))
            }
        },
        Expr::Paren(inner) => {
            let inner = value(kernel, &inner.expr, target)?;
            Ok(quote!((#inner)))
        }
        Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
            let inner = value(kernel, &unary.expr, target)?;
            Ok(quote!(!#inner))
        }
        Expr::Binary(binary) if !is_assignment(&binary.op) => {
            let left = value(kernel, &binary.left, target)?;
            let right = value(kernel, &binary.right, target)?;
            let operator = &binary.op;
            Ok(quote!(#left #operator #right))
        }
        Expr::MethodCall(call) => method(kernel, call, target),
        Expr::Call(call) => function(kernel, call, target),
        other => Err(Error::new(other.span(), "this is no expression of a kernel")),
    }
}

/// A value that is decided by the elaborator: a number, the variable of a loop, a width.
fn number(kernel: &mut Kernel, expression: &Expr) -> Result<TokenStream> {
    value(kernel, expression, None)
}

fn method(
    kernel: &mut Kernel,
    call: &ExprMethodCall,
    target: Option<&TokenStream>,
) -> Result<TokenStream> {
    let name = &call.method;
    if OF_PLACES.iter().any(|of_places| name == of_places) {
        let place = place(kernel, &call.receiver)?;
        return Ok(quote!(#place.#name()));
    }
    let receiver = value(kernel, &call.receiver, target)?;
    let arguments = call
        .args
        .iter()
        .map(|argument| match argument {
            Expr::Lit(literal) if matches!(literal.lit, Lit::Bool(_)) => Ok(quote!(#literal)),
            argument if is_condition(argument) => condition(kernel, argument),
            argument => value(kernel, argument, target),
        })
        .collect::<Result<Vec<_>>>()?;
    Ok(quote!(#receiver.#name(#(#arguments),*)))
}

/// `bit`, `resized` and `fitted`, and functions of the kernel's own file.
fn function(
    kernel: &mut Kernel,
    call: &ExprCall,
    target: Option<&TokenStream>,
) -> Result<TokenStream> {
    let function = &call.func;
    let arguments: Vec<&Expr> = call.args.iter().collect();
    let name = single_name(function).map(ToString::to_string).unwrap_or_default();
    match (name.as_str(), arguments.as_slice()) {
        ("bit", [argument]) => {
            let argument = condition(kernel, argument)?;
            Ok(quote_spanned!(function.span()=> bits_to(#argument, 1)))
        }
        ("resized", [argument]) => {
            let Some(target) = target else {
                return Err(Error::new(call.span(), "say the width: nothing is assigned here"));
            };
            if names_one_of(target, &kernel.loops) {
                return Err(Error::new(
                    call.span(),
                    "say the width, or write `fitted`: RustHDL takes the width outside the loop",
                ));
            }
            let argument = value(kernel, argument, Some(target))?;
            Ok(quote_spanned!(function.span()=> bits_to(#argument, #target.width())))
        }
        ("resized", [argument, width]) => {
            let argument = value(kernel, argument, target)?;
            let width = number(kernel, width)?;
            Ok(quote_spanned!(function.span()=> bits_to(#argument, #width)))
        }
        ("fitted", [argument]) => {
            let argument = value(kernel, argument, target)?;
            Ok(quote_spanned!(function.span()=> unsigned_cast_to_fit(#argument)))
        }
        _ => Err(Error::new(
            function.span(),
            "a kernel calls `bit(condition)`, `resized(value)`, `resized(value, width)` and `fitted(value)`",
        )),
    }
}

/// Whether a place is chosen by the variable of a loop.
fn names_one_of(place: &TokenStream, loops: &[Ident]) -> bool {
    place.clone().into_iter().any(|token| match token {
        TokenTree::Ident(name) => loops.contains(&name),
        TokenTree::Group(group) => names_one_of(&group.stream(), loops),
        _ => false,
    })
}

/// Whether an operator assigns.
fn is_assignment(operator: &BinOp) -> bool {
    matches!(
        operator,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}
