//! The funnel of whole messages in Verilator against its model, cycle by cycle.

use tracewright_hdl::Generated;
use tracewright_sim::config::{ResetStyle, TracePort};
use tracewright_sim::message_funnel::{Config, Messages};
use tracewright_testbench::design::source;
use tracewright_testbench::lint::lint;
use tracewright_testbench::sinks::message_funnel::run_at_random;
use tracewright_testbench::{BuildOptions, VerilogFile};

/// Both standards, few and many sources, every reset.
pub fn designs() -> Vec<(Config, TracePort)> {
    let (plain, other) = (
        TracePort::default(),
        TracePort { reset: ResetStyle::Asynchronous, ..TracePort::default() },
    );
    let e_trace = Messages::ETrace { source_bytes: 1 };
    [
        (Config { sources: 2, messages: Messages::NTrace }, plain.clone()),
        (Config { sources: 3, messages: e_trace }, other.clone()),
        (Config { sources: 16, messages: Messages::NTrace }, other),
        (Config { sources: 4, messages: e_trace }, plain),
    ]
    .into()
}

fn generated(config: &Config, style: &TracePort) -> Generated {
    tracewright_hdl::generate_message_funnel("message_funnel", config, style).unwrap()
}

#[test]
fn hardware_and_model_are_equal() {
    for (config, style) in designs() {
        let library = source(&generated(&config, &style)).build(&BuildOptions::default()).unwrap();
        for seed in 0..3 {
            let taken = run_at_random(&library, &config, seed)
                .unwrap_or_else(|failure| panic!("{config:?}, seed {seed}: {failure}"));
            assert!(taken > 5_000, "{config:?}, seed {seed}: {taken} bytes");
        }
    }
}

#[test]
fn three_tools_are_silent_about_funnels_of_messages() {
    for (config, style) in designs() {
        let style = TracePort { clock_enable: config.sources == 4, ..style };
        let generated = generated(&config, &style);
        let files = generated.files.iter().map(|(name, text)| VerilogFile::new(name, text));
        let findings = lint(&files.collect::<Vec<_>>(), &generated.top).unwrap();
        assert!(findings.is_empty(), "{findings:?}");
    }
}
