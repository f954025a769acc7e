//! The runs of what takes traces: RAM sinks and funnels, with the traces of random designs.

use std::sync::Arc;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::arbitrary;
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::{Event, Machine};
use tracewright_sim::filter::Settings;
use tracewright_sim::parameter::Parameters;
use tracewright_sim::scheme::{self, Design, Scheme};
use tracewright_sim::synthetic::Options;
use tracewright_sim::{funnel, packet::part::Part, ram_sink};
use tracewright_testbench::sinks::{self, Failure};
use tracewright_testbench::{BuildOptions, Library, design as models};

use super::Run;
use super::packets::with;
use super::plan::{
    Extent, PROGRAMS_PER_DESIGN, first_program, in_any_style, learn, program, stimulus,
};
use crate::cosimulation::{decodes, encode};
use crate::error::{Error, Result};
use crate::golden_trace::Trace;
use crate::source::Workload;

/// Sinks of each kind in the quick regression.
const QUICK_SINKS: u64 = 2;

/// Widths of a trace port that a RAM sink takes.
const PORT_BITS: [u32; 6] = [1, 2, 4, 8, 16, 32];

/// Hardware that takes the trace of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sink {
    /// A ring in a memory.
    Ram(ram_sink::Config),
    /// A funnel, whose first source has the whole trace and whose others have its beginnings.
    Funnel(funnel::Config),
}

/// The cycles of a run, and its failures.
type Simulated = (u64, Vec<String>);

impl Sink {
    /// The model of the hardware, in the style of a design.
    pub(super) fn model(&self, design: &Design) -> Result<Arc<Library>> {
        let generated = match self {
            Sink::Ram(config) => tracewright_hdl::generate_ram_sink(design, config)?,
            Sink::Funnel(config) => {
                tracewright_hdl::generate_funnel("trace_funnel", config, design.port())?
            }
        };
        Ok(models::source(&generated).build(&BuildOptions::default())?)
    }

    /// Sends the trace of a run through the hardware and decodes what comes out.
    pub(super) fn simulate(&self, run: &Run, model: &Arc<Library>) -> Result<Simulated> {
        let trace = encode(&run.design, &run.workload)?.into_bytes();
        let simulated = match self {
            Sink::Ram(config) => ring(run, *config, &trace, model),
            Sink::Funnel(config) => frames(run, config, &trace, model),
        };
        match simulated {
            Err(Refused::Failure(Failure::Difference { cycle, what })) => {
                Ok((cycle, vec![format!("cycle {cycle}: {what}")]))
            }
            Err(Refused::Failure(Failure::Simulation(error))) => Err(error.into()),
            Err(Refused::Error(error)) => Err(error),
            Ok(simulated) => Ok(simulated),
        }
    }
}

/// What ends a run of a sink.
enum Refused {
    Failure(Failure),
    Error(Error),
}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Self {
        Refused::Failure(failure)
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Refused::Error(error)
    }
}

/// What the ring has is the end of the trace, and decodes to the end of the execution.
fn ring(
    run: &Run,
    config: ram_sink::Config,
    trace: &[u8],
    model: &Arc<Library>,
) -> Result<Simulated, Refused> {
    let (image, cycles) = sinks::ram_sink::record(model, config, trace, run.stimulus.seed)?;
    let (all, last) = (events(run, trace)?, events(run, &image)?);
    let mut failures = Vec::new();
    // The first event may have begun before the packet in which it ends.
    let (first, rest) =
        last.split_first().map_or((None, &[][..]), |(first, rest)| (Some(first), rest));
    let ends = all.len().checked_sub(last.len()).map(|place| &all[place..]);
    let is_end = ends.is_some_and(|ends| match (first, ends.split_first()) {
        (Some(first), Some((whole, ends))) => {
            ends == rest
                && first.program_counter == whole.program_counter
                && first.instructions <= whole.instructions
        }
        (first, _) => first.is_none(),
    });
    if !is_end {
        failures.push("the ring does not decode to the last events".into());
    }
    if last.is_empty() && has_events(run, trace, &image) {
        failures.push(format!("no event comes out of {} bytes", image.len()));
    }
    Ok((cycles, failures))
}

/// True if the end of a trace must have events: it is whole, or has several times the instructions after which a packet
/// begins that needs none before it.
fn has_events(run: &Run, trace: &[u8], end: &[u8]) -> bool {
    let protocol = run.design.protocol();
    let interval = u64::from(protocol.interval());
    let is_part = interval > 0 && !protocol.sync_keeps_tables;
    let learned = run.workload.learned();
    let part = learned.instructions * end.len() as u64 / trace.len().max(1) as u64;
    learned.events > 0 && (end.len() >= trace.len() || is_part && part > 4 * interval)
}

