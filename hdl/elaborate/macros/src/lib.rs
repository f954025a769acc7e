//! The macros that declare hardware blocks: each signal is said once, and the struct, its constructor and
//! the remarks in the Verilog follow from it.
//!
//! They are re-exported and explained by `tracewright-elaborate`, whose types the generated code uses.

mod block;
mod bundle;
mod item;
mod packed;

use proc_macro::TokenStream;

/// Declares a block: its module name, its parameters and its signals, in the order of the Verilog.
#[proc_macro]
pub fn block(input: TokenStream) -> TokenStream {
    expanded(syn::parse(input).map(|definition: block::Definition| definition.expand()))
}

/// Declares a packed word: named fields of a record, the first one in the lowest bits.
#[proc_macro]
pub fn packed(input: TokenStream) -> TokenStream {
    expanded(syn::parse(input).map(|definition: packed::Definition| definition.expand()))
}

/// Declares a bundle: ports that belong together and are connected whole.
#[proc_macro]
pub fn bundle(input: TokenStream) -> TokenStream {
    expanded(syn::parse(input).map(|definition: bundle::Definition| definition.expand()))
}

fn expanded(result: syn::Result<proc_macro2::TokenStream>) -> TokenStream {
    result.unwrap_or_else(|error| error.to_compile_error()).into()
}
