//! What `kernel` makes of each form, and what it refuses.

use super::{refusal, said};
use crate::kernel::{self, piece};
use quote::ToTokens;

/// The statements that a kernel becomes.
fn lowered(body: &str) -> String {
    let text = format!("impl Logic for Taps {{ fn update(&mut self) {{ {body} }} }}");
    let expanded = syn::parse_str(&text).and_then(kernel::expand).expect("a kernel");
    let file: syn::File = syn::parse2(expanded).expect("items");
    let Some(syn::Item::Impl(implementation)) = file.items.first() else { panic!("no impl") };
    let Some(syn::ImplItem::Fn(update)) = implementation.items.first() else { panic!("no fn") };
    let statements = &update.block.stmts;
    statements.iter().map(|each| each.to_token_stream().to_string()).collect::<Vec<_>>().join(" ")
}

fn assert_same(body: &str, rust_hdl: &str) {
    let expected: syn::Block = syn::parse_str(&format!("{{ {rust_hdl} }}")).expect("a block");
    let expected: Vec<_> =
        expected.stmts.iter().map(|each| each.to_token_stream().to_string()).collect();
    assert_eq!(lowered(body), expected.join(" "), "{body}");
}

fn refused(body: &str) -> (String, String) {
    let text = format!("impl Logic for Taps {{ fn update(&mut self) {{ {body} }} }}");
    refusal(&text, kernel::expand)
}

#[test]
fn values_and_places() {
    assert_same(
        "ready = a & !lane[2].b;",
        "self.ready.next = self.a.val() & !self.lane[2].b.val();",
    );
    assert_same("count.d = count.q + 1;", "self.count.d.next = self.count.q.val() + 1;");
    assert_same("ready = 0;", "self.ready.next = 0.into();");
    assert_same(
        "set = a.replace_bit(0, b.all());",
        "self.set.next = self.a.val().replace_bit(0, self.b.val().all());",
    );
    assert_same(
        "set = resized(a >> 1);",
        "self.set.next = bits_to(self.a.val() >> 1, self.set.width());",
    );
    assert_same(
        "set = resized(a, b.width()) + fitted(c);",
        "self.set.next = bits_to(self.a.val(), self.b.width()) + unsigned_cast_to_fit(self.c.val());",
    );
    assert_same(
        "for each in 0..lanes.len() { index = each; lanes[each] = word >> (each * step); }",
        "for each in 0..self.lanes.len() { self.index.next = each.into(); self.lanes[each].next = self.word.val() >> (each * self.step.val()); }",
    );
}

#[test]
fn conditions() {
    assert_same("same = a == b;", "self.same.next = bits_to(self.a.val() == self.b.val(), 1);");
    assert_same(
        "full = !bit(a) & b;",
        "self.full.next = !bits_to(self.a.val().any(), 1) & self.b.val();",
    );
    assert_same(
        "if a && !(b & c) || d.get_bit(3) { x = 1; } else if !e { x = 0; } else { x = f; }",
        "if self.a.val().any() && !(self.b.val() & self.c.val()).any() || self.d.val().get_bit(3) { self.x.next = 1.into(); } else if !self.e.val().any() { self.x.next = 0.into(); } else { self.x.next = self.f.val(); }",
    );
    assert_same(
        "if a.get_bit(0) ^ b.get_bit(0) { }",
        "if self.a.val().get_bit(0) ^ self.b.val().get_bit(0) { }",
    );
    assert_same(
        "if when(on) { } else if when(!off) { } else if when(lanes > 1) { }",
        "if self.on.val() == 1 { } else if self.off.val() == 0 { } else if self.lanes.val() > 1 { }",
    );
}

#[test]
fn connections() {
    assert_same("join(a, b[0].c);", "connect::join(&mut self.a, &mut self.b[0].c);");
    assert_same(
        "table[1] = Table { index, write: a & b, last: 0 };",
        "self.table[1].index.next = self.index.val(); self.table[1].write.next = self.a.val() & self.b.val(); self.table[1].last.next = 0.into();",
    );
}

/// The compiler is shown a use of what `when` names as a parameter.
#[test]
fn decisions_are_parameters() {
    let text = "impl Logic for Taps { fn update(&mut self) { if when(on) { x = 1; } } }";
    let expanded = syn::parse_str(text).and_then(kernel::expand).expect("a kernel").to_string();
    assert!(expanded.contains("& [& Param] = & [& self . on]"), "{expanded}");
}

/// A kernel is handed to the first piece that it names, and has the piece's statements in place of its name.
#[test]
fn pieces() {
    let kernel = |body| format!("impl Logic for Taps {{ fn update(&mut self) {{ {body} }} }}");
    let text = kernel("if a { } else if when(on) { shared::filters!(); } last!();");
    let handed = syn::parse_str(&text).and_then(kernel::expand).expect("a kernel").to_string();
    assert!(handed.starts_with("shared :: filters ! { impl Logic for Taps"), "{handed}");
    let text = format!("{{ b = c; d = 0; }} {}", kernel("for each in 0..2 { filters!(); } e = c;"));
    let spliced: piece::WithPiece = syn::parse_str(&text).expect("a kernel with a piece");
    let spliced = spliced.expand().expect("a kernel").to_string();
    let body = "{ self . b . next = self . c . val () ; self . d . next = 0 . into () ; } self . e";
    assert!(spliced.contains(body), "{spliced}");
    let text = "fn filters(a: usize) { b = c; }";
    let refused = refusal(text, piece::define);
    assert_eq!(refused, said("a piece names signals of its kernels", "a: usize"));
}

#[test]
fn what_is_no_kernel() {
    let inclusive = "expected `first..end`; RustHDL loses the last turn of a `..=` loop";
    assert_eq!(refused("for i in 0..=3 { }"), said(inclusive, "0..=3"));
    let named = "a kernel names its signals without `self`";
    assert_eq!(refused("a = self.b;"), said(named, "self"));
    let statement = "a kernel has assignments, `if`, `for` and `join`, and nothing else";
    assert_eq!(refused("let a = b;"), said(statement, "let a = b;"));
    let call = "a kernel calls `bit(condition)`, `resized(value)`, `resized(value, width)` and `fitted(value)`";
    assert_eq!(refused("a = largest(b);"), said(call, "largest"));
    let whole =
        "`when` is the whole condition of an `if`: what it leaves out is not in the hardware";
    assert_eq!(refused("if when(a) && b { }"), said(whole, "when(a)"));
    assert_eq!(refused("if when(a.b) { }"), said("expected a parameter of the block", "a.b"));
    let width = "say the width: nothing is assigned here";
    assert_eq!(refused("if resized(a) == b { }"), said(width, "resized(a)"));
    let in_loop = "say the width, or write `fitted`: RustHDL takes the width outside the loop";
    let text = "for i in 0..lanes.len() { lanes[i] = resized(a); }";
    assert_eq!(refused(text), said(in_loop, "resized(a)"));
    let rest = "what is not named is not assigned; write no `..`";
    assert_eq!(refused("a = Table { b, ..c };"), said(rest, "c"));
    let kind = "expected `impl Logic for` a block, with nothing but `fn update(&mut self)`";
    let (message, _) = refusal("impl Taps { fn update(&mut self) { } }", kernel::expand);
    assert_eq!(message, kind);
}
