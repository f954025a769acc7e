//! The RAM sink in Verilator against its model, with everything at random.

use tracewright_hdl::generate_ram_sink;
use tracewright_sim::ram_sink::Config;
use tracewright_sim::scheme::Design;
use tracewright_testbench::lint::lint;
use tracewright_testbench::sinks::ram_sink::run_at_random;
use tracewright_testbench::{BuildOptions, design::source};

/// A design whose trace port has this width.
pub fn design(port_bits: u32, reset: &str) -> Design {
    let mut design = Design::preset("traptor-m4").unwrap();
    design.set("trace_port_width", &port_bits.to_string()).unwrap();
    design.set("reset", reset).unwrap();
    design
}

/// A sink of so many bytes after its port.
pub fn sink_config(bytes: u32, port_bits: u32) -> Config {
    Config { bytes, port_bits, tail_words: bytes / 32 }
}

#[test]
fn the_sink_does_what_its_model_does() {
    for (bytes, port_bits, reset) in [
        (64, 1, "synchronous"),
        (256, 8, "asynchronous"),
        (128, 16, "synchronous"),
        (512, 32, "synchronous"),
    ] {
        let config = sink_config(bytes, port_bits);
        let generated = generate_ram_sink(&design(port_bits, reset), &config).unwrap();
        let findings = lint(&source(&generated).files, &generated.top).unwrap();
        assert!(findings.is_empty(), "{config:?}: {}", findings[0]);
        let library = source(&generated).build(&BuildOptions::default()).unwrap();
        for seed in 1..4 {
            run_at_random(&library, config, seed)
                .unwrap_or_else(|what| panic!("{config:?}, seed {seed}: {what}"));
        }
    }
}

/// The words may be in a macro with one port, which does not define what it reads in a cycle in which it writes.
#[test]
fn a_single_port_memory_is_enough() {
    let (config, mut design) = (sink_config(128, 8), design(8, "synchronous"));
    design.set("memories", "wrappers").unwrap();
    let mut generated = generate_ram_sink(&design, &config).unwrap();
    let findings = lint(&source(&generated).files, &generated.top).unwrap();
    assert!(findings.is_empty(), "{}", findings[0]);
    let of_macro = |name: &str| name.ends_with("_memory_32x32_single_port.v");
    let (_, text) = generated.files.iter_mut().find(|(name, _)| of_macro(name)).unwrap();
    let guarded = "if (!write_enable) begin\n            read_data <= cells[address];\n        end";
    assert_eq!(text.matches(guarded).count(), 1, "{text}");
    let right = text.replace(guarded, "read_data <= write_enable ? ~write_data : cells[address];");
    let wrong = text.replace(guarded, "read_data <= ~cells[address];");
    for (macro_text, is_right) in [(right, true), (wrong, false)] {
        let (_, text) = generated.files.iter_mut().find(|(name, _)| of_macro(name)).unwrap();
        *text = macro_text;
        let library = source(&generated).build(&BuildOptions::default()).unwrap();
        for seed in 1..4 {
            assert_eq!(run_at_random(&library, config, seed).is_ok(), is_right, "seed {seed}");
        }
    }
}
