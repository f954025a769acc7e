//! The page of a report with made-up figures: it names everything and needs nothing from outside.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use tracewright_report::data::{Bandwidth, DesignReport, Report, Stored, Trace};
use tracewright_report::{html, plot, table};
use tracewright_sim::encode::dynamics::Dynamics;
use tracewright_sim::scheme::Design;
use tracewright_synthesis::{Fpga, Gates, ModuleGates};

const DESIGNS: [&str; 33] = [
    "traptor-s0",
    "traptor-s1",
    "traptor-s2",
    "traptor-s3",
    "traptor-s4",
    "traptor-m0",
    "traptor-m1",
    "traptor-m2",
    "traptor-m3",
    "traptor-m4",
    "traptor-b0",
    "traptor-b1",
    "traptor-b2",
    "traptor-b3",
    "traptor-b4",
    "stream-base-32",
    "stream-base-128",
    "stream-ebase-128",
    "stream-rbase-32",
    "stream-rbase-64",
    "stream-rbase-128",
    "stream-rbase-256",
    "ntuple-32x4",
    "mctraptor-small-n1",
    "mctraptor-medium-n1",
    "mctraptor-large-n1",
    "mctraptor-large-n4-timed",
    "nexs",
    "nexus-n1",
    "stride-32",
    "stride-128",
    "stride-1024",
    "stride-256x4",
];

const TRACES: [&str; 4] = ["arm-adpcm_c", "arm-fft-head", "rv64-djpeg", "rv32-synthetic-data"];

/// Figures that depend on the design's name and storage alone.
fn made_up() -> Report {
    let traces: Vec<Trace> = TRACES
        .into_iter()
        .zip(1..)
        .map(|(name, number): (_, u64)| Trace {
            name: name.into(),
            instructions: 3_000_000 * number,
            accesses: if name.ends_with("data") { 100_000 } else { 0 },
        })
        .collect();
    let designs = DESIGNS.into_iter().map(|name| {
        let design = Design::preset(name).expect("a preset");
        let fpga = ["ice40", "ecp5"].map(|family| fpga(name, family)).to_vec();
        let measured = traces.iter().filter(|trace| !design.traces_data() || trace.accesses > 0);
        let dice = name.bytes().fold(7u64, |dice, byte| (31 * dice + u64::from(byte)) % 997);
        let bits = |trace: &Trace| {
            let size = stored_bits(&design) as f64 + 200.0 * (dice % 7) as f64;
            (trace.instructions as f64 * 300.0 / size) as u64
        };
        let bandwidth = measured.map(|trace| Bandwidth::new(trace, bits(trace), dynamics(dice)));
        let bandwidth = bandwidth.collect();
        DesignReport::new(&design, stored(&design), gates(&design), fpga, bandwidth)
    });
    let designs = designs.collect();
    Report::new(traces, designs)
}

/// A trace of a thousand records.
fn dynamics(dice: u64) -> Dynamics {
    let mut dynamics = Dynamics::default();
    for record in 0..1000 {
        let bits = 3 + (record * dice) % 11;
        dynamics.record(40 * record, bits, 2 * bits);
    }
    dynamics
}

fn stored(design: &Design) -> Vec<Stored> {
    let storage = design.estimated_storage().into_iter();
    storage.map(|(name, bits)| Stored { structure: name.into(), bits: bits.into() }).collect()
}

fn stored_bits(design: &Design) -> u64 {
    stored(design).iter().map(|stored| stored.bits).sum()
}

fn gates(design: &Design) -> Gates {
    let storage_bits = stored_bits(design);
    let modules = [
        ("", 240.0),
        ("record_former", 600.0),
        ("fifo_depth10_width8", 80.0),
        ("fifo_depth2_width65", 120.0),
        ("serial_encoder", 330.0),
        ("gshare", 150.0),
        ("target_predictor", 210.0),
        ("return_address_stack", 60.0),
        ("indirect_branch_target_buffer", 300.0),
        ("target_difference", 290.0),
        ("bit_packer", 150.0),
        ("sequencer", 90.0),
        ("chunk_selector_first3_next1_width16", 70.0),
    ];
    let modules = modules.map(|(module, logic_ge)| ModuleGates {
        module: if module.is_empty() { design.name.clone() } else { module.into() },
        instances: 1,
        logic_ge_each: logic_ge,
        logic_ge,
        flip_flops: 12,
        storage_bits: 0,
    });
    let logic_ge = 2400.0;
    Gates {
        design: design.name.clone(),
        yosys: "Yosys 0.23".into(),
        library: "generic".into(),
        storage_ge_per_bit: 1.5,
        storage_bits,
        storage_ge: 1.5 * storage_bits as f64,
        logic_ge,
        total_ge: logic_ge + 1.5 * storage_bits as f64,
        flip_flop_ge: 1000.0,
        flip_flops: 156,
        flip_flop_implementation_ge: 12_345.0,
        gate_levels: 23,
        across_modules_ge: logic_ge - modules.iter().map(|module| module.logic_ge).sum::<f64>(),
        modules: modules.into(),
        structures: Vec::new(),
        area: None,
        timing: None,
    }
}

