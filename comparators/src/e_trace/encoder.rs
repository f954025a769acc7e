//! Events into payloads.

use tracewright_sim::event::{Event, Isa, Kind};
use tracewright_sim::field::{Field, Sink};

use super::payload::Payload;
use super::{FULL_MAP, Options, fields, map_bits};
use crate::{Core, Encode, EncodeError};

/// What the last event leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pending {
    /// The first instruction is not known.
    Start,
    /// The trace starts at this address.
    StartAt(u64),
    /// Nothing: the program says where the next instruction is.
    Nothing,
    /// The address after a jump, and the depth of the stack if it should have predicted it.
    Target(u64, Option<u64>),
}

struct Encoder {
    options: Options,
    /// Bits of an address without the lowest, which is always 0.
    address_bits: u32,
    pending: Pending,
    last_address: u64,
    /// The last event's address.
    program_counter: u64,
    /// The last event's address was the last to be reported, and a decoder cannot take it for an earlier place.
    is_reported: bool,
    /// The lowest and the highest address of events and targets since the last branch or report.
    path: (u64, u64),
    branches: u32,
    /// Bit by bit, 1 for a branch that is not taken, the oldest lowest.
    map: u64,
    predictor: Option<Predictor>,
    return_stack: Vec<u64>,
    cache: Vec<u64>,
    events: u64,
}

/// Branch prediction, and how often it was right since the map was full.
struct Predictor {
    counters: Vec<u8>,
    /// All branches in the map were predicted.
    all_right: bool,
    /// Instead of a map, the number of branches that were predicted.
    counted: Option<u64>,
}

impl Predictor {
    fn new(bits: u32) -> Self {
        Self { counters: vec![1; 1 << bits], all_right: true, counted: None }
    }

    /// True if the branch was predicted; the counter learns it. Counters are those of the specification, which leave
    /// a strong state only by two wrong predictions.
    fn predicts(&mut self, address: u64, taken: bool) -> bool {
        let index = (address >> 1) as usize & (self.counters.len() - 1);
        let counter = &mut self.counters[index];
        let right = (*counter >= 2) == taken;
        *counter = match (*counter, taken) {
            (0, true) => 1,
            (1, true) | (2 | 3, true) => 3,
            (3, false) => 2,
            (2, false) | (0 | 1, false) => 0,
            (other, _) => other,
        };
        right
    }
}

/// An E-Trace encoder at the start of a trace.
///
/// # Errors
/// When the core is not RISC-V.
pub fn encoder(core: &Core, options: Options) -> Result<Box<dyn Encode>, EncodeError> {
    if core.machine.isa != Isa::RiscV {
        return Err(EncodeError::Machine { isa: core.machine.isa });
    }
    let predictor = (options.prediction_bits > 0).then(|| Predictor::new(options.prediction_bits));
    Ok(Box::new(Encoder {
        options,
        address_bits: u32::from(core.machine.address_bits) - 1,
        pending: Pending::Start,
        last_address: 0,
        program_counter: 0,
        is_reported: false,
        path: (u64::MAX, 0),
        branches: 0,
        map: 0,
        predictor,
        return_stack: Vec::new(),
        cache: vec![0; if options.cache_bits > 0 { 1 << options.cache_bits } else { 0 }],
        events: 0,
    }))
}

