//! Random systems: harts that differ in all that may differ, drawn as the file of a system has them.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_hdl::unit::assemble_system;
use tracewright_sim::unit::System;

use crate::pipeline::system;

/// Systems in the quick regression.
const QUICK_SYSTEMS: u64 = 1;

/// Systems that are drawn for each, at most: most of them can be generated.
const DRAWN_FOR_EACH: u64 = 4;

/// What the names begin with; a number follows, which decides all.
const NAME: &str = "random_system_";

/// What takes the trace: rings that are large enough to keep all of it, one that is not, and what is outside.
const SINKS: [&str; 9] = [
    "ram_sink = 262144",
    "ram_sink = 1024",
    "ram_sink = { mode = \"smem\" }",
    "ram_sink = { mode = \"smem\", address_bits = 32, data_bits = 32, burst_beats = 2 }",
    "ram_sink = { mode = \"smem\", address_bits = 40, data_bits = 32, burst_beats = 16 }",
    "ram_sink = { mode = \"smem\", address_bits = 64, data_bits = 64, burst_beats = 256 }",
    "sink = { port = \"atb\" }",
    "sink = { port = \"axi-stream\" }",
    "sink = { port = \"pins\" }",
];

/// Ports of cores.
const INGRESSES: [&str; 8] = [
    "",
    "port = \"rvfi\"",
    "port = \"rvfi\", lanes = 2",
    "port = \"retired\"",
    "port = \"retired\", lanes = 2",
    "port = \"tip\"",
    "port = \"tip\", lanes = 2",
    "port = \"tip\", retirement = \"block\"",
];

/// Parameters of a hart of either standard.
const SETTINGS: [&[&str]; 4] = [
    &["encoder = \"parallel\""],
    &["encoder_registers = true"],
    &["fifo_bits = 200", "fifo_bits = 1024"],
    &["record_queue_depth = 8"],
];
const OF_N_TRACE: [&[&str]; 3] =
    [&["return_stack_entries = 4"], &["repeat_bits = 6"], &["count_bits = 8", "count_bits = 14"]];
const OF_E_TRACE: [&[&str]; 3] = [
    &["resync_max = 4"],
    &["trap_cause_bits = 3"],
    &["when_full = \"drop\", record_queue_depth = 8, fifo_bits = 512"],
];

fn one<'a>(random: &mut ChaCha8Rng, of: &[&'a str]) -> &'a str {
    of.choose(random).copied().unwrap_or_default()
}

/// The file of the system of a name.
pub(super) fn drawn(name: &str) -> String {
    let number = name.strip_prefix(NAME).and_then(|number| number.parse().ok());
    let random = &mut ChaCha8Rng::seed_from_u64(number.unwrap_or_default());
    let is_n_trace: bool = random.random();
    let reset = one(random, &["synchronous", "asynchronous"]);
    let memories = one(random, &["inferred", "inferred", "wrappers"]);
    let time_bits = one(random, &["0", "0", "16", "40"]);
    let source_bits = if is_n_trace { one(random, &["6", "12"]) } else { "8" };
    let (sink, bus) = (one(random, &SINKS), one(random, &["apb", "axi-lite"]));
    let mut text = format!("name = \"{name}\"\n{sink}\nbus = \"{bus}\"\n");
    for place in 0..random.random_range(2..=5) {
        let presets: &[&str] =
            if is_n_trace { &["ntrace-htm", "ntrace-btm"] } else { &["etrace-base"] };
        let preset = one(random, presets);
        let source = 10 * place + random.random_range(0..10);
        let mut set = format!(
            "alignment = 2, reset = \"{reset}\", memories = \"{memories}\", time_bits = {time_bits}, source_bits = \
             {source_bits}, source_id = {source}"
        );
        let own = if is_n_trace { OF_N_TRACE } else { OF_E_TRACE };
        let mut keys: Vec<&str> = Vec::new();
        for settings in own.iter().chain(&SETTINGS) {
            let setting = one(random, settings);
            // A key is set once.
            let is_new = setting.split(", ").all(|of| {
                let key = of.split(' ').next().unwrap_or_default();
                !keys.contains(&key)
            });
            if random.random_range(0..3) == 0 && is_new {
                keys.extend(setting.split(", ").filter_map(|of| of.split(' ').next()));
                set += &format!(", {setting}");
            }
        }
        text += &format!("\n[[hart]]\nname = \"h{place}\"\ndesign = \"{preset}\"\n");
        text += &format!("set = {{ {set} }}\n");
        let port = one(random, &INGRESSES);
        if !port.is_empty() {
            text += &format!("ingress = {{ {port} }}\n");
        }
    }
    text
}

/// So many random systems, fewer in the quick regression. What cannot be generated is left out.
pub(super) fn random(count: u64, quick: bool) -> Vec<System> {
    let count = if quick { count.min(QUICK_SYSTEMS) } else { count };
    let systems = (0..DRAWN_FOR_EACH * count).filter_map(|number| {
        let name = format!("{NAME}{number}");
        let system = system::of_text(&drawn(&name), &format!("{name}.toml")).ok()?;
        assemble_system(&system).is_ok().then_some(system)
    });
    systems.take(count as usize).collect()
}
