//! Widths that do not meet.

use tracewright_elaborate::prelude::*;
use tracewright_elaborate::{Options, elaborate};

refused!(
    operands_of_different_widths,
    {
        in wide: 9;
        in narrow: 8;
        out sum: 9;
    },
    {
        #[hdl_gen]
        fn update(&mut self) { self.sum.next = self.wide.val() + (self.narrow.val() ^ 1); }
    },
    "top.sum: `wide` has 9 bits and `narrow ^ 8'd1` has 8, but the operands of `+` must have equal widths",
);

refused!(
    a_comparison_of_different_widths,
    { in v: width for width in [9, 8]; out out: 1; },
    {
        #[hdl_gen]
        fn update(&mut self) { self.out.next = (self.v[0].val() < self.v[1].val()).into(); }
    },
    "top.out: `v[0]` has 9 bits and `v[1]` has 8, but the operands of `<` must have equal widths",
);

refused!(
    a_value_of_another_width_than_its_target,
    { in a: 9; out out: 8; },
    {
        #[hdl_gen]
        fn update(&mut self) { self.out.next = self.a.val(); }
    },
    "top.out has 8 bits and cannot take `a`, which has 9",
);

refused!(
    a_number_that_does_not_fit,
    { in a: 3; out out: 3; },
    {
        #[hdl_gen]
        fn update(&mut self) { self.out.next = self.a.val() + 8; }
    },
    "top.out: the number 0x8 does not fit in 3 bits",
);

refused!(
    a_reset_value_that_does_not_fit,
    { reg state: 2 = 4; },
    {
        #[hdl_gen]
        fn update(&mut self) {}
    },
    "top.state: the number 0x4 does not fit in 2 bits",
);

refused!(
    a_reset_value_of_another_width,
    { reg state: 2 = Word::new(3, 1); },
    {
        #[hdl_gen]
        fn update(&mut self) {}
    },
    "top.state has 2 bits and cannot take `3'h1`, which has 3",
);

refused!(
    a_cast_to_fit_nothing,
    { in a: 3; out out: 1; },
    {
        #[hdl_gen]
        fn update(&mut self) { self.out.next = (unsigned_cast_to_fit(self.a.val()) == 1).into(); }
    },
    "top.out: nothing says how many bits `a` has; give it a width with `bits_to`",
);

refused!(
    a_bit_beyond_the_word,
    { in a: 3; out out: 1; },
    {
        #[hdl_gen]
        fn update(&mut self) { self.out.next = self.a.val().get_bit(3).into(); }
    },
    "top.out: bit 3 of `a` does not exist, it has 3 bits",
);

#[test]
fn a_condition_of_several_bits() {
    // Rust's types refuse this in a kernel, so the tree that a kernel would give is made by hand.
    struct Handmade(Wire<In>, Wire<Out>, Kind);
    impl Logic for Handmade {
        fn update(&mut self) {}

        fn hdl(&self) -> ast::Verilog {
            let signal = |name: &str| ast::VerilogExpression::Signal(name.into());
            let assignment = || ast::VerilogStatement::Assignment(signal("out$next"), signal("a"));
            ast::Verilog::Combinatorial(vec![ast::VerilogStatement::If(ast::VerilogConditional {
                test: signal("a"),
                then: vec![assignment()],
                otherwise: ast::VerilogBlockOrConditional::Block(vec![assignment()]),
            })])
        }
    }
    impl Block for Handmade {
        fn connect_all(&mut self) {}

        fn update_all(&mut self) {}

        fn has_changed(&self) -> bool {
            false
        }

        fn accept(&self, name: &str, probe: &mut dyn probe::Probe) {
            probe.visit_start_scope(name, self);
            self.0.accept("a", probe);
            self.1.accept("out", probe);
            self.2.accept("kind", probe);
            probe.visit_end_scope(name, self);
        }
    }
    let block = Handmade(Wire::new(3), Wire::new(3), Kind::plain("handmade"));
    let error = elaborate(&block, &Options::new("top")).expect_err("a fault");
    assert_eq!(
        error.to_string(),
        "top: the condition `a` has 3 bits, not one; say `.any()` or compare it"
    );
}
