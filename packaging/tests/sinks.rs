//! Modules that fit the trace port to what takes the trace, in simulation and in three tools.

use std::fs;

use crate::common::{Done, Folder, chosen, for_each};
use tracewright_hdl::Error;
use tracewright_hdl::unit::sink_wrapper;
use tracewright_sim::config::ResetStyle;
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;
use tracewright_testbench::VerilogFile;
use tracewright_testbench::lint::lint;

const STIMULUS: &str = include_str!("sink_stimulus.vh");

fn design(changes: &[(&str, &str)]) -> Design {
    let mut design = Design::preset("traptor-m4").expect("a preset");
    for (name, value) in changes {
        design.set(name, value).expect("a good value");
    }
    design
}

/// The package with a sink, and the name of the sink's file.
fn folder(sink: Sink, changes: &[(&str, &str)]) -> (Folder, String) {
    let design = design(changes);
    let generated = tracewright_hdl::generate(&design).expect("a good design");
    let wrapper = sink_wrapper(&design, &generated, sink).expect("a width that fits");
    let (name, text) = wrapper.one_file();
    let folder = Folder::new(design);
    fs::write(folder.path(&name), text).expect("written");
    (folder, name)
}

fn simulate(sink: Sink, folder: &Folder, half_period: u32) -> Done {
    let port = folder.design.port();
    let (kind, testbench, enable) = match sink {
        Sink::Atb => ("atb", include_str!("atb_testbench.v"), "atclken"),
        Sink::Pins => ("pins", include_str!("pins_testbench.v"), "clock_enable"),
        Sink::AxiStream => unreachable!("`axis` has a testbench of its own"),
    };
    let (enable, clock) = match port.clock_enable {
        false => ("0", String::new()),
        true => ("1", format!(".{enable} (enabled), ")),
    };
    let reset = match port.reset {
        ResetStyle::Synchronous => ".reset (!resetn)",
        ResetStyle::Asynchronous => ".reset_n (resetn)",
    };
    let testbench = testbench
        .replace("STIMULUS", STIMULUS)
        .replace("TOP", &folder.top)
        .replace("WIDTH = 8;", &format!("WIDTH = {};", port.trace_port_width))
        .replace("HAS_ENABLE = 0", &format!("HAS_ENABLE = {enable}"))
        .replace("HALF_PERIOD = 1;", &format!("HALF_PERIOD = {half_period};"))
        .replace("(clock), RESET,", &format!("(clock), {clock}{reset},"))
        .replace(".atresetn (resetn),", &format!("{clock}.atresetn (resetn),"));
    fs::write(folder.path("sink_testbench.v"), testbench).expect("written");
    let make = format!("iverilog -g2001 -y . -s {kind}_testbench -o sink sink_testbench.v");
    let done = folder.run("", &make);
    assert!(done.success, "{}", done.output);
    folder.run("", "vvp -N sink")
}

