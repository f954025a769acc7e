//! The tools on one small design, whose figures can be worked out by hand. All together take a few seconds.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tracewright_cache::Cache;
use tracewright_hdl::{Direction, Generated, Port};
use tracewright_synthesis::{
    Error, Family, FpgaFlow, FpgaOptions, GateCounter, GateOptions, Gates, Structure, count_verilog,
};

const TOP: &str = "\
module small (input wire clock, input wire write, input wire [1:0] address, input wire [7:0] data, output wire [7:0] read, output reg [7:0] sum);
    wire [7:0] kept;
    small_memory words (.clock(clock), .write(write), .address(address), .data(data), .read(kept));
    assign read = ~kept;
    always @(posedge clock) sum <= sum ^ data;
endmodule
";

const MEMORY: &str = "\
module small_memory (input wire clock, input wire write, input wire [1:0] address, input wire [7:0] data, output wire [7:0] read);
    reg [7:0] cells [0:3];
    assign read = cells[address];
    always @(posedge clock) if (write) cells[address] <= data;
endmodule
";

fn small() -> Generated {
    let port = |name: &str, direction, width| Port { name: name.into(), direction, width };
    Generated {
        top: "small".into(),
        header: String::new(),
        top_header: String::new(),
        memory_files: Vec::new(),
        files: vec![("small_memory.v".into(), MEMORY.into()), ("small.v".into(), TOP.into())],
        ports: vec![
            port("clock", Direction::Input, 1),
            port("write", Direction::Input, 1),
            port("address", Direction::Input, 2),
            port("data", Direction::Input, 8),
            port("read", Direction::Output, 8),
            port("sum", Direction::Output, 8),
        ],
        storage_bits: 40,
        storage: Vec::new(),
        memory_bits: 32,
        faults: Vec::new(),
    }
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn cache() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn count(options: GateOptions, cache: &Path) -> Gates {
    let counter = GateCounter::new(options, &Cache::at(cache)).expect("Yosys is installed");
    counter.count("small", &small()).expect("it can be synthesized")
}

#[test]
fn gates_by_hand() {
    let cache = cache();
    let gates = count(GateOptions::default(), cache.path());
    // Eight inverters, eight exclusive ORs, eight flip-flops; nothing to gain across modules.
    assert_eq!(gates.flip_flops, 8);
    assert_eq!(gates.flip_flop_ge, 45.36);
    assert_eq!(gates.logic_ge, 69.36);
    assert_eq!(gates.across_modules_ge, 0.0);
    assert_eq!((gates.storage_bits, gates.storage_ge, gates.total_ge), (32, 48.0, 117.36));
    let modules: Vec<(&str, u64, f64, u64, u64)> = gates
        .modules
        .iter()
        .map(|it| (&*it.module, it.instances, it.logic_ge, it.flip_flops, it.storage_bits))
        .collect();
    assert_eq!(modules, [("small", 1, 69.36, 8, 0), ("memory", 1, 0.0, 0, 32)]);
    let [Structure { name, depth, width, bits, storage_ge, flip_flop_implementation_ge }] =
        &gates.structures[..]
    else {
        panic!("one memory, not {:?}", gates.structures)
    };
    assert_eq!((&**name, *depth, *width, *bits, *storage_ge), ("words.cells", 4, 8, 32, 48.0));
    // A flip-flop and a multiplexer per bit to write, three gates per bit of a word to read, and the decoder.
    let as_flip_flops = *flip_flop_implementation_ge;
    assert!((300.0..400.0).contains(&as_flip_flops), "{as_flip_flops}");
    assert!((gates.flip_flop_implementation_ge - 69.36 - as_flip_flops).abs() < 0.011);
    // Reading takes at least two levels for four words, and the inverter is one.
    assert!((3..=8).contains(&gates.gate_levels), "{}", gates.gate_levels);
    assert_eq!((gates.area, gates.timing), (None, None));
}

/// Verilog that is of no design is counted as that of designs is.
#[test]
fn verilog_by_hand() {
    for quick in [false, true] {
        let gates = count_verilog("small", &small().files, None, quick).expect("gates");
        assert!((gates.logic_ge - 69.36).abs() < 1e-6, "{gates:?}");
        assert_eq!((gates.flip_flops, gates.storage_bits), (8, 32));
    }
    let files = [("wrong.v".to_owned(), "module small(; endmodule".to_owned())];
    let error = count_verilog("small", &files, None, false).expect_err("no Verilog");
    assert!(matches!(error, Error::ToolFailed { .. }), "{error}");
}

#[test]
fn a_bit_of_storage_counts_what_it_is_told() {
    let cache = cache();
    let options = GateOptions { storage_ge_per_bit: 2.0, ..GateOptions::default() };
    let gates = count(options, cache.path());
    assert_eq!((gates.storage_ge, gates.total_ge), (64.0, 133.36));
}

#[test]
fn the_second_time_it_is_kept() {
    let cache = cache();
    let first = count(GateOptions::default(), cache.path());
    let files = || {
        let entries = fs::read_dir(cache.path()).expect("the cache").flatten();
        let mut files: Vec<_> = entries
            .map(|entry| {
                (entry.path(), entry.metadata().and_then(|it| it.modified()).expect("a time"))
            })
            .collect();
        files.sort();
        files
    };
    let kept = files();
    assert_eq!(kept.len(), 6, "a NAND gate, a memory, the gates, each with a digest: {kept:?}");
    assert_eq!(count(GateOptions::default(), cache.path()), first);
    assert_eq!(files(), kept);
}

#[test]
fn a_library_gives_area_and_slack() {
    let cache = cache();
    let slack = |clock_mhz| {
        let options = GateOptions {
            liberty: vec![file("tests/small.lib")],
            clock_mhz: Some(clock_mhz),
            ..GateOptions::default()
        };
        let gates = count(options, cache.path());
        let area = gates.area.expect("an area");
        assert_eq!(area.nand_um2, 0.798);
        assert!((area.logic_um2 / area.nand_um2 - gates.logic_ge).abs() < 0.02, "{area:?}");
        let timing = gates.timing.expect("a slack");
        let reached = 1000.0 / (1000.0 / clock_mhz - timing.slack_ns);
        // No clock changes how early the next value is there.
        assert!(
            timing.hold_slack_ns.is_some_and(|slack| (0.0..0.2).contains(&slack)),
            "{timing:?}"
        );
        assert!((timing.fmax_mhz / reached - 1.0).abs() < 1e-4, "{timing:?}");
        timing.slack_ns
    };
    let (easy, hard) = (slack(100.0), slack(20_000.0));
    assert!((8.0..10.0).contains(&easy), "{easy}");
    assert!((-1.0..0.0).contains(&hard), "{hard}");
}

/// The flip-flops of ASAP7 have no other output.
#[test]
fn flip_flops_may_have_inverted_outputs_alone() {
    let (cache, folder) = (cache(), tempfile::tempdir().expect("a folder"));
    let whole = fs::read_to_string(file("tests/small.lib")).expect("the library");
    let path = folder.path().join("inverted.lib");
    fs::write(&path, whole.replace("function : \"IQ\"", "function : \"IQN\"")).expect("written");
    let options = GateOptions {
        slow: vec![path.clone()],
        fast: vec![file("tests/small.lib")],
        liberty: vec![path],
        clock_mhz: Some(100.0),
        ..GateOptions::default()
    };
    let inverted = count(options, cache.path());
    let plain = GateOptions { liberty: vec![file("tests/small.lib")], ..GateOptions::default() };
    assert!(inverted.logic_ge > count(plain, cache.path()).logic_ge, "{inverted:?}");
    assert!(inverted.timing.is_some_and(|timing| timing.slack_ns > 8.0));
}

#[test]
fn what_is_no_library_is_refused() {
    let cache = cache();
    let folder = tempfile::tempdir().expect("a folder");
    let whole = fs::read_to_string(file("tests/small.lib")).expect("the library");
    let without_flip_flops = &whole[..whole.find("  cell (DFF_X1)").expect("a flip-flop")];
    for (name, text, said) in [
        ("cut.lib", &whole[..whole.find("  cell (NOR2_X1)").expect("a gate")], "cut off"),
        ("no.lib", "module no; endmodule", "expected `library (NAME)` at the beginning"),
        ("latchless.lib", &format!("{without_flip_flops}}}\n"), "FF"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("written");
        let options = GateOptions { liberty: vec![path], ..GateOptions::default() };
        let error = GateCounter::new(options, &Cache::at(cache.path())).expect_err(name);
        assert!(matches!(error, Error::Liberty { .. }), "{name}: {error:?}");
        let sentence = error.to_string();
        assert!(sentence.contains(name) && sentence.contains(said), "{sentence}");
    }
}

#[test]
fn a_missing_yosys_is_named() {
    let cache = cache();
    let options = GateOptions { yosys: Some("/nowhere/yosys".into()), ..GateOptions::default() };
    let error = GateCounter::new(options, &Cache::at(cache.path())).expect_err("there is none");
    assert_eq!(
        error.to_string(),
        "`/nowhere/yosys` is not installed; on Debian: apt install yosys"
    );
}

#[test]
fn in_fpgas() {
    let cache = cache();
    for (family, distributed, flip_flops) in [(Family::Ice40, 0, 40), (Family::Ecp5, 12, 8)] {
        let flow = FpgaFlow::new(family, &FpgaOptions::default(), &Cache::at(cache.path())).expect(
            "Yosys and nextpnr are installed: scripts/setup, and build/venv/bin on the path",
        );
        let fpga = flow.measure("small", &small()).expect("it fits");
        assert_eq!(fpga.distributed_ram_luts, distributed, "{fpga:?}");
        assert_eq!((fpga.flip_flops, fpga.block_rams), (flip_flops, 0), "{fpga:?}");
        assert!((8..100).contains(&fpga.luts), "{fpga:?}");
        assert!(fpga.fmax_mhz.is_some_and(|fmax| (50.0..1000.0).contains(&fmax)), "{fpga:?}");
        assert_eq!(flow.measure("small", &small()).expect("kept"), fpga);
    }
}
