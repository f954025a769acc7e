//! The pins of a trace module, as the table of `tracewright-sim` has them, found in its model.

use tracewright_sim::event::{Access, ExecutionState};
use tracewright_sim::pins::Pin;
use tracewright_sim::pins::module;

use crate::error::Result;
use crate::filter_pins::FilterPins;
use crate::library::{InputPort, Library, OutputPort};
use crate::model::Model;
use crate::port::mask;
use crate::stimulus::Block;

/// The pins on which one core's blocks come.
#[derive(Clone, Debug)]
pub(crate) struct RetirePins {
    pub(crate) retire_valid: InputPort,
    retire_count: InputPort,
    retire_pc: InputPort,
    retire_length: InputPort,
    retire_kind: InputPort,
    retire_call: InputPort,
    retire_return: InputPort,
    retire_taken: InputPort,
    retire_target: InputPort,
    /// The pin `stall`; of a module that does not stall the pin `drops`, which says as much.
    pub(crate) stall: OutputPort,
    /// The most instructions of a block.
    pub(crate) most_retired: u64,
    /// Ones in the bits of an address.
    pub(crate) address_mask: u64,
}

impl RetirePins {
    /// Finds the pins of the only core.
    pub(crate) fn find(library: &Library) -> Result<RetirePins> {
        RetirePins::of_core(library, None)
    }

    /// Finds the pins of every core of a module for several.
    pub(crate) fn find_all(library: &Library) -> Result<Vec<RetirePins>> {
        (0..RetirePins::cores(library))
            .map(|core| RetirePins::of_core(library, Some(core)))
            .collect()
    }

    /// The cores whose pins are numbered; 0 for a module of one core.
    pub(crate) fn cores(library: &Library) -> usize {
        let has = |core: &usize| has_input(library, &module::RETIRE_VALID.numbered(*core));
        (0..64).take_while(has).count()
    }

    /// True if a core can wait.
    pub(crate) fn stalls(library: &Library) -> bool {
        has_output(library, module::STALL.name)
    }

    fn of_core(library: &Library, core: Option<usize>) -> Result<RetirePins> {
        let named = |pin: &Pin| core.map_or_else(|| pin.name.to_owned(), |core| pin.numbered(core));
        let sized = |pin: &Pin| library.input_pin(pin, &named(pin));
        let input = |pin: &Pin| sized(pin).map(|(port, _)| port);
        let (retire_count, count_width) = sized(&module::RETIRE_COUNT)?;
        let (retire_pc, address_width) = sized(&module::RETIRE_PC)?;
        let stall = [named(&module::STALL), named(&module::DROPS)];
        let stall = stall.iter().find(|name| has_output(library, name)).unwrap_or(&stall[0]);
        Ok(RetirePins {
            retire_valid: input(&module::RETIRE_VALID)?,
            retire_count,
            retire_pc,
            retire_length: input(&module::RETIRE_LENGTH)?,
            retire_kind: input(&module::RETIRE_KIND)?,
            retire_call: input(&module::RETIRE_CALL)?,
            retire_return: input(&module::RETIRE_RETURN)?,
            retire_taken: input(&module::RETIRE_TAKEN)?,
            retire_target: library.input(&named(&module::RETIRE_TARGET), address_width)?,
            stall: library.output(stall, 1)?,
            most_retired: mask(count_width),
            address_mask: mask(address_width),
        })
    }

    /// Shows a block, with noise on pins that have no meaning for it.
    #[inline]
    pub(crate) fn show(&self, model: &mut Model, block: &Block, noise: u64) {
        model.set(self.retire_valid, 1);
        model.set(self.retire_count, block.count);
        model.set(self.retire_pc, block.program_counter);
        model.set(self.retire_length, if block.tells_length { block.length } else { noise >> 7 });
        model.set(self.retire_kind, block.kind);
        // These have a meaning for branches only: kinds 1 to 4.
        let branch = (1..=4).contains(&block.kind);
        model.set(self.retire_call, if branch { block.call.into() } else { noise >> 36 });
        model.set(self.retire_return, if branch { block.is_return.into() } else { noise >> 37 });
        model.set(self.retire_taken, if branch { block.taken.into() } else { noise >> 38 });
        model.set(self.retire_target, if block.taken { block.target } else { noise });
    }

    /// Shows no block: noise on every pin but `retire_valid`.
    #[inline]
    pub(crate) fn show_none(&self, model: &mut Model, noise: u64) {
        model.set(self.retire_valid, 0);
        model.set(self.retire_count, noise >> 13);
        model.set(self.retire_pc, noise);
        model.set(self.retire_length, noise >> 29);
        model.set(self.retire_kind, noise >> 33);
        model.set(self.retire_call, noise >> 36);
        model.set(self.retire_return, noise >> 37);
        model.set(self.retire_taken, noise >> 38);
        model.set(self.retire_target, noise.rotate_left(23));
    }
}