impl Encode for Encoder {
    fn event(&mut self, event: &Event, sink: &mut dyn Sink) -> Result<(), EncodeError> {
        let Event { instructions, program_counter, target, kind, taken, .. } = *event;
        self.events += 1;
        if kind == Kind::Exception && taken {
            if self.events == 1 && instructions == 0 {
                self.pending = Pending::StartAt(target);
                return Ok(());
            }
            return Err(EncodeError::Exception { event: self.events - 1 });
        }
        if kind == Kind::IndirectConditional {
            return Err(EncodeError::IndirectConditional { event: self.events - 1 });
        }
        let outcome = (kind == Kind::DirectConditional).then_some(taken);
        // The instruction that is reported may be this branch.
        let here = outcome.filter(|_| instructions == 1);
        self.is_reported = false;
        let branch_is_sent = match std::mem::replace(&mut self.pending, Pending::Nothing) {
            Pending::Start => {
                self.start(program_counter, outcome, sink);
                self.is_reported = true;
                true
            }
            Pending::StartAt(address) => {
                self.start(address, here, sink);
                here.is_some()
            }
            Pending::Nothing => false,
            Pending::Target(address, depth) => {
                let (low, high) = self.path;
                self.is_reported = instructions == 1 && !(low..=high).contains(&address);
                self.path = (address, address);
                let branch = here.map(|taken| (program_counter, taken));
                self.report(address, branch, false, depth, sink);
                here.is_some()
            }
        };
        if let (Some(taken), false) = (outcome, branch_is_sent) {
            self.branch(program_counter, taken, sink);
        }
        self.program_counter = program_counter;
        let (low, high) = if outcome.is_some() { (u64::MAX, 0) } else { self.path };
        let next = if taken && !kind.is_indirect() { target } else { program_counter };
        self.path = (low.min(program_counter).min(next), high.max(program_counter).max(next));
        if kind == Kind::IndirectJump {
            self.pending = self.jump(event);
        }
        self.call(event);
        Ok(())
    }

    fn finish(&mut self, sink: &mut dyn Sink) -> Result<(), EncodeError> {
        match self.pending {
            Pending::Nothing if self.is_reported => {}
            Pending::Start => {}
            Pending::StartAt(address) => self.start(address, None, sink),
            Pending::Target(address, depth) => self.report(address, None, true, depth, sink),
            Pending::Nothing => {
                let depth = self.depth();
                self.report(self.program_counter, None, false, depth, sink);
            }
        }
        Ok(())
    }
}

impl Encoder {
    /// The first payload; a branch at the address is in it.
    fn start(&mut self, address: u64, taken: Option<bool>, sink: &mut dyn Sink) {
        self.last_address = address;
        Payload::default()
            .with(fields::FORMAT, 3, 2)
            .with(fields::SUBFORMAT, 0, 2)
            .with(fields::BRANCH, u64::from(taken != Some(true)), 1)
            .with(fields::PRIVILEGE, 0, 2)
            .with(fields::ADDRESS, address >> 1, self.address_bits)
            .send(sink);
    }

    /// The depth of the stack, if there is one.
    fn depth(&self) -> Option<u64> {
        (self.options.return_stack_bits > 0).then_some(self.return_stack.len() as u64)
    }

    /// What a jump leaves open.
    fn jump(&mut self, event: &Event) -> Pending {
        let mut depth = None;
        if self.options.return_stack_bits > 0 && event.is_return && !event.call {
            match self.return_stack.last() {
                Some(address) if *address == event.target => {
                    self.return_stack.pop();
                    return Pending::Nothing;
                }
                Some(_) => depth = self.depth(),
                None => {}
            }
        }
        Pending::Target(event.target, depth)
    }

    /// Pushes the return address of a call; the oldest falls out of a full stack.
    fn call(&mut self, event: &Event) {
        if self.options.return_stack_bits > 0 && event.call && event.taken {
            if self.return_stack.len() == 1 << self.options.return_stack_bits {
                self.return_stack.remove(0);
            }
            self.return_stack.push(event.program_counter.wrapping_add(event.length.into()));
        }
    }

    /// Adds a branch to the map or to the count; false if it ends the count.
    fn add(&mut self, address: u64, taken: bool) -> bool {
        if let Some(predictor) = &mut self.predictor {
            let right = predictor.predicts(address, taken);
            if let Some(counted) = &mut predictor.counted {
                *counted += u64::from(right);
                return right;
            }
            predictor.all_right &= right;
        }
        self.map |= u64::from(!taken) << self.branches;
        self.branches += 1;
        if let Some(predictor) = &mut self.predictor
            && self.branches == FULL_MAP
            && predictor.all_right
        {
            predictor.counted = Some(FULL_MAP.into());
            (self.branches, self.map) = (0, 0);
        }
        true
    }

