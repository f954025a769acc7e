//! Pieces: statements with a name that are put into the kernels of several blocks.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Attribute, Block, Error, Expr, ExprIf, ImplItem, ItemFn, ItemImpl, Path, Result, Stmt};

/// The macro that puts the statements of a function into a kernel in place of its call.
pub(crate) fn define(piece: ItemFn) -> Result<TokenStream> {
    if !piece.sig.inputs.is_empty() || piece.sig.receiver().is_some() {
        return Err(Error::new(piece.sig.inputs.span(), "a piece names signals of its kernels"));
    }
    let ItemFn { attrs, vis, sig, block } = &piece;
    let (name, documents) = (&sig.ident, attrs.iter().filter(|each| is_document(each)));
    Ok(quote! {
        #(#documents)*
        macro_rules! #name {
            ($($kernel:tt)*) => { ::tracewright_elaborate::with_piece! { #block $($kernel)* } };
        }
        #vis use #name;
    })
}

fn is_document(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc")
}

/// The statements of a piece, and a kernel that has them in place of its first call of a piece.
pub(crate) struct WithPiece {
    statements: Block,
    kernel: ItemImpl,
}

impl Parse for WithPiece {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self { statements: input.parse()?, kernel: input.parse()? })
    }
}

impl WithPiece {
    pub(crate) fn expand(self) -> Result<TokenStream> {
        let Self { statements, mut kernel } = self;
        if let [ImplItem::Fn(update)] = kernel.items.as_mut_slice() {
            replace(&mut update.block, &mut Some(statements.stmts));
        }
        super::expand(kernel)
    }
}

/// Hands the kernel to the first piece that it calls.
pub(super) fn expanded_first(kernel: &ItemImpl, body: &Block) -> Option<TokenStream> {
    let piece = first(body)?;
    Some(quote!(#piece! { #kernel }))
}

/// The first piece that statements call, at any depth.
fn first(block: &Block) -> Option<&Path> {
    block.stmts.iter().find_map(|statement| match statement {
        Stmt::Macro(call) => Some(&call.mac.path),
        Stmt::Expr(Expr::If(branch), _) => first_in_branches(branch),
        Stmt::Expr(Expr::ForLoop(turns), _) => first(&turns.body),
        _ => None,
    })
}

fn first_in_branches(branch: &ExprIf) -> Option<&Path> {
    first(&branch.then_branch).or_else(|| match branch.else_branch.as_ref()?.1.as_ref() {
        Expr::If(branch) => first_in_branches(branch),
        Expr::Block(block) => first(&block.block),
        _ => None,
    })
}

/// Puts statements in place of the first call of a piece; takes them if there is one.
fn replace(block: &mut Block, statements: &mut Option<Vec<Stmt>>) {
    for at in 0..block.stmts.len() {
        match &mut block.stmts[at] {
            Stmt::Macro(_) => {
                block.stmts.splice(at..=at, statements.take().unwrap_or_default());
            }
            Stmt::Expr(Expr::If(branch), _) => replace_in_branches(branch, statements),
            Stmt::Expr(Expr::ForLoop(turns), _) => replace(&mut turns.body, statements),
            _ => {}
        }
        if statements.is_none() {
            return;
        }
    }
}

fn replace_in_branches(branch: &mut ExprIf, statements: &mut Option<Vec<Stmt>>) {
    replace(&mut branch.then_branch, statements);
    match branch.else_branch.as_mut().map(|(_, otherwise)| otherwise.as_mut()) {
        _ if statements.is_none() => {}
        Some(Expr::If(branch)) => replace_in_branches(branch, statements),
        Some(Expr::Block(block)) => replace(&mut block.block, statements),
        _ => {}
    }
}
