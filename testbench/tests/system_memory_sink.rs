//! The sink that writes to the memory of the system, in Verilog against its model, with everything at random.

use tracewright_hdl::generate_system_memory_sink;
use tracewright_sim::system_memory_sink::{Bus, Config};
use tracewright_testbench::lint::lint;
use tracewright_testbench::sinks::system_memory_sink::run_at_random;
use tracewright_testbench::{BuildOptions, design::source};

use crate::ram_sink::design;

/// A sink after a port of so many bits.
pub fn memory_config(
    address_bits: u32,
    data_bits: u32,
    burst_beats: u32,
    port_bits: u32,
) -> Config {
    let bus = Bus { address_bits, data_bits, burst_beats };
    Config { bus, port_bits, tail_words: 2 * burst_beats }
}

#[test]
fn the_sink_does_what_its_model_does() {
    for (config, reset) in [
        (memory_config(32, 32, 16, 8), "synchronous"),
        (memory_config(40, 32, 2, 32), "asynchronous"),
        (memory_config(64, 64, 8, 16), "synchronous"),
        (memory_config(33, 64, 256, 64), "synchronous"),
    ] {
        let design = design(config.port_bits, reset);
        let generated = generate_system_memory_sink(&design, &config).unwrap();
        let findings = lint(&source(&generated).files, &generated.top).unwrap();
        assert!(findings.is_empty(), "{config:?}: {}", findings[0]);
        let library = source(&generated).build(&BuildOptions::default()).unwrap();
        for seed in 1..4 {
            run_at_random(&library, config, seed)
                .unwrap_or_else(|what| panic!("{config:?}, seed {seed}: {what}"));
        }
    }
}
