//! The rules that every record of every trace keeps, whatever form it is stored in.

use super::extensions::Extensions;
use super::violation::{INSTRUCTIONS_MAX, Named, PRIVILEGE_MAX, Violation};
use crate::event::{Access, AccessSite, Event, ExecutionState, Kind, Machine};

/// The most bytes of an instruction, those of x86.
const LENGTH_MAX: u8 = 15;

/// Checks the events and accesses of one trace in order.
#[derive(Clone, Debug)]
pub struct Validator {
    machine: Machine,
    extensions: Extensions,
    misaligned: u64,
    outside: u64,
    events: u64,
    accesses: u64,
    states: u64,
    cycles: u64,
    instructions: u64,
    last: [Last; 8],
    last_access: [LastAccess; 8],
}

/// The last access in the run at hand of a thread; 0 instructions without one.
#[derive(Clone, Copy, Debug, Default)]
struct LastAccess {
    instructions: u64,
    program_counter: u64,
}

impl LastAccess {
    /// The instruction of the last access has one address.
    fn check(self, instructions: u64, program_counter: u64) -> Result<(), Violation> {
        let LastAccess { instructions: accessed, program_counter: expected } = self;
        if accessed == instructions && accessed != 0 && expected != program_counter {
            let found = program_counter;
            return Err(Violation::AccessProgramCounter { instructions, expected, found });
        }
        Ok(())
    }
}

/// What the previous event of a thread was, as far as the next one depends on it.
#[derive(Clone, Copy, Debug, Default)]
struct Last {
    program_counter: u64,
    system_call: bool,
}

/// Events of one thread: how many, and their instructions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Run {
    pub(super) events: u64,
    pub(super) instructions: u64,
}

impl Run {
    /// Adds the next event.
    #[inline(always)]
    pub(super) fn add(&mut self, event: &Event) {
        self.events += 1;
        self.instructions += event.instructions;
    }
}

impl Validator {
    /// A validator for a trace of this machine; with `lengths` every call must have its length.
    ///
    /// # Errors
    ///
    /// [`Violation::Alignment`], [`Violation::AddressBits`].
    pub fn new(machine: Machine, extensions: Extensions) -> Result<Validator, Violation> {
        if machine.alignment > 2 {
            return Err(Violation::Alignment(machine.alignment));
        }
        let outside = match machine.address_bits {
            32 => !u64::from(u32::MAX),
            64 => 0,
            other => return Err(Violation::AddressBits(other)),
        };
        let misaligned = (1 << machine.alignment) - 1;
        let last = [Last::default(); 8];
        Ok(Validator {
            machine,
            extensions,
            misaligned,
            outside,
            events: 0,
            accesses: 0,
            states: 0,
            cycles: 0,
            instructions: 0,
            last,
            last_access: [LastAccess::default(); 8],
        })
    }

    /// The machine of the trace.
    pub fn machine(&self) -> Machine {
        self.machine
    }

    /// What the trace has beyond the events of four threads.
    pub fn extensions(&self) -> Extensions {
        self.extensions
    }

    /// Events, accesses, states and numbers of cycles accepted so far.
    pub fn records(&self) -> u64 {
        self.events + self.accesses + self.states + self.cycles
    }

    /// Events accepted so far.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Accesses accepted so far.
    pub fn accesses(&self) -> u64 {
        self.accesses
    }

    /// Instructions of the events accepted so far.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// True if such an event is allowed at all.
    #[inline(always)]
    pub(super) const fn allows(kind: Kind, call: bool, is_return: bool, taken: bool) -> bool {
        match kind {
            Kind::DirectJump | Kind::IndirectJump => taken,
            Kind::DirectConditional | Kind::IndirectConditional => true,
            Kind::Exception => !(call | is_return),
        }
    }

    /// The bits that no address has.
    pub(super) fn bad_address_bits(&self) -> u64 {
        self.misaligned | self.outside
    }

    /// The bits that no length of an instruction has.
    pub(super) fn bad_length_bits(&self) -> u8 {
        self.misaligned as u8 | !LENGTH_MAX
    }

    /// Accepts events of one thread, the last one of which is given, that keep all rules, in a trace without accesses.
    pub(super) fn accept(&mut self, last: &Event, run: &Run) {
        let Run { events, instructions } = *run;
        let system_call = last.kind == Kind::Exception && !last.taken;
        self.last[usize::from(last.thread & 7)] =
            Last { program_counter: last.program_counter, system_call };
        self.instructions = self.instructions.saturating_add(instructions);
        self.events += events;
    }

    /// Accepts the next event of the trace.
    ///
    /// # Errors
    ///
    /// The first rule that the event breaks; it is then not counted.
    #[inline(always)]
    pub fn check(&mut self, event: &Event) -> Result<(), Violation> {
        let exception = event.kind == Kind::Exception;
        let last = &mut self.last[usize::from(event.thread & 7)];
        // One branch for the sound event; which rule a bad one breaks is worked out apart.
        let suspect = ((event.program_counter | event.target) & (self.misaligned | self.outside)
            != 0)
            | (event.instructions.wrapping_sub(1) >= INSTRUCTIONS_MAX)
            | (!event.taken & (event.target != 0))
            | !Self::allows(event.kind, event.call, event.is_return, event.taken)
            | (event.thread > self.extensions.thread_max())
            | (event.length > LENGTH_MAX)
            | (u64::from(event.length) & self.misaligned != 0)
            | (self.extensions.lengths & event.call & (event.length == 0));
        if suspect {
            // By value: an event whose address is known to no one can stay in registers.
            Validator::explain(*event, *last, self.machine, self.extensions)?;
        }
        *last =
            Last { program_counter: event.program_counter, system_call: exception & !event.taken };
        if self.extensions.data {
            self.end_run(event)?;
        }
        self.instructions = self.instructions.saturating_add(event.instructions);
        self.events += 1;
        Ok(())
    }

