//! Where the trace leaves a unit, against the beats that its trace module has sent.

use rand::RngCore;
use rand_chacha::ChaCha8Rng;
use tracewright_sim::pins::{module, sinks};
use tracewright_sim::ram_sink::RamSink;
use tracewright_sim::sinks::axi_stream::AxiStream;
use tracewright_sim::sinks::pin_receiver::PinReceiver;
use tracewright_sim::sinks::{Handshake, Sink, Source};

use super::seen::Seen;
use super::software::{SOURCE, wrong_byte};
use super::system::SharedSink;
use super::{MemorySink, Place, Whole};
use crate::bit_queue::BitQueue;
use crate::error::Result;
use crate::library::{InputPort, Library, OutputPort};
use crate::model::Model;
use crate::port::mask;
use crate::recording::Recording;
use crate::sinks::memory::{Happening, Memory, Pace};
use crate::stimulus::{Ready, ReadyPattern};

/// The ring in the memory of the system: its first address, and its words.
const START: u64 = 0x8000;
const RING_WORDS: u64 = 4096;

/// How fast that memory is.
const PACE: Pace = Pace { ready: 66, errors: 0 };

/// Data, valid and ready of a port.
#[derive(Clone, Copy, Debug)]
struct Beats {
    data: OutputPort,
    valid: OutputPort,
    ready: InputPort,
    bits: u32,
}

/// What a beat says beside its data.
enum Besides {
    Nothing,
    /// Whether the trace ends with it, as the model of the sink says.
    Last(OutputPort, AxiStream),
    /// The number of its source, which software has set.
    Source(OutputPort),
}

/// What takes the trace.
enum Outlet {
    Handshake(Beats, Besides),
    Pins { clock: OutputPort, data: OutputPort, idle: OutputPort, receiver: PinReceiver },
    Ram(Box<RamSink>),
    Memory(Box<Memory>),
}

impl MemorySink {
    /// What takes the trace, and the place of a difference there.
    fn outlet(&self, library: &std::sync::Arc<Library>) -> Result<(Outlet, Place)> {
        Ok(match self {
            MemorySink::Ring(config) => (Outlet::Ram(Box::new(RamSink::new(config))), Place::Ring),
            MemorySink::Memory(config) => {
                (Outlet::Memory(Box::new(Memory::new(library, config)?)), Place::SystemMemory)
            }
        })
    }
}

/// What takes the trace, what it took, and what it should still take.
pub(super) struct Receiver {
    outlet: Outlet,
    place: Place,
    owed: BitQueue,
    pub(super) recording: Recording,
    ready_pattern: ReadyPattern,
    is_ready: bool,
    /// A beat that was offered and not taken.
    offered: Option<u64>,
    port_bits: u32,
    /// Everything the module has sent, in words of the memory of the system.
    sent: Recording,
    /// The bits of that.
    pub(super) sent_bits: u64,
    /// Beats that were taken.
    pub(super) beats: u64,
}

fn beats(library: &Library, sink: Option<Sink>, port_bits: u32) -> Result<Option<Beats>> {
    let found = |name: &str| library.output_of_any_width(name).map(|(pin, _)| pin);
    let (data, valid, ready) = match sink {
        None => (module::TRACE_DATA.name, module::TRACE_VALID.name, module::TRACE_READY.name),
        Some(sink) => match sink.handshake() {
            None => return Ok(None),
            Some(Handshake { data, valid, ready }) => (data.name, valid.name, ready.name),
        },
    };
    let bits = sink.map_or(port_bits, |sink| sink.beat_bits(port_bits));
    let ready = library.input(ready, 1)?;
    Ok(Some(Beats { data: found(data)?, valid: found(valid)?, ready, bits }))
}

/// What takes the trace outside, and the place of a difference there: of a module that can be switched or not, and that of a
/// trace bus whose source software numbers or not.
fn port(
    library: &Library,
    sink: Option<Sink>,
    port_bits: u32,
    (switches, has_bridge): (bool, bool),
) -> Result<(Outlet, Place)> {
    let found = |name: &str| Ok::<_, crate::Error>(library.output_of_any_width(name)?.0);
    let Some(beats) = beats(library, sink, port_bits)? else {
        let outlet = Outlet::Pins {
            clock: found(sinks::PIN_CLOCK.name)?,
            data: found(sinks::PIN_DATA.name)?,
            idle: found(sinks::PIN_IDLE.name)?,
            receiver: PinReceiver::default(),
        };
        return Ok((outlet, Place::Sink));
    };
    let besides = match sink {
        Some(Sink::AxiStream) => {
            Besides::Last(found(sinks::AXIS_TLAST.name)?, AxiStream::new(switches))
        }
        Some(Sink::Atb) if has_bridge => Besides::Source(found(sinks::ATID.name)?),
        _ => Besides::Nothing,
    };
    let place = if sink.is_some() { Place::Sink } else { Place::Port };
    Ok((Outlet::Handshake(beats, besides), place))
}

