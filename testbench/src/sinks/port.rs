//! The sinks after a trace port in Verilator against their models, cycle by cycle, with everything at random.

use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::pins::sinks::{self, Outlet};
use tracewright_sim::pins::{Pin, module};
use tracewright_sim::sinks::axi_stream::AxiStream;
use tracewright_sim::sinks::chip_pins::ChipPins;
use tracewright_sim::sinks::trace_bus::{Bus, TraceBus};
use tracewright_sim::sinks::{Sink, Source};

use super::Failure;
use crate::error::Result as SimulationResult;
use crate::library::Library;
use crate::model::Model;

/// Cycles of a run.
const CYCLES: u64 = 20_000;

/// Cycles after which the pace changes.
const PACE_CYCLES: u64 = 256;

/// Pins and their values.
type Values = Vec<(&'static str, u64)>;

fn value<C>(pin: &Pin<C>, value: impl Into<u64>) -> (&'static str, u64) {
    (pin.name, value.into())
}

/// A sink of the model, and what is on its other side.
enum Twin {
    AxiStream { sink: AxiStream, ready: bool },
    TraceBus { sink: TraceBus, outlet: Outlet, bus: Bus, id: u64, has_left: bool },
    ChipPins { sink: ChipPins, half_period: u8 },
}

impl Twin {
    fn new(sink: Sink, outlet: &Outlet, random: &mut ChaCha8Rng) -> Twin {
        match sink {
            Sink::AxiStream => {
                Twin::AxiStream { sink: AxiStream::new(outlet.switches), ready: false }
            }
            Sink::Atb => Twin::TraceBus {
                sink: TraceBus::new(outlet),
                outlet: *outlet,
                bus: Bus::default(),
                id: random.random_range(1..112),
                has_left: false,
            },
            Sink::Pins => {
                let half_period = [1, 2, random.random_range(1..=128), 128];
                let half_period = half_period[random.random_range(0..4)];
                Twin::ChipPins { sink: ChipPins::new(half_period), half_period }
            }
        }
    }

    /// What the other side says in the next cycle.
    fn draw(&mut self, random: &mut ChaCha8Rng, percent: u32) -> Values {
        let is_ready = random.random_range(0..100) < percent;
        match self {
            Twin::AxiStream { ready, .. } => {
                *ready = is_ready;
                vec![value(&sinks::AXIS_TREADY, is_ready)]
            }
            Twin::TraceBus { bus, id, has_left, .. } => {
                let changes = random.random_range(0..if *has_left { 3 } else { 100 }) == 0;
                let flushes = bus.flushes ^ (changes && (*has_left || !bus.flushes));
                *bus = Bus { ready: is_ready, flushes };
                vec![
                    value(&sinks::TRACE_ID, *id),
                    value(&sinks::ATREADY, is_ready),
                    value(&sinks::AFVALID, flushes),
                ]
            }
            Twin::ChipPins { half_period, .. } => {
                vec![value(&sinks::HALF_PERIOD, *half_period - 1)]
            }
        }
    }

    /// The other side asks for the end of the trace.
    fn asks(&self) -> bool {
        matches!(self, Twin::TraceBus { bus, .. } if bus.flushes)
    }

    /// What must be at the outputs. Those that are not listed may be anything.
    fn outputs(&self, source: &Source) -> Values {
        let answer = |takes, is_flushed| {
            vec![value(&module::TRACE_READY, takes), value(&module::FLUSHED, is_flushed)]
        };
        match self {
            Twin::AxiStream { sink, ready } => {
                let outputs = sink.outputs(source, *ready);
                let mut values = answer(outputs.takes, outputs.is_flushed);
                values.push(value(&sinks::AXIS_TVALID, outputs.beat.is_some()));
                values.extend(outputs.beat.iter().flat_map(|beat| {
                    let data = value(&sinks::AXIS_TDATA, beat.data);
                    [data, value(&sinks::AXIS_TLAST, beat.is_last)]
                }));
                values
            }
            Twin::TraceBus { sink, outlet, bus, id, .. } => {
                let outputs = sink.outputs(source, *bus);
                let mut values = answer(outputs.takes, outputs.is_flushed);
                values.extend([
                    value(&sinks::TRACE_FLUSH, outputs.flushes),
                    value(&sinks::ATID, *id),
                    value(&sinks::ATVALID, outputs.beat.is_some()),
                    value(&sinks::AFREADY, outputs.has_left),
                ]);
                values.extend(outputs.beat.map(|beat| value(&sinks::ATDATA, beat)));
                let bytes = (sinks::ATBYTES.name, u64::from(outlet.bus_bits() / 8 - 1));
                values.extend((outlet.bytes_bits() > 0).then_some(bytes));
                values
            }
            Twin::ChipPins { sink, .. } => {
                let outputs = sink.outputs(source);
                let mut values = answer(outputs.takes, outputs.is_flushed);
                values.extend([
                    value(&sinks::PIN_CLOCK, outputs.clock),
                    value(&sinks::PIN_DATA, outputs.value.unwrap_or(0)),
                    value(&sinks::PIN_IDLE, outputs.value.is_none()),
                ]);
                values
            }
        }
    }

    /// The end of the cycle.
    fn clock(&mut self, source: &Source) {
        match self {
            Twin::AxiStream { sink, ready } => sink.clock(source, *ready),
            Twin::TraceBus { sink, bus, has_left, .. } => {
                *has_left = sink.outputs(source, *bus).has_left;
                sink.clock(source, *bus);
            }
            Twin::ChipPins { sink, .. } => sink.clock(source),
        }
    }
}

/// A trace module that does everything at random that one may do.
struct Module {
    outlet: Outlet,
    says: Source,
    /// Beats that are still to come before the trace has ended.
    rest: u32,
    /// The trace was to end in the cycle before.
    ended: bool,
}

impl Module {
    fn new(outlet: &Outlet) -> Module {
        let says = Source { enable: true, ..Source::default() };
        Module { outlet: *outlet, says, rest: 0, ended: false }
    }

    /// What it says next. In the cycle before, the sink took a beat or did not, and had ended the trace or not; `asks` says
    /// that the bus wants the trace to end now, and beats come in so many of 100 cycles.
    fn next(
        &mut self,
        random: &mut ChaCha8Rng,
        (takes, was_flushed, asks): (bool, bool, bool),
        percent: u32,
    ) {
        let Module { outlet, says, rest, ended } = self;
        let mask = u64::MAX >> (64 - outlet.trace_port_width);
        if *ended && says.discard {
            (says.beat, *rest) = (None, 0);
        }
        says.beat = says.beat.filter(|_| !takes);
        if says.ends() {
            if random.random_range(0..if was_flushed { 4 } else { 200 }) == 0 {
                (says.flush, says.enable) = (false, true);
            }
        } else if random.random_range(0..30) == 0 {
            says.enable = !outlet.switches || random.random();
            says.flush = says.enable || random.random();
        }
        says.discard = outlet.switches && random.random_range(0..12) == 0;
        let ends = says.ends() || asks;
        if ends && !*ended {
            *rest = random.random_range(0..6);
        }
        says.is_flushed &= ends;
        let may_come = says.beat.is_none() && !says.is_flushed && (!ends || *rest > 0);
        if may_come && random.random_range(0..100) < percent {
            says.beat = Some(random.random::<u64>() & mask);
            *rest = rest.saturating_sub(u32::from(ends));
        }
        let is_over = ends && says.beat.is_none() && *rest == 0;
        says.is_flushed |= is_over && random.random();
        *ended = ends;
    }

    fn values(&self, random: &mut ChaCha8Rng) -> Values {
        let Source { beat, is_flushed, flush, enable, discard } = self.says;
        // What is no beat is anything.
        let data = beat.unwrap_or_else(|| random.random());
        vec![
            value(&module::TRACE_DATA, data),
            value(&module::TRACE_VALID, beat.is_some()),
            value(&sinks::TRACE_FLUSHED, is_flushed),
            value(&module::FLUSH, flush),
            value(&module::ENABLE, enable),
            value(&module::DISCARD, discard),
        ]
    }
}

fn set(model: &mut Model, values: &Values) {
    for (name, value) in values {
        // A sink does not have every pin of a module.
        if let Ok((pin, _)) = model.library().input_of_any_width(name) {
            model.set(pin, *value);
        }
    }
}

/// The first output that is not as the model has it.
fn difference(model: &Model, expected: &Values) -> SimulationResult<Option<String>> {
    for (name, expected) in expected {
        let (pin, _) = model.library().output_of_any_width(name)?;
        let found = model.get(pin);
        if found != *expected {
            return Ok(Some(format!("{name} is {found:#x} and not {expected:#x}")));
        }
    }
    Ok(None)
}

/// Does everything at random. Gives the hardware as it is then.
///
/// # Errors
/// What differs between hardware and model.
pub fn run_at_random(
    library: &Arc<Library>,
    sink: Sink,
    outlet: &Outlet,
    seed: u64,
) -> Result<Model, Failure> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut model = Model::new(library, seed)?;
    model.reset(2)?;
    let mut twin = Twin::new(sink, outlet, &mut random);
    let mut module = Module::new(outlet);
    let (mut takes, mut is_flushed, mut pace) = (false, false, [50, 50]);
    for cycle in 0..CYCLES {
        if cycle % PACE_CYCLES == 0 {
            pace = [(); 2].map(|()| [5, 30, 80, 100][random.random_range(0..4)]);
        }
        let outer = twin.draw(&mut random, pace[0]);
        module.next(&mut random, (takes, is_flushed, twin.asks()), pace[1]);
        set(&mut model, &outer);
        set(&mut model, &module.values(&mut random));
        model.cycle()?;
        let expected = twin.outputs(&module.says);
        if let Some(what) = difference(&model, &expected)? {
            return Err(Failure::Difference { cycle, what });
        }
        let is_high = |pin: &Pin| expected.contains(&(pin.name, 1));
        (takes, is_flushed) = (is_high(&module::TRACE_READY), is_high(&module::FLUSHED));
        twin.clock(&module.says);
    }
    Ok(model)
}
