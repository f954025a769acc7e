//! The runs of what takes traces, with random designs: RAM sinks and funnels have a trace to take; AXI4-Stream ports, trace buses and
//! pins are simulated around a trace module, as that alone is.

use std::sync::Arc;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_hdl::unit::with_receiver;
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::{self, Event, Machine};
use tracewright_sim::filter::Settings;
use tracewright_sim::parameter::Parameters;
use tracewright_sim::scheme::{self, Design, Scheme};
use tracewright_sim::sinks::Sink as PortSink;
use tracewright_sim::synthetic::Options;
use tracewright_sim::{arbitrary, funnel, packet::part::Part, ram_sink, system_memory_sink};
use tracewright_testbench::sinks::{self, Failure};
use tracewright_testbench::stimulus::{Ready, Stimulus};
use tracewright_testbench::{BuildOptions, Library, design as models};

use super::packets::with;
use super::plan::{
    Extent, PROGRAMS_PER_DESIGN, first_program, in_any_style, learn, program, stimulus,
};
use super::{Run, Subject};
use crate::cosimulation::{decodes, encode};
use crate::error::{Error, Result};
use crate::filters;
use crate::golden_trace::Trace;

/// Sinks of each kind, and designs with each port, in the quick regression.
const QUICK_SINKS: u64 = 1;

/// Widths of a trace port that a RAM sink takes.
const PORT_BITS: [u32; 6] = [1, 2, 4, 8, 16, 32];

/// The widest trace port of a random design with an AXI4-Stream port.
const MOST_PORT_BITS: u32 = 64;

/// Cycles of half a value at pins, at most.
const MOST_HALF_PERIOD: u8 = 4;

/// Widths of the bus to the memory of the system.
const DATA_BITS: [u32; 2] = [32, 64];

/// Hardware that takes the trace of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sink {
    /// A ring in a memory.
    Ram(ram_sink::Config),
    /// A ring in the memory of the system.
    SystemMemory(system_memory_sink::Config),
    /// A funnel, whose first source has the whole trace and whose others have its beginnings.
    Funnel(funnel::Config),
    /// Another port than the trace module has, around it, and cycles of half a value at pins.
    Port(PortSink, u8),
}

/// The cycles of a run, and its failures.
type Simulated = (u64, Vec<String>);

impl Sink {
    /// The model of the hardware, in the style of a design.
    pub(super) fn model(&self, design: &Design) -> Result<Arc<Library>> {
        let generated = match self {
            Sink::Ram(config) => tracewright_hdl::generate_ram_sink(design, config)?,
            Sink::SystemMemory(config) => {
                tracewright_hdl::generate_system_memory_sink(design, config)?
            }
            Sink::Funnel(config) => {
                tracewright_hdl::generate_funnel("trace_funnel", config, design.port())?
            }
            Sink::Port(sink, half_period) => {
                with_receiver(design, tracewright_hdl::generate(design)?, *sink, *half_period)?
            }
        };
        Ok(models::source(&generated).build(&BuildOptions::default())?)
    }