impl Besides {
    /// Checks what a beat says, if there is one that is offered.
    fn check(
        &mut self,
        model: &Model,
        is_offered: bool,
        (seen, ready): (&Seen, bool),
    ) -> std::result::Result<(), String> {
        let wrong = |pin: &str, found: u64, expected: u64| match is_offered && found != expected {
            true => Err(format!("`{pin}` is {found:#x}, not {expected:#x}")),
            false => Ok(()),
        };
        match self {
            Besides::Nothing => Ok(()),
            Besides::Source(pin) => wrong(sinks::ATID.name, model.get(*pin), SOURCE.into()),
            Besides::Last(pin, twin) => {
                let source = Source {
                    beat: seen.beat,
                    is_flushed: seen.flushed,
                    enable: !seen.ends,
                    ..Source::default()
                };
                let expected = twin.outputs(&source, ready).beat;
                twin.clock(&source, ready);
                let is_last = expected.is_some_and(|beat| beat.is_last);
                if is_offered != expected.is_some() {
                    return Err("a beat is offered where none is due, or none where one is".into());
                }
                wrong(sinks::AXIS_TLAST.name, model.get(*pin), is_last.into())
            }
        }
    }
}

impl Receiver {
    pub(super) fn new(
        library: &std::sync::Arc<Library>,
        whole: &Whole,
        port_bits: u32,
        ready: Ready,
    ) -> Result<Receiver> {
        let found = match whole.memory_sink() {
            Some(memory) => memory.outlet(library)?,
            None => {
                let switches = whole.has_module_pin(module::ENABLE.name);
                port(library, whole.sink, port_bits, (switches, whole.has_bridge()))?
            }
        };
        Ok(Receiver::of(found, port_bits, ready))
    }

    /// What takes the bytes of a system's funnel.
    pub(super) fn of_system(
        library: &std::sync::Arc<Library>,
        sink: &SharedSink,
        ready: Ready,
    ) -> Result<Receiver> {
        let port_bits = 8;
        Ok(match sink {
            SharedSink::Memory(memory) => {
                Receiver::of(memory.outlet(library)?, port_bits, Ready::Always)
            }
            SharedSink::Port(sink) => {
                let found = port(library, Some(*sink), port_bits, (false, true))?;
                Receiver::of(found, port_bits, ready)
            }
        })
    }

    fn of((outlet, place): (Outlet, Place), port_bits: u32, ready: Ready) -> Receiver {
        Receiver {
            outlet,
            place,
            owed: BitQueue::new(),
            recording: Recording::new(None),
            ready_pattern: ReadyPattern::new(ready),
            is_ready: false,
            offered: None,
            port_bits,
            sent: Recording::new(None),
            sent_bits: 0,
            beats: 0,
        }
    }

    /// The place that a difference is at.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// The first and the last address of the ring in the memory of the system, for words of so many bytes.
    pub(super) fn ring_in_memory(word_bytes: u32) -> (u64, u64) {
        (START, START + (RING_WORDS - 1) * u64::from(word_bytes))
    }

    /// Sets the inputs of the next cycle.
    pub(super) fn drive(&mut self, model: &mut Model, random: &mut ChaCha8Rng) {
        self.is_ready = self.ready_pattern.next(random.next_u64());
        match &mut self.outlet {
            Outlet::Handshake(beats, _) => model.set(beats.ready, self.is_ready.into()),
            Outlet::Memory(memory) => memory.drive(model, PACE, random),
            Outlet::Pins { .. } | Outlet::Ram(_) => {}
        }
    }

    /// Takes a beat that the trace module has sent.
    pub(super) fn sent(&mut self, beat: u64) {
        self.sent_bits += u64::from(self.port_bits);
        match &mut self.outlet {
            Outlet::Ram(twin) => twin.beat(beat as u32),
            Outlet::Memory(_) => self.sent.beat(beat, self.port_bits),
            Outlet::Handshake(..) | Outlet::Pins { .. } => self.owed.push(beat, self.port_bits),
        }
    }

