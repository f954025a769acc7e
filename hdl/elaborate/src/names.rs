//! Legal Verilog names.

use std::collections::HashSet;
use std::sync::LazyLock;

/// What is wrong with `name` as an identifier, if anything is.
pub(crate) fn objection(name: &str) -> Option<&'static str> {
    let mut characters = name.chars();
    let starts_well =
        characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    if !starts_well
        || !characters.all(|character| character.is_ascii_alphanumeric() || character == '_')
    {
        Some("a name is letters, digits and `_`, and does not start with a digit")
    } else if KEYWORDS.contains(name) {
        Some("it is a keyword of Verilog, of SystemVerilog or of the C++ that Verilator writes")
    } else {
        None
    }
}

/// Every word of [`KEYWORDS_BY_LANGUAGE`]; every name of a design is looked up.
static KEYWORDS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| KEYWORDS_BY_LANGUAGE.iter().flat_map(|words| words.split(' ')).collect());

// Tools read `.v` files as SystemVerilog by default, and Verilator turns names into C++, so their keywords are
// as unusable as Verilog's own.
const KEYWORDS_BY_LANGUAGE: [&str; 3] = [
    "always and assign automatic begin buf bufif0 bufif1 case casex casez cell cmos config deassign default \
     defparam design disable edge else end endcase endconfig endfunction endgenerate endmodule endprimitive \
     endspecify endtable endtask event for force forever fork function generate genvar highz0 highz1 if ifnone \
     incdir include initial inout input instance integer join large liblist library localparam macromodule medium \
     module nand negedge nmos nor noshowcancelled not notif0 notif1 or output parameter pmos posedge primitive \
     pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent rcmos real realtime reg release repeat \
     rnmos rpmos rtran rtranif0 rtranif1 scalared showcancelled signed small specify specparam strong0 strong1 \
     supply0 supply1 table task time tran tranif0 tranif1 tri tri0 tri1 triand trior trireg unsigned use uwire \
     vectored wait wand weak0 weak1 while wire wor xnor xor",
    "accept_on alias always_comb always_ff always_latch assert assume before bind bins binsof bit break byte \
     chandle checker class clocking const constraint context continue cover covergroup coverpoint cross dist do \
     endchecker endclass endclocking endgroup endinterface endpackage endprogram endproperty endsequence enum \
     eventually expect export extends extern final first_match foreach forkjoin global iff ignore_bins \
     illegal_bins implements implies import inside int interconnect interface intersect join_any join_none let \
     local logic longint matches modport nettype new nexttime null package packed priority program property \
     protected pure rand randc randcase randsequence ref reject_on restrict return s_always s_eventually \
     s_nexttime s_until s_until_with sequence shortint shortreal soft solve static string strong struct super \
     sync_accept_on sync_reject_on tagged this throughout timeprecision timeunit type typedef union unique unique0 \
     until until_with untyped var virtual void wait_order weak wildcard with within",
    "alignas alignof and_eq asm auto bitand bitor bool catch char char16_t char32_t compl const_cast constexpr \
     decltype delete double dynamic_cast explicit false float friend goto inline long mutable namespace noexcept \
     not_eq nullptr operator or_eq private public register reinterpret_cast short sizeof static_assert static_cast \
     switch template thread_local throw true try typeid typename using volatile wchar_t xor_eq",
];