fn fpga(design: &str, family: &str) -> Fpga {
    Fpga {
        timed_out: false,
        design: design.into(),
        family: family.into(),
        device: if family == "ice40" { "hx8k" } else { "25k" }.into(),
        yosys: "Yosys 0.23".into(),
        nextpnr: "nextpnr 0.4".into(),
        luts: 1234,
        flip_flops: 321,
        block_rams: 2,
        distributed_ram_luts: 0,
        fmax_mhz: match family {
            "ice40" if design.starts_with("stride") => None,
            "ice40" => Some(51.7 + design.len() as f64),
            _ => Some(104.2 - design.len() as f64),
        },
        not_placed: None,
    }
}

#[test]
fn the_page_says_everything() {
    let report = made_up();
    let page = html::page(&report, Vec::new(), "Made up").expect("a page");
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join("report.html"), &page).expect("to write the page");
    for name in DESIGNS.iter().chain(&TRACES) {
        assert!(
            page.contains(&format!(">{name}<")) || page.contains(&format!("\n{name}\n")),
            "{name}"
        );
    }
    let ids =
        ["summary", "bandwidth", "gates", "storage", "traces", "frequency", "fpga", "printed"];
    for id in ids {
        assert!(page.contains(&format!("id=\"{id}\"")) && page.contains(&format!("#{id}")), "{id}");
    }
    for title in ["gate equivalents", "storage (bits)", "bits per instruction", "(MHz)"] {
        assert!(page.contains(title), "no axis says {title}");
    }
    for printed in ["4,846", "16,415", "rv_tracer", "0.0292", "Made up", "does not fit"] {
        assert!(page.contains(printed), "{printed}");
    }
    // A namespace is a name and not an address.
    let page = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for outside in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "the page needs {outside}");
    }
}

#[test]
fn every_plot_has_axis_titles_and_every_label() {
    let report = made_up();
    let plots = plot::all(&report);
    assert_eq!(plots.len(), 9);
    for plot in &plots {
        assert!(plot.svg.contains("axis-title"), "{}", plot.id);
        assert!(!plot.svg.contains("NaN") && !plot.svg.contains("inf"), "{}", plot.id);
        let standalone = plot.standalone();
        assert!(standalone.starts_with("<svg") && standalone.contains("<style>"), "{}", plot.id);
    }
    let scatter = plot::gates_against_bits(&report).expect("a plot");
    for design in report.designs.iter().filter(|design| !design.traces_data) {
        assert!(scatter.svg.contains(&format!("\n{}\n", design.design)), "{}", design.design);
    }
}

#[test]
fn the_papers_points_are_for_the_papers_programs() {
    let has_papers = |report: &Report| {
        let plot = plot::gates_against_bits(report).expect("a plot");
        let said = plot.caption.contains("Diamonds");
        assert_eq!(plot.svg.contains("M4, paper C"), said);
        assert_eq!(plot.svg.contains("printed in a paper"), said);
        assert!(plot.svg.contains("scheme-traptor"), "no colour of the scheme");
        said
    };
    let mut report = made_up();
    assert!(!has_papers(&report));
    report.traces.retain(|trace| trace.name == "arm-adpcm_c");
    assert!(has_papers(&report));
}

#[test]
fn a_front_is_what_nothing_beats() {
    let report = made_up();
    let front: Vec<_> = report.designs.iter().filter(|design| design.is_on_front).collect();
    assert!(!front.is_empty());
    for design in front {
        let (gates, bits) = design.point().expect("a point");
        assert!(
            !report
                .designs
                .iter()
                .filter_map(DesignReport::point)
                .any(|(other_gates, other_bits)| { other_gates < gates && other_bits < bits })
        );
    }
}

#[test]
fn a_report_without_traces_has_the_plots_of_gates() {
    let made_up = made_up();
    let designs: Vec<_> = made_up
        .designs
        .into_iter()
        .take(1)
        .map(|mut design| {
            (design.bandwidth, design.bits_per_instruction) = (Vec::new(), None);
            design.fpga.clear();
            design
        })
        .collect();
    let report = Report::new(Vec::new(), designs);
    let ids: Vec<_> = plot::all(&report).iter().map(|plot| plot.id).collect();
    assert_eq!(ids, ["gates", "storage"]);
    html::page(&report, Vec::new(), "Made up").expect("a page");
}

#[test]
fn figures_as_values() {
    let report = made_up();
    let mut bytes = Vec::new();
    table::write(&report, &mut bytes).expect("to write");
    let text = String::from_utf8(bytes).expect("text");
    assert!(text.starts_with("design,quantity,of,value,unit\ntraptor-s0,total,,"));
    assert!(text.lines().all(|line| line.split(',').count() == 5));
    assert!(text.contains("traptor-m4,module,record_former,600.00,GE"));
    assert!(text.contains("traptor-m4,printed,,4846,gates"));
    let json = serde_json::to_value(&report).expect("JSON");
    assert_eq!(json["designs"][9]["design"], "traptor-m4");
    assert_eq!(json["traces"].as_array().map(Vec::len), Some(TRACES.len()));
}