    fn branch(&mut self, address: u64, taken: bool, sink: &mut dyn Sink) {
        if !self.add(address, taken) {
            self.counted(0).send(sink);
            self.reset_branches();
        } else if self.branches == FULL_MAP {
            let map = Payload::default().with(fields::FORMAT, 1, 2).with(fields::BRANCHES, 0, 5);
            map.with(fields::BRANCH_MAP, self.map, FULL_MAP).send(sink);
            self.reset_branches();
        }
    }

    fn reset_branches(&mut self) {
        (self.branches, self.map) = (0, 0);
        if let Some(predictor) = &mut self.predictor {
            (predictor.all_right, predictor.counted) = (true, None);
        }
    }

    /// A payload of format 0 begins with its kind where there are two.
    fn extension(&self, subformat: u64) -> Payload {
        let both = self.options.prediction_bits > 0 && self.options.cache_bits > 0;
        let payload = Payload::default().with(fields::FORMAT, 0, 2);
        payload.with(fields::SUBFORMAT, subformat, u32::from(both))
    }

    fn counted(&self, branch_format: u64) -> Payload {
        let counted = self.predictor.as_ref().and_then(|predictor| predictor.counted);
        let more = counted.unwrap_or(0).saturating_sub(FULL_MAP.into());
        let payload = self.extension(0).with(fields::BRANCH_COUNT, more, 32);
        payload.with(fields::BRANCH_FORMAT, branch_format, 2)
    }

    /// Reports an address, and the branch that is there.
    fn report(
        &mut self,
        address: u64,
        branch: Option<(u64, bool)>,
        updiscon: bool,
        depth: Option<u64>,
        sink: &mut dyn Sink,
    ) {
        let right = branch.is_none_or(|(address, taken)| self.add(address, taken));
        let counted = self.predictor.as_ref().is_some_and(|predictor| predictor.counted.is_some());
        let head = match (counted, self.branches) {
            (true, _) => self.counted(if right { 2 } else { 3 }),
            (false, 0) => Payload::default().with(fields::FORMAT, 2, 2),
            (false, _) => self.map(Payload::default().with(fields::FORMAT, 1, 2)),
        };
        let difference = address.wrapping_sub(self.last_address) as i64 >> 1;
        let plain = head
            .with(fields::ADDRESS, difference as u64, self.address_bits)
            .with_difference(fields::NOTIFY, false)
            .with_difference(fields::UPDISCON, updiscon);
        let plain = self.with_depth(plain, depth);
        let payload = match self.cached(address, depth).filter(|_| !counted && !updiscon) {
            Some(cached) if cached.bytes() < plain.bytes() => cached,
            _ => plain,
        };
        payload.send(sink);
        self.last_address = address;
        self.reset_branches();
    }

    fn map(&self, payload: Payload) -> Payload {
        let bits = map_bits(self.branches);
        let payload = payload.with(fields::BRANCHES, self.branches.into(), 5);
        payload.with(fields::BRANCH_MAP, self.map, bits)
    }

    /// Bits of the depth of the stack.
    fn depth_bits(&self) -> u32 {
        match self.options.return_stack_bits {
            0 => 0,
            bits => bits + 1,
        }
    }

    fn with_depth(&self, payload: Payload, depth: Option<u64>) -> Payload {
        let field: Field = fields::IRDEPTH;
        let payload = payload.with_difference(fields::IRREPORT, depth.is_some());
        match depth {
            Some(depth) => payload.with(field, depth, self.depth_bits()),
            // Any value says nothing; the sign is cut off.
            None => payload,
        }
    }

    /// The payload with the index of an address, if the cache has it; it is there from now on.
    fn cached(&mut self, address: u64, depth: Option<u64>) -> Option<Payload> {
        let last = self.cache.len().checked_sub(1)?;
        let index = (address >> 1) as usize & last;
        let hit = std::mem::replace(&mut self.cache[index], address) == address;
        let payload = self.extension(1).with(fields::INDEX, index as u64, self.options.cache_bits);
        hit.then(|| self.with_depth(self.map(payload), depth))
    }
}
