//! The runs of designs whose traces are made of packets.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tracewright_sim::arbitrary;
use tracewright_sim::event::Machine;
use tracewright_sim::parameter::Parameters;
use tracewright_sim::preset;
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::synthetic::Options;
use tracewright_testbench::stimulus::Stimulus;

use super::plan::{
    Extent, PROGRAMS_PER_DESIGN, first_program, fit, in_any_style, learn, program, stimulus,
};
use super::{Run, Subject};
use crate::error::Result;
use crate::filters;

/// Synthetic programs that every preset with packets runs.
const PROGRAMS: usize = 6;

/// One preset in this many is in the quick regression, on so many programs.
const QUICK_PRESETS: (usize, usize) = (9, 3);

/// The parameter that some designs refuse.
const BACKGROUND: &str = "background_clearing";

/// The parameter of designs that count how long instructions are.
const LENGTHS: &str = "exact_lengths";

/// What is set in turn: `sync_keeps_tables`, `when_full` and `background_clearing`.
const MODES: [(&str, &str, &str); 5] = [
    ("false", "drop", "true"),
    ("true", "stall", "false"),
    ("false", "stall", "true"),
    ("true", "drop", "true"),
    ("false", "drop", "false"),
];

/// The widths of context, privilege level and cause in turn.
const STATES: [[&str; 3]; 3] = [["16", "2", "8"], ["0", "0", "0"], ["0", "3", "64"]];

/// The width and the source of the time in turn.
const TIMES: [[&str; 2]; 4] =
    [["32", "counter"], ["0", "counter"], ["64", "gray"], ["12", "binary"]];

/// Instructions between synchronisations in turn: in a long interval counters overflow within a packet.
const SYNC_INTERVALS: [&str; 3] = ["1024", "1024", "65536"];

/// Whether tracing can be switched off and discarded, in turn.
const ENABLE_PINS: [&str; 2] = ["true", "false"];

/// Ranges of addresses, and whether there is a window, in turn. The other filters are there if there is something to filter.
const FILTERS: [[&str; 2]; 3] = [["2", "false"], ["0", "false"], ["1", "true"]];

/// Every preset and random designs of every scheme that can have packets.
pub(super) fn packets(extent: &Extent) -> Result<Vec<Run>> {
    let mut designs = presets(extent)?;
    designs.extend(random_designs(extent)?);
    let (mut sources, mut drawn) = (Vec::new(), Vec::new());
    for (number, (group, design, machine, programs)) in (0..).zip(designs) {
        let seeds = (first_program(number)..)
            .filter(|seed| Options::from_seed(*seed).machine == machine)
            .take(programs);
        for seed in seeds {
            sources.push(program(seed, 1));
            let stimulus = stimulus(seed, &design).with_resets(seed);
            drawn.push((group.clone(), design.clone(), stimulus));
        }
    }
    let runs = learn(sources)?.into_iter().zip(drawn).map(|(workload, drawn)| {
        let (group, design, stimulus) = drawn;
        let filter = filters::drawn(stimulus.seed, &design, &workload)?;
        Ok(Run {
            group,
            design,
            workload,
            stimulus: Stimulus { filter, ..stimulus },
            subject: Subject::Design,
        })
    });
    runs.collect()
}

/// The group of a design, the design, its machine, and the number of programs that it runs.
type Drawn = (String, Design, Machine, usize);

fn presets(extent: &Extent) -> Result<Vec<Drawn>> {
    let mut drawn = Vec::new();
    let names = preset::all().map(|preset| preset.name);
    let (step, programs) = if extent.quick { QUICK_PRESETS } else { (1, PROGRAMS) };
    for (number, name) in names.enumerate().step_by(step) {
        let machine = Options::from_seed(first_program(number as u64)).machine;
        let turn = number / step;
        let modes =
            if extent.quick { &MODES[turn % MODES.len()..=turn % MODES.len()] } else { &MODES[..] };
        for (mode, (keeps_tables, when_full, in_background)) in modes.iter().enumerate() {
            let checksum_bits = ["16", "0", "8"][(number + mode) % 3];
            let [context_bits, privilege_bits, cause_bits] = STATES[(number + 2 * mode) % 3];
            let [time_bits, time_source] = TIMES[(number + 3 * mode) % 4];
            let [filter_ranges, filter_window] = FILTERS[(number + mode) % 3];
            let filters = |bits: &str| if bits != "0" && mode % 2 == 0 { "true" } else { "false" };
            let settings = [
                ("framing", "packets"),
                ("sync_interval", SYNC_INTERVALS[mode % SYNC_INTERVALS.len()]),
                ("sync_keeps_tables", keeps_tables),
                ("when_full", when_full),
                ("enable_pin", ENABLE_PINS[(number + mode) % ENABLE_PINS.len()]),
                ("checksum_bits", checksum_bits),
                ("context_bits", context_bits),
                ("privilege_bits", privilege_bits),
                ("cause_bits", cause_bits),
                ("time_bits", time_bits),
                ("time_source", time_source),
                ("filter_ranges", filter_ranges),
                ("filter_window", filter_window),
                ("filter_privilege", filters(privilege_bits)),
                ("filter_context", filters(context_bits)),
                (BACKGROUND, in_background),
            ];
            let settings = settings.map(|(name, value)| (name, value.to_owned()));
            if let Some(design) = with(Design::preset(name)?, settings)? {
                drawn.push((format!("packets {name}"), fit(&design, machine)?, machine, programs));
            }
        }
    }
    Ok(drawn)
}

fn random_designs(extent: &Extent) -> Result<Vec<Drawn>> {
    let mut drawn = Vec::new();
    let count = if extent.quick { 0 } else { extent.random };
    for scheme in Scheme::all() {
        for seed in 0..count {
            let machine = Options::from_seed(first_program(seed)).machine;
            let Machine { alignment, address_bits, .. } = machine;
            let mut generator = ChaCha8Rng::seed_from_u64(!seed);
            let parameters =
                scheme.arbitrary(&mut generator, alignment.into(), address_bits.into());
            let design = Design::new(&format!("random-{}-{seed}", scheme.name()), parameters)?;
            let design = in_any_style(design, seed)?;
            let settings = arbitrary::packets(&mut generator).values();
            let settings = settings.into_iter().map(|(name, value)| (name, value.to_string()));
            if let Some(design) = with(design, settings)? {
                let group = format!("random packets {}", scheme.name());
                drawn.push((group, design, machine, PROGRAMS_PER_DESIGN));
            }
        }
    }
    Ok(drawn)
}

/// The design with these settings; `None` if it cannot have packets. Tables that cannot be cleared in the background are
/// cleared in a pause, and a design that loses blocks does not count lengths: a synthetic program does not say how long the
/// instructions are at which its packets end.
pub(super) fn with(
    mut design: Design,
    settings: impl IntoIterator<Item = (&'static str, String)>,
) -> Result<Option<Design>> {
    for (name, value) in settings {
        design.set(name, &value)?;
    }
    if design.validate().is_err() {
        design.set(BACKGROUND, "false")?;
    }
    if design.reads_lengths() && design.protocol().drops_blocks() {
        design.set(LENGTHS, "false")?;
    }
    Ok(design.validate().is_ok().then_some(design))
}
