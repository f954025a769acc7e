//! A check of kernels that only their source can answer.

use crate::error::Error;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Looks for inclusive ranges in the `#[hdl_gen]` kernels of a Rust source.
///
/// RustHDL hands on `a..=b` as `a..b`: the simulation takes one turn more than the hardware, and nothing in the
/// syntax tree shows it. Call this in a test on every file that has kernels; `file` is for the error.
///
/// ```
/// # use tracewright_elaborate::check_kernel_source;
/// let source = "impl Logic for Taps { #[hdl_gen] fn update(&mut self) { for i in 0..=3 { } } }";
/// assert_eq!(
///     check_kernel_source(source, "taps.rs").unwrap_err().to_string(),
///     "taps.rs:1: RustHDL silently loses the last turn of a `..=` loop; write `..` with the end plus one",
/// );
/// ```
pub fn check_kernel_source(source: &str, file: &str) -> Result<(), Error> {
    let tokens: TokenStream =
        source.parse().map_err(|error: proc_macro2::LexError| Error::Source {
            file: file.into(),
            line: error.span().start().line,
            message: error.to_string(),
        })?;
    match inclusive_range(tokens, false) {
        Some(line) => Err(Error::InclusiveRange { file: file.into(), line }),
        None => Ok(()),
    }
}

/// The line of the first inclusive range in a kernel, or anywhere if the tokens are a kernel's body.
fn inclusive_range(tokens: TokenStream, in_kernel: bool) -> Option<usize> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut after_attribute = false;
    for (position, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                let is_body = after_attribute && group.delimiter() == Delimiter::Brace;
                after_attribute =
                    !is_body && (after_attribute || is_hdl_gen(&tokens, position, group));
                let found = inclusive_range(group.stream(), in_kernel || is_body);
                if found.is_some() {
                    return found;
                }
            }
            TokenTree::Punct(first) if in_kernel && first.as_char() == '.' => {
                let follows = |offset: usize, expected: char| matches!(tokens.get(position + offset), Some(TokenTree::Punct(next)) if next.as_char() == expected);
                if follows(1, '.') && follows(2, '=') {
                    return Some(first.span().start().line);
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether `group`, at `position`, is the bracket of `#[hdl_gen]`.
fn is_hdl_gen(tokens: &[TokenTree], position: usize, group: &Group) -> bool {
    let follows_hash = position > 0
        && matches!(&tokens[position - 1], TokenTree::Punct(hash) if hash.as_char() == '#');
    let last = group.stream().into_iter().last();
    follows_hash && matches!(last, Some(TokenTree::Ident(name)) if name == "hdl_gen")
}