    /// Sends the trace of a run through the hardware and decodes what comes out; `None` for a sink whose model is that of a
    /// trace module, and is simulated as one.
    pub(super) fn simulate(&self, run: &Run, model: &Arc<Library>) -> Result<Option<Simulated>> {
        let trace = || Ok::<_, Error>(encode(&run.design, &run.workload)?.into_bytes());
        let seed = run.stimulus.seed;
        let simulated = match self {
            Sink::Ram(config) => {
                let trace = trace()?;
                ring(run, &trace, sinks::ram_sink::record(model, *config, &trace, seed))
            }
            Sink::SystemMemory(config) => {
                let trace = trace()?;
                ring(run, &trace, sinks::system_memory_sink::record(model, *config, &trace, seed))
            }
            Sink::Funnel(config) => frames(run, config, &trace()?, model),
            Sink::Port(..) => return Ok(None),
        };
        let simulated = match simulated {
            Err(Refused::Failure(Failure::Difference { cycle, what })) => {
                Ok((cycle, vec![format!("cycle {cycle}: {what}")]))
            }
            Err(Refused::Failure(Failure::Simulation(error))) => Err(error.into()),
            Err(Refused::Error(error)) => Err(error),
            Ok(simulated) => Ok(simulated),
        };
        simulated.map(Some)
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
    trace: &[u8],
    recorded: std::result::Result<(Vec<u8>, u64), Failure>,
) -> Result<Simulated, Refused> {
    let (image, cycles) = recorded?;
    let (all, last) = (events(run, trace)?, events(run, &image)?);
    let mut failures = Vec::new();
    if !is_ring_end(&all, &last) {
        failures.push("the ring does not decode to the last events".into());
    }
    if last.is_empty() && has_events(run, trace, &image) {
        failures.push(format!("no event comes out of {} bytes", image.len()));
    }
    Ok((cycles, failures))
}

/// True if what comes out of a ring is the end of all events. The first one may have begun before the packet in which it
/// ends. If it is an exception after no instruction of that packet, the packet does not say where it happened.
pub fn is_ring_end(all: &[Event], last: &[Event]) -> bool {
    let Some((first, rest)) = last.split_first() else { return true };
    let ends = all.len().checked_sub(last.len()).and_then(|place| all[place..].split_first());
    ends.is_some_and(|(whole, ends)| {
        let is_before = first.kind == event::Kind::Exception && first.instructions == 0;
        ends == rest
            && (first.kind, first.target) == (whole.kind, whole.target)
            && first.instructions <= whole.instructions
            && (first.program_counter == whole.program_counter
                || (is_before && first.program_counter == 0))
    })
}

/// Bytes of a packet besides those that `sync_bytes` counts, at most: its header, and an event with all that it needs.
const PACKET_BYTES: usize = 128;

/// True if the end of a trace must have events: it is whole, or has several times the instructions after which a packet
/// begins that needs none before it, or more than twice the bytes.
fn has_events(run: &Run, trace: &[u8], end: &[u8]) -> bool {
    let protocol = run.design.protocol();
    let interval = u64::from(protocol.interval());
    let learned = run.workload.learned();
    let part = learned.instructions * end.len() as u64 / trace.len().max(1) as u64;
    let by_instructions = interval > 0 && part > 4 * interval;
    let bytes = protocol.sync_bytes as usize;
    let by_bytes = bytes > 0 && end.len() > 2 * bytes + PACKET_BYTES;
    let is_part = !protocol.sync_keeps_tables && (by_instructions || by_bytes);
    learned.events > 0 && (end.len() >= trace.len() || is_part)
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

/// A kind of sink, and one with random settings.
type Kind = (&'static str, Box<dyn Fn(&mut ChaCha8Rng) -> Sink>);

fn kinds() -> impl Iterator<Item = Kind> {
    let rings: [Kind; 3] = [
        ("RAM sink", Box::new(ram)),
        ("system memory", Box::new(system_memory)),
        ("funnel", Box::new(funnel)),
    ];
    let port = |sink: PortSink| -> Kind {
        let settings = move |random: &mut ChaCha8Rng| match sink.handshake() {
            Some(_) => Sink::Port(sink, 1),
            None => Sink::Port(sink, random.random_range(1..=MOST_HALF_PERIOD)),
        };
        let name = match sink {
            PortSink::AxiStream => "AXI4-Stream port",
            PortSink::Atb => "trace bus",
            PortSink::Pins => "pins",
        };
        (name, Box::new(settings))
    };
    rings.into_iter().chain(PortSink::ALL.map(port))
}

/// Sinks with random settings, each with the traces of a random design with packets.
pub(super) fn sinks(extent: &Extent) -> Result<Vec<Run>> {
    let schemes = Scheme::all();
    let (mut sources, mut drawn) = (Vec::new(), Vec::new());
    for (kind, settings) in kinds() {
        let mut generator = ChaCha8Rng::seed_from_u64(kind.len() as u64);
        let count = if extent.quick { extent.random.min(QUICK_SINKS) } else { extent.random };
        let mut seed = 0;
        while seed < count {
            let machine = Options::from_seed(first_program(seed)).machine;
            let sink = settings(&mut generator);
            let name = format!("random-{}-{seed}", kind.to_lowercase().replace(' ', "-"));
            let Some(scheme) = schemes.choose(&mut generator) else { break };
            let Some(design) = design(&name, scheme, sink, seed, machine, &mut generator)? else {
                continue;
            };
            let programs = (first_program(seed)..)
                .filter(|program| Options::from_seed(*program).machine == machine);
            for program_seed in programs.take(PROGRAMS_PER_DESIGN) {
                sources.push(program(program_seed, 1));
                // Discards in front of sinks have a test of their own, that of packaging.
                let drawn_seed = generator.random();
                let stimulus = stimulus(drawn_seed, &design).with_resets(drawn_seed);
                let stimulus = Stimulus { discards: false, ..stimulus };
                drawn.push((design.clone(), stimulus, sink, kind));
            }
            seed += 1;
        }
    }
    let runs = learn(sources)?.into_iter().zip(drawn).map(|(workload, drawn)| {
        let (design, mut stimulus, sink, kind): (Design, Stimulus, _, &str) = drawn;
        if let Sink::Port(port, _) = sink {
            stimulus.filter = filters::drawn(stimulus.seed, &design, &workload)?;
            if port.handshake().is_none() {
                stimulus.ready = Ready::Always;
            }
        }
        let group = format!("random {kind}");
        Ok(Run { group, design, workload, stimulus, subject: Subject::Sink(sink) })
    });
    runs.collect()
}

fn ram(random: &mut ChaCha8Rng) -> Sink {
    let bytes = 1_u32 << random.random_range(6..15);
    let port_bits = PORT_BITS.choose(random).copied().unwrap_or(8);
    let tail_words = 1 << random.random_range(0..=(bytes / 8).ilog2());
    Sink::Ram(ram_sink::Config { bytes, port_bits, tail_words })
}

fn system_memory(random: &mut ChaCha8Rng) -> Sink {
    let data_bits = DATA_BITS.choose(random).copied().unwrap_or(32);
    let bus = system_memory_sink::Bus {
        address_bits: random.random_range(32..=64),
        data_bits,
        burst_beats: 1 << random.random_range(1..=8),
    };
    let port_bits = 1 << random.random_range(0..=data_bits.ilog2());
    let tail_words = 1 << random.random_range(0..=10);
    Sink::SystemMemory(system_memory_sink::Config { bus, port_bits, tail_words })
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
    let port_bits = match sink {
        Sink::Ram(config) => config.port_bits,
        Sink::SystemMemory(config) => config.port_bits,
        Sink::Funnel(_) => 8,
        Sink::Port(sink, _) => match sink.widths() {
            Some(widths) => widths.choose(random).map_or(8, |width| *width as u32),
            None => random.random_range(1..=MOST_PORT_BITS),
        },
    };
    design.set("trace_port_width", &port_bits.to_string())?;
    if !matches!(sink, Sink::Port(..)) {
        design.set("clock_enable", "false")?;
    }
    let mut protocol = arbitrary::packets(random);
    if matches!(sink, Sink::Port(..)) {
        // Its pins are not those at which the module counts bytes.
        protocol.sync_bytes = 0;
    }
    if let Sink::Ram(config) = sink {
        // What `generate` sets.
        protocol.sync_bytes = ram_sink::sync_bytes(config.bytes);
    }
    if let Sink::SystemMemory(_) = sink {
        protocol.sync_bytes = ram_sink::sync_bytes(sinks::system_memory_sink::LEAST_RECORD_BYTES);
    }
    let settings = protocol.values();
    with(design, settings.into_iter().map(|(name, value)| (name, value.to_string())))
}
