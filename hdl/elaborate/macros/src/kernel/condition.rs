//! Conditions of a kernel: of hardware, where a word stands for "any bit is set", and of the elaborator, in `when`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{BinOp, Error, Expr, Result, UnOp};

use super::value::{place, value};
use super::{Kernel, single_name};

/// Methods whose result is true or false.
const TRUE_OR_FALSE: [&str; 4] = ["any", "all", "xor", "get_bit"];

/// The condition of an `if`: `when(..)`, or one of hardware.
pub(super) fn decision(kernel: &mut Kernel, expression: &Expr) -> Result<TokenStream> {
    match when(expression) {
        Some(decided) => elaborated(kernel, decided?),
        None => condition(kernel, expression),
    }
}

/// A condition of hardware.
pub(super) fn condition(kernel: &mut Kernel, expression: &Expr) -> Result<TokenStream> {
    if let Some(decided) = when(expression) {
        decided?;
        return Err(Error::new(
            expression.span(),
            "`when` is the whole condition of an `if`: what it leaves out is not in the hardware",
        ));
    }
    match expression {
        Expr::Paren(inner) if is_condition(&inner.expr) => {
            let inner = condition(kernel, &inner.expr)?;
            Ok(quote!((#inner)))
        }
        Expr::Paren(inner) => condition(kernel, &inner.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
            let inner = condition(kernel, &unary.expr)?;
            Ok(quote!(!#inner))
        }
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => {
            let left = condition(kernel, &binary.left)?;
            let right = condition(kernel, &binary.right)?;
            let operator = &binary.op;
            Ok(quote!(#left #operator #right))
        }
        Expr::Binary(_) if !is_condition(expression) => {
            let word = value(kernel, expression, None)?;
            Ok(quote_spanned!(expression.span()=> (#word).any()))
        }
        other if is_condition(other) => value(kernel, other, None),
        other => {
            let word = value(kernel, other, None)?;
            Ok(quote_spanned!(other.span()=> #word.any()))
        }
    }
}

/// Whether an expression is true or false by its form, rather than a word.
pub(super) fn is_condition(expression: &Expr) -> bool {
    match expression {
        Expr::Paren(inner) => is_condition(&inner.expr),
        Expr::Unary(unary) => is_condition(&unary.expr),
        Expr::Binary(binary) => {
            is_comparison(&binary.op)
                || matches!(binary.op, BinOp::And(_) | BinOp::Or(_))
                || (is_condition(&binary.left) && is_condition(&binary.right))
        }
        Expr::MethodCall(call) => TRUE_OR_FALSE.iter().any(|name| call.method == name),
        _ => false,
    }
}

fn is_comparison(operator: &BinOp) -> bool {
    matches!(
        operator,
        BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)
    )
}

/// What is in `when(..)`.
fn when(expression: &Expr) -> Option<Result<&Expr>> {
    match expression {
        Expr::Call(call) if single_name(&call.func).is_some_and(|name| name == "when") => {
            match (call.args.first(), call.args.len()) {
                (Some(decided), 1) => Some(Ok(decided)),
                _ => Some(Err(Error::new(call.span(), "expected one condition in `when`"))),
            }
        }
        _ => None,
    }
}

/// A condition on parameters: an option that is on, `!` one that is off, or a comparison.
fn elaborated(kernel: &mut Kernel, expression: &Expr) -> Result<TokenStream> {
    let mut option = |expression: &Expr, wanted: usize| {
        if !kernel.decides_by(expression) {
            return Err(Error::new(expression.span(), "expected a parameter of the block"));
        }
        let place = place(kernel, expression)?;
        let wanted = proc_macro2::Literal::usize_unsuffixed(wanted);
        Ok(quote_spanned!(expression.span()=> #place.val() == #wanted))
    };
    match expression {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => option(&unary.expr, 0),
        Expr::Binary(binary) if is_comparison(&binary.op) => {
            kernel.decides_by(&binary.left);
            kernel.decides_by(&binary.right);
            value(kernel, expression, None)
        }
        other => option(other, 1),
    }
}