/// A sink, changes of the design, cycles of half a value at the pins.
type Case = (Sink, &'static [(&'static str, &'static str)], u32);

const CASES: [Case; 10] = [
    (Sink::Atb, &[], 1),
    (Sink::Atb, &[("trace_port_width", "2"), ("clock_enable", "true")], 1),
    (Sink::Atb, &[("trace_port_width", "4"), ("reset", "asynchronous")], 1),
    (Sink::Atb, &[("trace_port_width", "8")], 1),
    (Sink::Atb, &[("trace_port_width", "32"), ("reset", "asynchronous")], 1),
    (Sink::Atb, &[("trace_port_width", "64"), ("clock_enable", "true")], 1),
    (Sink::Pins, &[], 1),
    (Sink::Pins, &[("trace_port_width", "4"), ("clock_enable", "true")], 1),
    (Sink::Pins, &[("trace_port_width", "8"), ("reset", "asynchronous")], 3),
    (Sink::Pins, &[("trace_port_width", "16")], 128),
];

#[test]
fn every_bit_arrives_at_the_sink() {
    // Widths below and above a byte, with each style, and half periods of one and of most cycles.
    for_each(&chosen(CASES, &[2, 5, 7, 9]), |(sink, changes, half_period)| {
        let done = simulate(*sink, &folder(*sink, changes).0, *half_period);
        let passed = done.output.contains("PASS: ") && !done.output.contains("FAIL");
        if passed { Ok(()) } else { Err(format!("{sink:?} {changes:?}: {}", done.output)) }
    });
}

#[test]
fn the_testbenches_notice_faults() {
    const NARROW: &[(&str, &str)] = &[("trace_port_width", "2")];
    const WIDE: &[(&str, &str)] = &[("trace_port_width", "8")];
    let faults = [
        (Sink::Atb, WIDE, "atresetn & is_offered", "is_offered | !atresetn", "valid in reset"),
        (Sink::Atb, WIDE, "trace_ready = atready", "trace_ready = 1'b1", "beat"),
        (Sink::Atb, WIDE, "atid = trace_id", "atid = 7'd1", "source"),
        (Sink::Atb, WIDE, "(flush | asked) & ", "", "flushed without flush"),
        (
            Sink::Atb,
            WIDE,
            "afready = afvalid & trace_flushed",
            "afready = trace_flushed",
            "answer to",
        ),
        (Sink::Atb, WIDE, "flush | afvalid", "flush", ""),
        (Sink::Atb, NARROW, "trace_flushed & !is_whole", "trace_flushed", ""),
        (Sink::Atb, NARROW, "!is_whole | atready", "1'b1", "beat"),
        (Sink::Atb, NARROW, "{trace_data, gathered[7:2]}", "{gathered[5:0], trace_data}", "bit"),
        (Sink::Atb, NARROW, "count <= kept;", "count <= count;", ""),
        (Sink::Pins, WIDE, "trace_ready = is_last", "trace_ready = 1'b1", ""),
        (Sink::Pins, WIDE, "trace_flushed & is_idle", "trace_flushed", "flushed before"),
        (Sink::Pins, WIDE, "is_idle <= !trace_valid", "is_idle <= 1'b0", "bit"),
        (Sink::Pins, WIDE, "age == {1'b0, half_period}", "is_last", "before an edge"),
        (Sink::Pins, WIDE, "age <= age + 8'd1", "age <= 8'd0", "too little"),
        (Sink::Pins, WIDE, "level <= !level", "level <= 1'b1", ""),
    ];
    for_each(&faults, |(sink, changes, good, bad, expected)| {
        let (folder, file) = folder(*sink, changes);
        let text = folder.text(&file);
        assert_eq!(text.matches(good).count(), 1, "{good}");
        fs::write(folder.path(&file), text.replace(good, bad)).expect("written");
        let done = simulate(*sink, &folder, 4);
        let noticed = done.output.contains("FAIL: ") && done.output.contains(expected);
        let noticed = noticed && !done.output.contains("PASS");
        if noticed { Ok(()) } else { Err(format!("{good}: {bad}: {}", done.output)) }
    });
}

#[test]
fn three_tools_are_silent_about_the_sinks() {
    const PACKETS: &[(&str, &str)] = &[
        ("framing", "packets"),
        ("enable_pin", "true"),
        ("time_bits", "8"),
        ("time_source", "binary"),
        ("when_full", "drop"),
        ("clock_enable", "true"),
    ];
    let more: [Case; 2] = [(Sink::Atb, PACKETS, 1), (Sink::Pins, PACKETS, 1)];
    let cases = chosen(CASES.into_iter().chain(more), &[0, 1, 4, 5, 7, 8, 10, 11]);
    for_each(&cases, |(sink, changes, _)| {
        let (folder, file) = folder(*sink, changes);
        let files = [format!("{}.v", folder.top), file.clone()];
        let files = files.map(|name| VerilogFile::new(&name, folder.text(&name)));
        let findings = lint(&files, file.trim_end_matches(".v")).expect("the tools are installed");
        let all: Vec<String> = findings.iter().map(ToString::to_string).collect();
        if all.is_empty() { Ok(()) } else { Err(format!("{file}: {}", all.join("\n"))) }
    });
}

#[test]
fn a_width_that_does_not_fit_is_refused() {
    for (sink, width, expected) in [
        (
            Sink::Atb,
            "3",
            "`trace_port_width` = 3 does not fit: a sink of kind atb needs one of 1, 2, 4, 8, 16, 32, 64",
        ),
        (
            Sink::Pins,
            "32",
            "`trace_port_width` = 32 does not fit: a sink of kind pins needs one of 1, 2, 4, 8, 16",
        ),
    ] {
        let design = design(&[("trace_port_width", width)]);
        let generated = tracewright_hdl::generate(&design).expect("a good design");
        let refused = sink_wrapper(&design, &generated, sink).expect_err("it is refused");
        assert!(matches!(&refused, Error::Adapter(_)), "{refused:?}");
        assert_eq!(refused.to_string(), expected);
    }
}

/// Both are modules of one design whose names begin with that of its trace module.
#[test]
fn a_block_has_another_name_than_the_module_around_it() {
    for sink in Sink::ALL {
        assert_ne!(sink.block(), sink.short());
    }
}
