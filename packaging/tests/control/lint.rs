//! The registers and the module around all are good Verilog.

use super::designs::{every_design, model, switched, whole, with_adapter};
use crate::common::{chosen, for_each};
use tracewright_hdl::Generated;
use tracewright_hdl::unit::uart_reader;
use tracewright_sim::control::Bus;
use tracewright_sim::control::trigger::Triggers;
use tracewright_sim::tip;
use tracewright_sim::unit::{Control, Ingress};
use tracewright_testbench::lint::lint;

#[test]
fn three_tools_are_silent() {
    let designs = chosen(every_design(), &[5, 6, 10, 12]);
    let mut all: Vec<_> =
        designs.iter().map(|(design, control)| model(&whole(design, control))).collect();
    let tip_design =
        switched("nexs", &[("alignment", "1"), ("when_full", "drop"), ("cause_bits", "6")]);
    let ingress = Ingress::Tip(tip::Config::default());
    let control = Control { ram_sink: Some(1024), ..Control::new(Bus::Apb) };
    all.push(model(&with_adapter(&tip_design, &control, ingress)));
    all.extend(readers().iter().map(model));
    for_each(&all, |source| {
        let findings = lint(&source.files, &source.top).expect("the tools are installed");
        let all: Vec<String> = findings.iter().map(ToString::to_string).collect();
        if all.is_empty() { Ok(()) } else { Err(format!("{}: {}", source.top, all.join("\n"))) }
    });
}

/// Readers of rings of several sizes, around modules that differ in their resets and in what else they have for pins.
fn readers() -> Vec<Generated> {
    let small = &[("trace_port_width", "8"), ("reset", "asynchronous")][..];
    let other = &[("trace_port_width", "8"), ("clock_enable", "true"), ("time_bits", "32")][..];
    let designs = [("nexs", small, 64), ("traptor-m4", other, 1 << 20)];
    let reader = |(preset, changes, bytes)| {
        let design = switched(preset, changes);
        let triggers = Triggers { inputs: 2, outputs: 1 };
        let control = Control { ram_sink: Some(bytes), triggers, ..Control::new(Bus::Apb) };
        let inner = whole(&design, &control);
        let mut reader = uart_reader(&design, &inner, &control).expect("a ring on APB");
        reader.files.splice(0..0, inner.files);
        reader
    };
    designs.map(reader).into()
}

#[test]
fn what_does_not_go_is_refused() {
    let apb = Control::new(Bus::Apb);
    let said = |preset: &str, control: Control, changes: &[(&str, &str)]| {
        let mut design = tracewright_sim::scheme::Design::preset(preset).expect("a preset");
        for (name, value) in changes {
            design.set(name, value).expect("a good value");
        }
        control.map(&design).expect_err("it is refused").to_string()
    };
    let switch = "traptor-m4 cannot be switched off and on by registers, because without packets a trace cannot go on \
                  where tracing was switched on: set framing=packets and enable_pin=true";
    assert_eq!(said("traptor-m4", apb, &[]), switch);
    let pin = "cannot be switched off and on by registers without its pin: set enable_pin=true";
    assert_eq!(said("traptor-m4", apb, &[("framing", "packets")]), format!("traptor-m4 {pin}"));
    assert_eq!(said("etrace-base", apb, &[]), format!("etrace-base {pin}"));
    assert!(said("stride-64", apb, &[]).starts_with("stride-64 cannot be switched"));
    let packets = [("framing", "packets"), ("enable_pin", "true")];
    let triggers = Triggers { inputs: 8, outputs: 9 };
    assert_eq!(
        said("traptor-m4", Control { triggers, ..apb }, &packets),
        "traptor-m4 can have 8 trigger inputs and 8 trigger outputs at most, not 9"
    );
    let ram = |bytes| Control { ram_sink: Some(bytes), ..apb };
    assert_eq!(
        said("traptor-m4", ram(1000), &packets),
        "`ram_sink` = 1000 does not fit: must be a power of two from 64 to 16777216"
    );
    assert_eq!(
        said("traptor-m4", ram(64), &[packets[0], packets[1], ("trace_port_width", "64")]),
        "`trace_port_width` = 64 does not fit: a RAM sink needs 1, 2, 4, 8, 16 or 32"
    );
}