/// The events of a trace, which may have no beginning.
fn events(run: &Run, trace: &[u8]) -> Result<Vec<Event>> {
    let Some(program) = run.workload.program() else { return Ok(Vec::new()) };
    let mut events = Vec::new();
    let emit = |part| {
        if let Part::Event(event) = part {
            events.push(event);
        }
        Ok::<(), Error>(())
    };
    let most = run.workload.learned().instructions;
    scheme::decode_packets(&run.design, program, &mut BitUnpacker::new(trace), most, emit)?;
    Ok(events)
}

/// Each source comes out of the frames as it was, and the first one decodes to the execution.
fn frames(
    run: &Run,
    config: &funnel::Config,
    trace: &[u8],
    model: &Arc<Library>,
) -> Result<Simulated, Refused> {
    let part = |source: usize| trace[..trace.len() / (source + 1)].to_vec();
    let traces = (0..config.sources as usize).map(part).collect();
    let (frames, cycles) = sinks::funnel::merge(model, config, traces, run.stimulus.seed)?;
    let mut reader = funnel::frames::SourceReader::new(frames.as_slice(), config.first_id as u8);
    let mut first = Vec::new();
    let read = std::io::Read::read_to_end(&mut reader, &mut first);
    let is_equal = match read {
        Ok(_) => decodes(&run.design, &run.workload, Trace::of(&first), 0, &Settings::default())?,
        Err(_) => Some(false),
    };
    let different = is_equal != Some(true);
    let failures = different.then(|| "the decoded trace differs from the input".to_owned());
    Ok((cycles, failures.into_iter().collect()))
}

/// Sinks with random settings, each with the traces of a random design with packets.
pub(super) fn sinks(extent: &Extent) -> Result<Vec<Run>> {
    let count = if extent.quick { extent.random.min(QUICK_SINKS) } else { extent.random };
    let schemes = Scheme::all();
    let (mut sources, mut drawn) = (Vec::new(), Vec::new());
    for kind in ["RAM sink", "funnel"] {
        let mut generator = ChaCha8Rng::seed_from_u64(kind.len() as u64);
        let mut seed = 0;
        while seed < count {
            let machine = Options::from_seed(first_program(seed)).machine;
            let sink = if kind == "funnel" { funnel(&mut generator) } else { ram(&mut generator) };
            let name = format!("random-{}-{seed}", kind.to_lowercase().replace(' ', "-"));
            let Some(scheme) = schemes.choose(&mut generator) else { break };
            let Some(design) = design(&name, scheme, sink, seed, machine, &mut generator)? else {
                continue;
            };
            let programs = (first_program(seed)..)
                .filter(|program| Options::from_seed(*program).machine == machine);
            for program_seed in programs.take(PROGRAMS_PER_DESIGN) {
                sources.push(program(program_seed, 1));
                let stimulus = stimulus(generator.random(), &design);
                drawn.push((design.clone(), stimulus, sink, kind));
            }
            seed += 1;
        }
    }
    let run = |(workload, drawn): (Workload, _)| {
        let (design, stimulus, sink, kind): (Design, _, _, &str) = drawn;
        Run { group: format!("random {kind}"), design, workload, stimulus, sink: Some(sink) }
    };
    Ok(learn(sources)?.into_iter().zip(drawn).map(run).collect())
}

fn ram(random: &mut ChaCha8Rng) -> Sink {
    let bytes = 1 << random.random_range(6..15);
    let port_bits = PORT_BITS.choose(random).copied().unwrap_or(8);
    Sink::Ram(ram_sink::Config { bytes, port_bits })
}

fn funnel(random: &mut ChaCha8Rng) -> Sink {
    let sources = random.random_range(2..=8);
    Sink::Funnel(funnel::Config {
        sources,
        first_id: random.random_range(1..=112 - sources),
        turn_bytes: random.random_range(1..=255),
        sync_frames: random.random_range(2..=4096),
    })
}

/// A random design in front of a sink; `None` if it cannot have packets.
fn design(
    name: &str,
    scheme: &Scheme,
    sink: Sink,
    seed: u64,
    machine: Machine,
    random: &mut ChaCha8Rng,
) -> Result<Option<Design>> {
    let Machine { alignment, address_bits, .. } = machine;
    let parameters = scheme.arbitrary(random, alignment.into(), address_bits.into());
    let mut design = in_any_style(Design::new(name, parameters)?, seed)?;
    let port_bits = if let Sink::Ram(config) = sink { config.port_bits } else { 8 };
    design.set("trace_port_width", &port_bits.to_string())?;
    design.set("clock_enable", "false")?;
    let settings = arbitrary::packets(random).values();
    with(design, settings.into_iter().map(|(name, value)| (name, value.to_string())))
}