    /// Accepts the next access of the trace.
    ///
    /// # Errors
    ///
    /// The first rule that the access breaks; it is then not counted.
    pub fn check_access(&mut self, access: &Access) -> Result<(), Violation> {
        let Access { site, address } = *access;
        if !self.extensions.data {
            return Err(Violation::UnexpectedAccess);
        }
        let most = self.extensions.thread_max();
        if site.thread > most {
            return Err(Violation::Thread { most, thread: site.thread });
        }
        let multiple = 1 << self.machine.alignment;
        check_address(self.machine, "program counter", site.program_counter, multiple)?;
        check_address(self.machine, "data address", address, 1)?;
        let last = &mut self.last_access[usize::from(site.thread & 7)];
        let least = last.instructions.max(1);
        if site.instructions < least {
            return Err(Violation::AccessOrder { least, instructions: site.instructions });
        }
        if site.instructions > INSTRUCTIONS_MAX {
            return Err(Violation::TooManyInstructions(site.instructions));
        }
        last.check(site.instructions, site.program_counter)?;
        let AccessSite { instructions, program_counter, .. } = site;
        *last = LastAccess { instructions, program_counter };
        self.accesses += 1;
        Ok(())
    }

    /// Accepts the next state of the trace.
    ///
    /// # Errors
    ///
    /// The first rule that the state breaks; it is then not counted.
    pub fn check_state(&mut self, state: &ExecutionState) -> Result<(), Violation> {
        if !self.extensions.states {
            return Err(Violation::UnexpectedState);
        }
        if state.privilege > PRIVILEGE_MAX {
            return Err(Violation::Privilege(state.privilege));
        }
        self.states += 1;
        Ok(())
    }

    /// Accepts the number of cycles before the next event of the trace.
    ///
    /// # Errors
    ///
    /// [`Violation::UnexpectedCycles`]; they are then not counted.
    pub fn check_cycles(&mut self) -> Result<(), Violation> {
        if !self.extensions.cycles {
            return Err(Violation::UnexpectedCycles);
        }
        self.cycles += 1;
        Ok(())
    }

    /// The accesses of the run that this event ends.
    fn end_run(&mut self, event: &Event) -> Result<(), Violation> {
        let last = &mut self.last_access[usize::from(event.thread & 7)];
        if event.instructions < last.instructions {
            let (accessed, instructions) = (last.instructions, event.instructions);
            return Err(Violation::AccessAfterEvent { accessed, instructions });
        }
        last.check(event.instructions, event.program_counter)?;
        *last = LastAccess::default();
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn explain(
        event: Event,
        last: Last,
        machine: Machine,
        extensions: Extensions,
    ) -> Result<(), Violation> {
        let multiple = 1u8 << machine.alignment;
        let least = if extensions.lengths && event.call { multiple } else { 0 };
        let step_over = !event.length.is_multiple_of(multiple);
        let trap = event.kind == Kind::Exception && event.taken;
        let most = extensions.thread_max();
        if event.thread > most {
            return Err(Violation::Thread { most, thread: event.thread });
        }
        if event.kind == Kind::Exception && (event.call || event.is_return) {
            return Err(Violation::ExceptionLinks(if event.call { "a call" } else { "a return" }));
        }
        if event.length > LENGTH_MAX || event.length < least || step_over {
            return Err(Violation::Length { least, step: multiple, length: event.length });
        }
        for (field, address) in
            [("program counter", event.program_counter), ("target", event.target)]
        {
            check_address(machine, field, address, multiple)?;
        }
        if !event.taken && matches!(event.kind, Kind::DirectJump | Kind::IndirectJump) {
            return Err(Violation::JumpNotTaken(Named(event.kind)));
        }
        if !event.taken && event.target != 0 {
            return Err(Violation::TargetNotTaken(event.target));
        }
        if event.instructions == 0 && !trap {
            return Err(Violation::NoInstructions(Named(event.kind)));
        }
        if event.instructions == 0
            && last.system_call
            && last.program_counter == event.program_counter
        {
            return Err(Violation::SplitSystemCall(event.program_counter));
        }
        if event.instructions > INSTRUCTIONS_MAX {
            return Err(Violation::TooManyInstructions(event.instructions));
        }
        Ok(())
    }
}

fn check_address(
    machine: Machine,
    field: &'static str,
    address: u64,
    multiple: u8,
) -> Result<(), Violation> {
    let address_bits = machine.address_bits;
    if address_bits < 64 && address >> address_bits != 0 {
        return Err(Violation::WideAddress { field, address_bits, address });
    }
    if !address.is_multiple_of(u64::from(multiple)) {
        return Err(Violation::Unaligned { field, multiple, address });
    }
    Ok(())
}
