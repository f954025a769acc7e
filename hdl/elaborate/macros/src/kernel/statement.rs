//! Statements of a kernel: assignments, connections, conditions and loops.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Block, Error, Expr, ExprAssign, ExprCall, ExprForLoop, ExprIf, ExprRange, ExprStruct, Lit,
    RangeLimits, Result, Stmt,
};

use super::condition::{condition, decision, is_condition};
use super::value::{place, value};
use super::{Kernel, loop_variable, single_name};

/// The statements of a block.
pub(super) fn statements(kernel: &mut Kernel, block: &Block) -> Result<TokenStream> {
    block.stmts.iter().map(|each| statement(kernel, each)).collect()
}

fn statement(kernel: &mut Kernel, statement: &Stmt) -> Result<TokenStream> {
    let Stmt::Expr(expression, _) = statement else {
        return Err(Error::new(
            statement.span(),
            "a kernel has assignments, `if`, `for` and `join`, and nothing else",
        ));
    };
    match expression {
        Expr::Assign(assignment) => assign(kernel, assignment),
        Expr::If(branch) => branches(kernel, branch),
        Expr::ForLoop(turns) => turn(kernel, turns),
        Expr::Call(call) => join(kernel, call),
        other => Err(Error::new(
            other.span(),
            "a kernel has assignments, `if`, `for` and `join`, and nothing else",
        )),
    }
}

fn assign(kernel: &mut Kernel, assignment: &ExprAssign) -> Result<TokenStream> {
    if let Expr::Struct(fields) = assignment.right.as_ref() {
        return assign_fields(kernel, &assignment.left, fields);
    }
    let target = place(kernel, &assignment.left)?;
    assign_to(kernel, &target, &assignment.right)
}

/// `block = Block { input: value, other }`: the named inputs of a sub-block, or fields of a word, one after the other.
fn assign_fields(kernel: &mut Kernel, to: &Expr, fields: &ExprStruct) -> Result<TokenStream> {
    if let Some(rest) = &fields.rest {
        return Err(Error::new(rest.span(), "what is not named is not assigned; write no `..`"));
    }
    let base = place(kernel, to)?;
    fields
        .fields
        .iter()
        .map(|field| {
            let member = &field.member;
            let target = quote_spanned!(member.span()=> #base.#member);
            assign_to(kernel, &target, &field.expr)
        })
        .collect()
}

fn assign_to(kernel: &mut Kernel, target: &TokenStream, assigned: &Expr) -> Result<TokenStream> {
    let assigned = match assigned {
        Expr::Lit(literal) if matches!(literal.lit, Lit::Int(_) | Lit::Bool(_)) => {
            quote!(#literal.into())
        }
        name if single_name(name).is_some_and(|name| kernel.is_loop_variable(name)) => {
            quote!(#name.into())
        }
        truth if is_condition(truth) => {
            let truth = condition(kernel, truth)?;
            quote!(bits_to(#truth, 1))
        }
        word => value(kernel, word, Some(target))?,
    };
    Ok(quote!(#target.next = #assigned;))
}

fn branches(kernel: &mut Kernel, branch: &ExprIf) -> Result<TokenStream> {
    let condition = decision(kernel, &branch.cond)?;
    let then = statements(kernel, &branch.then_branch)?;
    let otherwise = match &branch.else_branch {
        None => quote!(),
        Some((_, otherwise)) => match otherwise.as_ref() {
            Expr::If(branch) => {
                let branch = branches(kernel, branch)?;
                quote!(else #branch)
            }
            Expr::Block(block) => {
                let block = statements(kernel, &block.block)?;
                quote!(else { #block })
            }
            other => return Err(Error::new(other.span(), "expected a block or an `if`")),
        },
    };
    Ok(quote!(if #condition { #then } #otherwise))
}

fn turn(kernel: &mut Kernel, turns: &ExprForLoop) -> Result<TokenStream> {
    let Expr::Range(range) = turns.expr.as_ref() else {
        return Err(Error::new(turns.expr.span(), "expected a range, `first..end`"));
    };
    let ExprRange { start: Some(start), limits: RangeLimits::HalfOpen(_), end: Some(end), .. } =
        range
    else {
        return Err(Error::new(
            range.span(),
            "expected `first..end`; RustHDL loses the last turn of a `..=` loop",
        ));
    };
    let (start, end) = (value(kernel, start, None)?, value(kernel, end, None)?);
    let variable = loop_variable(&turns.pat)?;
    kernel.loops.push(variable.clone());
    let body = statements(kernel, &turns.body);
    kernel.loops.pop();
    let body = body?;
    Ok(quote!(for #variable in #start..#end { #body }))
}

/// `join(one, other)` connects two bundles whole.
fn join(kernel: &mut Kernel, call: &ExprCall) -> Result<TokenStream> {
    let (true, Some(one), Some(other), 2) = (
        single_name(&call.func).is_some_and(|name| name == "join"),
        call.args.first(),
        call.args.get(1),
        call.args.len(),
    ) else {
        return Err(Error::new(call.span(), "expected `join(bundle, bundle)`"));
    };
    let (one, other) = (place(kernel, one)?, place(kernel, other)?);
    Ok(quote!(connect::join(&mut #one, &mut #other);))
}