/// The pins on which a core says in what the execution goes on; those that a module does not have are `None`.
#[derive(Clone, Debug)]
pub(crate) struct StatePins {
    context: Option<(InputPort, u32)>,
    privilege: Option<(InputPort, u32)>,
    cause: Option<(InputPort, u32)>,
    trap_value: Option<(InputPort, u32)>,
}

impl StatePins {
    /// Finds the pins of the only core, which may be numbered.
    pub(crate) fn find(library: &Library) -> Result<StatePins> {
        let find = |pin: &Pin| {
            let port = library.inputs().iter().find(|port| pin.is_named(&port.name));
            port.map(|port| library.input_pin(pin, &port.name)).transpose()
        };
        Ok(StatePins {
            context: find(&module::RETIRE_CONTEXT)?,
            privilege: find(&module::RETIRE_PRIVILEGE)?,
            cause: find(&module::RETIRE_CAUSE)?,
            trap_value: find(&module::RETIRE_TRAP_VALUE)?,
        })
    }

    /// True if there are such pins.
    pub(crate) fn are_there(&self) -> bool {
        self.context.is_some() || self.privilege.is_some() || self.cause.is_some()
    }

    /// What these pins say of a state.
    pub(crate) fn traced(&self, state: ExecutionState) -> ExecutionState {
        let width = |pin: Option<(InputPort, u32)>| pin.map_or(0, |(_, width)| mask(width));
        ExecutionState {
            context: state.context & width(self.context),
            privilege: state.privilege & width(self.privilege) as u8,
            cause: state.cause.filter(|_| self.cause.is_some()),
        }
    }

    /// The state before the first block.
    pub(crate) fn reset_state(&self) -> ExecutionState {
        self.traced(ExecutionState { context: 0, privilege: u8::MAX, cause: None })
    }

    /// Shows the state after a block, with noise in place of a cause without an exception.
    pub(crate) fn show(&self, model: &mut Model, state: &ExecutionState, noise: u64) {
        if let Some((pin, _)) = self.context {
            model.set(pin, state.context);
        }
        if let Some((pin, _)) = self.privilege {
            model.set(pin, state.privilege.into());
        }
        if let Some((pin, _)) = self.cause {
            model.set(pin, state.cause.unwrap_or(noise.rotate_left(11)));
        }
    }

    /// What an exception says beside its cause, of any length and either sign; 0 if there is no pin for it.
    pub(crate) fn draw_trap_value(&self, noise: u64) -> u64 {
        let Some((_, width)) = self.trap_value else { return 0 };
        let value = noise.rotate_left(19) & mask((noise >> 41) as u32 % (width + 1));
        (if noise >> 40 & 1 == 1 { !value } else { value }) & mask(width)
    }

    /// Shows that.
    pub(crate) fn show_trap_value(&self, model: &mut Model, value: u64) {
        if let Some((pin, _)) = self.trap_value {
            model.set(pin, value);
        }
    }

    /// Shows noise.
    pub(crate) fn show_none(&self, model: &mut Model, noise: u64) {
        let (context, privilege) = (noise.rotate_left(31), (noise >> 5) as u8);
        self.show(model, &ExecutionState { context, privilege, cause: None }, noise);
        self.show_trap_value(model, noise.rotate_left(43));
    }
}

/// The pins of a module whose trace is made of packets.
#[derive(Clone, Debug)]
pub(crate) struct PacketPins {
    pub(crate) sync_request: InputPort,
    pub(crate) synchronised: OutputPort,
    pub(crate) flushed: OutputPort,
    pub(crate) state: StatePins,
    pub(crate) filter: FilterPins,
    /// The module can stall its core.
    pub(crate) has_stall: bool,
    /// A block that is not taken and does not wait is lost.
    pub(crate) drops: Option<OutputPort>,
    /// The pins `retire_lost` and `retire_lost_count`, where there are such.
    pub(crate) loss: Option<(InputPort, InputPort)>,
}

impl PacketPins {
    /// True if the trace of the module is made of packets.
    pub(crate) fn are_there(library: &Library) -> bool {
        has_input(library, module::SYNC_REQUEST.name)
    }

    /// Finds every pin.
    pub(crate) fn find(library: &Library, instruction_bytes: u64) -> Result<PacketPins> {
        Ok(PacketPins {
            sync_request: input(library, &module::SYNC_REQUEST)?,
            synchronised: output(library, &module::SYNCHRONISED)?,
            flushed: output(library, &module::FLUSHED)?,
            state: StatePins::find(library)?,
            filter: FilterPins::find(library, instruction_bytes)?,
            has_stall: optional_output(library, &module::STALL)?.is_some(),
            drops: optional_output(library, &module::DROPS)?,
            loss: optional_input(library, &module::RETIRE_LOST)?
                .zip(optional_input(library, &module::RETIRE_LOST_COUNT)?),
        })
    }
}

/// The input of this pin; of several cores the first one's.
fn input(library: &Library, pin: &Pin) -> Result<InputPort> {
    let port = library.inputs().iter().find(|port| pin.is_named(&port.name));
    Ok(library.input_pin(pin, port.map_or(pin.name, |port| &port.name))?.0)
}

