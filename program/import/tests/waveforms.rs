//! Waveforms with declarations that are not needed.

use tracewright_import::{Core, Options};

use crate::common::{error, import_with};

const CORE: &str = r#"{"clock": "c", "isa": "rv32", "lane": [{"valid": "v", "program_counter": "pc", "instruction": "i"}]}"#;

fn options() -> Options {
    let core: Core = serde_json::from_str(CORE).expect("a core");
    Options { core: Some(core), ..Options::default() }
}

/// A waveform with this declaration and this change in it, in which a jump to itself retires twice.
fn waveform(declaration: &str, change: &str) -> String {
    format!(
        "$timescale 1ns $end\n$var wire 1 ! c $end\n$var wire 1 v v $end\n{declaration}\n\
         $var wire 32 p pc [31:0] $end\n$var wire 32 i i [31:0] $end\n$enddefinitions $end\n\
         #0\n0!\n1v\nb10000000 p\nb1101111 i\n{change}\n#1\n1!\n#2\n0!\n#3\n1!\n#4\n0!\n#5\n1!\n#6\n0!\n"
    )
}

/// A core that says in a signal which of its words, all of 32 bits, were compressed.
#[test]
fn a_signal_says_what_is_compressed() {
    let core = CORE.replace(r#""i"}"#, r#""i", "compressed": "k"}"#);
    let core = serde_json::from_str(&core).expect("a core");
    let mut vcd = String::from(
        "$var wire 1 c c $end\n$var wire 1 v v $end\n$var wire 32 p pc $end\n$var wire 32 i i $end\n\
         $var wire 1 k k $end\n$enddefinitions $end\n#0\n0c 1v b10011 i\n",
    );
    for (cycle, (address, is_short)) in
        [(0x100, 1), (0x102, 0), (0x106, 1), (0x108, 0)].iter().enumerate()
    {
        vcd += &format!(
            "b{address:b} p {is_short}k\n#{} 1c\n#{} 0c\n",
            10 * cycle + 5,
            10 * cycle + 10
        );
    }
    let options = Options { core: Some(core), ..Options::default() };
    let (_, summary) = crate::common::whole(vcd.as_bytes(), options).expect("a flow");
    assert_eq!((summary.instructions, summary.exceptions), (4, 0));
}

/// Simulators write texts, real numbers and wires of no bits with a width of 0.
#[test]
fn what_is_not_needed_is_no_reason_to_refuse() {
    let (right, _) = import_with(&waveform("", ""), options()).expect("a waveform");
    assert!(right.contains("direct-jump 0x80 taken 0x80"), "{right}");
    for (declaration, change) in [
        ("$var string 0 s name $end", "sidle s"),
        ("$var real 0 s average $end", "r1.5 s"),
        ("$var wire 0 s nothing $end", "b s"),
        ("$var wire 1 s $end", "1s"),
        ("$var wire x s odd $end", "1s"),
    ] {
        let found = import_with(&waveform(declaration, change), options());
        assert_eq!(found.unwrap_or_else(|error| panic!("{declaration}: {error}")).0, right);
    }
    // One that is needed is.
    let without = waveform("", "").replace("$var wire 1 v v $end", "$var wire 0 v v $end");
    assert!(
        error(&without, options()).contains("one whose width is"),
        "{}",
        error(without, options())
    );
    let empty = waveform("", "b p");
    assert!(error(empty, options()).contains("expected bits after b"));
}

/// Values that no signal has, and times that go back.
#[test]
fn what_cannot_be_is_refused() {
    let right = waveform("", "");
    let (expected, _) = import_with(&right, options()).expect("a waveform");
    // More bits than the signal has may be 0.
    let longer = right.replace("b1101111 i", &format!("b{:0>40} i", "1101111"));
    assert_eq!(import_with(&longer, options()).expect("a waveform").0, expected);
    let wide = right.replace("b1101111 i", &format!("b1{:0>40} i", "1101111"));
    let says = error(wide, options());
    assert!(
        says.contains("line 12: expected as many bits as the signal has, found \"41 bits\""),
        "{says}"
    );
    let back = error(right.replace("#4", "#2"), options());
    assert!(
        back.contains("expected a time that is not before the last one, found \"#2\""),
        "{back}"
    );
}
