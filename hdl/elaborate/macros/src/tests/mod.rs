//! What is refused, how it is said, and the tokens that the message points at.

mod kernels;

use crate::{block, bundle, packed};
use proc_macro2::TokenStream;
use syn::Result;
use syn::parse::Parse;

/// The message of a refused declaration, and the text at its place.
fn refusal<D: Parse>(text: &str, expand: fn(D) -> Result<TokenStream>) -> (String, String) {
    let error = syn::parse_str(text).and_then(expand).expect_err("a fault");
    (error.to_string(), error.span().source_text().unwrap_or_default())
}

fn refused_item(items: &str) -> (String, String) {
    refusal(&format!("Faulty(\"faulty\") of (); {items}"), block::Definition::expand)
}

fn said(message: &str, place: &str) -> (String, String) {
    (message.to_owned(), place.to_owned())
}

#[test]
fn an_item_declared_twice() {
    let items = "in first: 1; reg second: 2; out first: 3;";
    assert_eq!(refused_item(items), said("`first` is declared twice", "first"));
    let error =
        syn::parse_str("Faulty(\"faulty\") of (); in first: 1;\nreg second: 2;\nout first: 3;")
            .and_then(block::Definition::expand)
            .expect_err("a fault");
    assert_eq!(error.span().start().line, 3);
}

#[test]
fn an_unknown_keyword() {
    let known = "expected `in`, `out`, `local`, `view`, `reg`, `stage`, `param`, `constant`, `memory` or `block`";
    assert_eq!(refused_item("wire a: 1;"), said(known, "wire"));
}

#[test]
fn an_item_without_its_end() {
    assert_eq!(refused_item("in a: 1 out b: 1;"), said("expected `;`", "out"));
}

#[test]
fn a_wire_under_a_condition() {
    let message = "only blocks, memories and registers can be left out; \
                   a width of 0 leaves out a wire";
    assert_eq!(refused_item("in a: 1 if wide;"), said(message, "wide"));
}

#[test]
fn a_sub_block_that_is_no_call() {
    let message = "expected the call that makes the block, such as `Fifo(8, 32)`";
    assert_eq!(refused_item("block fifo: made_elsewhere;"), said(message, "made_elsewhere"));
}

#[test]
fn an_unknown_option_of_a_memory() {
    let message = "expected `reads`, `synchronous` or `cleared`";
    assert_eq!(refused_item("memory m: [8; 4] { writes: 2 };"), said(message, "writes"));
}

#[test]
fn a_bundle_without_members_or_with_a_wrong_direction() {
    let refused = |text| refusal(text, bundle::Definition::expand);
    assert_eq!(refused("Empty of ();"), said("a bundle has members", "Empty"));
    let message = "expected `forward` or `backward`";
    assert_eq!(refused("Stream of (); out valid: 1;"), said(message, "out"));
    assert_eq!(refused("Stream for ();"), said("expected identifier, found keyword `for`", "for"));
}

#[test]
fn a_packed_word_without_fields() {
    let refused = |text| refusal(text, packed::Definition::expand);
    assert_eq!(refused("Empty of ();"), said("a packed word has fields", "Empty"));
    assert_eq!(refused("Record off (); a: 1;"), said("expected `of`", "off"));
}

#[test]
fn what_is_sound_expands() {
    let text = "Sound(\"sound\") of (n: usize) { let m = n; } parameters { m, k = 2 if n > 1, ..more() }
        in a: m; out b: Word(n) for _ in 0..n; reg c: 1 = 1 if n > 1; memory d: [8; 4] { reads: 2 };";
    let expanded = syn::parse_str(text).and_then(block::Definition::expand).expect("a sound block");
    let text = expanded.to_string();
    for part in ["b : Vec < Word <", "Opt < :: tracewright_elaborate :: Reg >", "MultiReadMemory"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}