/// The output of this pin; of several cores the first one's.
fn output(library: &Library, pin: &Pin) -> Result<OutputPort> {
    let port = library.outputs().iter().find(|port| pin.is_named(&port.name));
    Ok(library.output_pin(pin, port.map_or(pin.name, |port| &port.name))?.0)
}

/// The same, if there is one.
pub(crate) fn optional_input(library: &Library, pin: &Pin) -> Result<Option<InputPort>> {
    let is_there = library.inputs().iter().any(|port| pin.is_named(&port.name));
    is_there.then(|| input(library, pin)).transpose()
}

/// The same, if there is one.
pub(crate) fn optional_output(library: &Library, pin: &Pin) -> Result<Option<OutputPort>> {
    let is_there = library.outputs().iter().any(|port| pin.is_named(&port.name));
    is_there.then(|| output(library, pin)).transpose()
}

/// True if the module has an input of this name.
fn has_input(library: &Library, name: &str) -> bool {
    library.inputs().iter().any(|port| port.name == name)
}

/// True if the module has an output of this name.
fn has_output(library: &Library, name: &str) -> bool {
    library.outputs().iter().any(|port| port.name == name)
}

/// The pins on which memory accesses come.
#[derive(Clone, Debug)]
pub(crate) struct DataPins {
    pub(crate) data_valid: InputPort,
    data_pc: InputPort,
    data_address: InputPort,
    data_store: InputPort,
    pub(crate) stall: OutputPort,
    address_mask: u64,
}

impl DataPins {
    /// True if the module traces memory accesses.
    pub(crate) fn are_there(library: &Library) -> bool {
        has_input(library, module::DATA_VALID.name)
    }

    /// Finds every pin.
    pub(crate) fn find(library: &Library) -> Result<DataPins> {
        let (data_pc, address_width) = library.input_of_any_width(module::DATA_PC.name)?;
        Ok(DataPins {
            data_valid: input(library, &module::DATA_VALID)?,
            data_pc,
            data_address: library.input(module::DATA_ADDRESS.name, address_width)?,
            data_store: input(library, &module::DATA_STORE)?,
            stall: output(library, &module::DATA_STALL)?,
            address_mask: mask(address_width),
        })
    }

    /// Shows an access, or returns what is wrong with it.
    #[inline]
    pub(crate) fn show(&self, model: &mut Model, access: &Access) -> Result<(), String> {
        let Access { site, address } = *access;
        if (site.program_counter | address) & !self.address_mask != 0 {
            return Err(format!("an address is beyond {:#x}", self.address_mask));
        }
        model.set(self.data_valid, 1);
        model.set(self.data_pc, site.program_counter);
        model.set(self.data_address, address);
        model.set(self.data_store, site.store.into());
        Ok(())
    }

    /// Shows no access: noise on every pin but `data_valid`.
    #[inline]
    pub(crate) fn show_none(&self, model: &mut Model, noise: u64) {
        model.set(self.data_valid, 0);
        model.set(self.data_pc, noise);
        model.set(self.data_address, noise.rotate_left(23));
        model.set(self.data_store, noise >> 36);
    }
}

/// The pins that every trace module has: the trace, and the flush.
#[derive(Clone, Debug)]
pub(crate) struct TracePins {
    pub(crate) trace_ready: InputPort,
    pub(crate) flush: InputPort,
    /// Tracing is on.
    pub(crate) enable: Option<InputPort>,
    /// A flush does not wait for the sink.
    pub(crate) discard: Option<InputPort>,
    /// Registers and memories may change.
    pub(crate) clock_enable: Option<InputPort>,
    pub(crate) trace_data: OutputPort,
    pub(crate) trace_valid: OutputPort,
    pub(crate) flushed: OutputPort,
    pub(crate) buffered_words: OutputPort,
    /// Bits of a beat of the trace.
    pub(crate) trace_port_width: u32,
}

impl TracePins {
    /// Finds every pin.
    pub(crate) fn find(library: &Library) -> Result<TracePins> {
        let (trace_data, trace_port_width) =
            library.output_of_any_width(module::TRACE_DATA.name)?;
        Ok(TracePins {
            trace_ready: input(library, &module::TRACE_READY)?,
            flush: input(library, &module::FLUSH)?,
            enable: optional_input(library, &module::ENABLE)?,
            discard: optional_input(library, &module::DISCARD)?,
            clock_enable: optional_input(library, &module::CLOCK_ENABLE)?,
            trace_data,
            trace_valid: output(library, &module::TRACE_VALID)?,
            flushed: output(library, &module::FLUSHED)?,
            buffered_words: output(library, &module::BUFFERED_WORDS)?,
            trace_port_width,
        })
    }

    /// Bits of a trace word: the smallest multiple of the port's width that has at least 8.
    pub(crate) fn word_bits(&self) -> u64 {
        u64::from(self.trace_port_width) * self.word_beats()
    }

    /// Beats of a trace word.
    pub(crate) fn word_beats(&self) -> u64 {
        8u32.div_ceil(self.trace_port_width).into()
    }
}