    /// Takes what leaves the unit in this cycle, whose ring in the memory of the system is this one, while this is seen at the
    /// trace module.
    pub(super) fn clock(
        &mut self,
        model: &Model,
        seen: &Seen,
        ring: (u64, u64),
    ) -> std::result::Result<(), String> {
        match &mut self.outlet {
            Outlet::Handshake(beats, besides) => {
                let beats = *beats;
                besides.check(model, model.get(beats.valid) != 0, (seen, self.is_ready))?;
                let beat = (model.get(beats.valid) != 0).then(|| model.get(beats.data));
                if self.offered.is_some() && beat != self.offered {
                    return Err(
                        "a beat was offered, and was gone or another one before it was taken"
                            .into(),
                    );
                }
                self.offered = beat.filter(|_| !self.is_ready);
                match beat.filter(|_| self.is_ready) {
                    Some(beat) => self.take(beat, beats.bits),
                    None => Ok(()),
                }
            }
            Outlet::Pins { clock, data, idle, receiver } => {
                let level = model.get(*clock) != 0;
                let value = (model.get(*idle) == 0).then(|| model.get(*data));
                let beat = receiver.take(level, value);
                receiver.clock(level);
                let bits = self.port_bits;
                beat.map_or(Ok(()), |beat| self.take(beat, bits))
            }
            Outlet::Memory(_) | Outlet::Ram(_) => self.clock_memory(model, ring),
        }
    }

    /// The same where a memory takes the trace.
    pub(super) fn clock_memory(
        &mut self,
        model: &Model,
        ring: (u64, u64),
    ) -> std::result::Result<(), String> {
        if let Outlet::Memory(memory) = &mut self.outlet
            && let Some(Happening::Response(_)) = memory.clock(model, ring)?
        {
            self.beats += 1;
        }
        Ok(())
    }

    fn take(&mut self, beat: u64, bits: u32) -> std::result::Result<(), String> {
        self.beats += 1;
        self.recording.beat(beat & mask(bits), bits);
        match self.owed.pop(bits) {
            Some(expected) if expected == beat => Ok(()),
            Some(expected) => {
                Err(format!("a beat is {beat:#x}, the trace module sent {expected:#x}"))
            }
            None => Err(format!("a beat {beat:#x} that the trace module has not sent")),
        }
    }

    /// True if all has left the unit that the module has sent.
    pub(super) fn is_empty(&self) -> bool {
        self.owed.is_empty()
    }

    /// The model of the RAM sink.
    pub(super) fn ram(&mut self) -> Option<&mut RamSink> {
        match &mut self.outlet {
            Outlet::Ram(twin) => Some(twin),
            _ => None,
        }
    }

    /// Ends the part of the trace that a sink fills its last word up for.
    pub(super) fn close(&mut self, word_bits: u32) {
        if let Outlet::Memory(_) = &self.outlet {
            while !self.sent.bits().is_multiple_of(word_bits.into()) {
                self.sent.beat(0, 1);
            }
        }
    }

    /// Compares what was read of the memory of the RAM sink with what is to be in it, after its write pointer; says whether
    /// that has wrapped.
    pub(super) fn compare_ram(
        &mut self,
        pointer: u32,
        found: &[u8],
    ) -> std::result::Result<(Vec<u8>, bool), String> {
        let Outlet::Ram(ram) = &mut self.outlet else { return Ok((Vec::new(), false)) };
        ram.close();
        let (expected, wrapped) = (ram.image(), ram.has_wrapped);
        let after = (4 * ram.write_pointer) | u32::from(wrapped);
        if pointer != after {
            return Err(format!("trRamWPLow is {pointer:#x} and not {after:#x}"));
        }
        match wrong_byte(found, &expected) {
            Some(what) => Err(what),
            None => Ok((expected, wrapped)),
        }
    }

    /// Compares the ring in the memory of the system, which begins at an address, with what the module has sent. Gives the
    /// bytes of the trace that are in it, the oldest first, if the write pointer and whether it has wrapped are right.
    pub(super) fn compare_memory(
        &mut self,
        word_bytes: u32,
        (pointer, has_wrapped): (u64, bool),
    ) -> std::result::Result<Vec<u8>, String> {
        let Outlet::Memory(memory) = &self.outlet else { return Ok(Vec::new()) };
        let sent = std::mem::take(&mut self.sent).finish().bytes;
        let word_bytes = word_bytes as usize;
        let words: Vec<&[u8]> = sent.chunks(word_bytes).collect();
        let count = words.len() as u64;
        let expected = START + count % RING_WORDS * word_bytes as u64;
        if (pointer, has_wrapped) != (expected, count >= RING_WORDS) {
            return Err(format!(
                "the write pointer is {pointer:#x} and not {expected:#x}, after {count} words"
            ));
        }
        let first = count.saturating_sub(RING_WORDS);
        for (number, word) in (0..).zip(&words).skip(first as usize) {
            let address = START + number % RING_WORDS * word_bytes as u64;
            let found = memory.words.get(&address).copied().unwrap_or(0).to_le_bytes();
            if found[..word_bytes] != **word {
                return Err(format!("the word at {address:#x} is {found:x?} and not {word:x?}"));
            }
        }
        Ok(words[first as usize..].concat())
    }
}
