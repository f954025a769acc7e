#![allow(missing_docs, clippy::unwrap_used)]
use tracewright_hdl::control::{ControlPart, generate_control_part};
use tracewright_sim::control::{Bus, encoder, ram, table::Map, trace_switch, trigger::Triggers};
use tracewright_sim::scheme::Design;
fn main() {
    let mut design = Design::preset("traptor-m4").unwrap();
    for (n, v) in [
        ("framing", "packets"),
        ("enable_pin", "true"),
        ("filter_ranges", "2"),
        ("clock_enable", "true"),
        ("reset", "asynchronous"),
    ] {
        design.set(n, v).unwrap();
    }
    let triggers = Triggers { inputs: 2, outputs: 2 };
    let map = Map {
        components: vec![
            encoder::component(&design, triggers),
            ram::component(&tracewright_sim::ram_sink::Config::after(&design, 4096, 0)),
        ],
    };
    let config = trace_switch::Config {
        answers: 2,
        has_sink: true,
        has_adapter: true,
        filter_ranges: 2,
        filters: true,
        is_gated: true,
    };
    for part in [
        ControlPart::FrontEnd(Bus::Apb),
        ControlPart::FrontEnd(Bus::AxiLite),
        ControlPart::Switch(&config),
        ControlPart::TriggerInputs(2, true),
        ControlPart::TriggerOutputs(2, true),
        ControlPart::Registers(&map),
    ] {
        match generate_control_part(&design, part) {
            Ok(g) => println!("{}", g.one_file().1),
            Err(e) => println!("{e}"),
        }
    }
}
