//! Events into messages.

use tracewright_sim::event::{Event, Isa, Kind};
use tracewright_sim::field::Sink;

use super::message::Message;
use super::path::Path;
use super::{FULL_HISTORY, HISTORY_FULL, HISTORY_REPEATED, codes, fields};
use crate::{Core, Encode, EncodeError};

/// An indirect branch as a message says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Branch {
    count: u64,
    target: u64,
    history: u64,
}

struct Encoder {
    path: Path,
    started: bool,
    last_address: u64,
    /// Outcomes after a first 1, the newest lowest.
    history: u64,
    /// The last message of a branch if nothing else was sent since, and how often it came again.
    last: Option<Branch>,
    repeats: u64,
    /// A full history that was not sent yet, and how often it came.
    full: Option<(u64, u64)>,
    events: u64,
}

/// An N-Trace encoder at the start of a trace.
///
/// # Errors
/// When the core is not RISC-V.
pub fn encoder(core: &Core) -> Result<Box<dyn Encode>, EncodeError> {
    if core.machine.isa != Isa::RiscV {
        return Err(EncodeError::Machine { isa: core.machine.isa });
    }
    Ok(Box::new(Encoder {
        path: Path::new(None),
        started: false,
        last_address: 0,
        history: 1,
        last: None,
        repeats: 0,
        full: None,
        events: 0,
    }))
}

impl Encode for Encoder {
    fn event(&mut self, event: &Event, sink: &mut dyn Sink) -> Result<(), EncodeError> {
        let Event { instructions, program_counter, target, kind, taken, .. } = *event;
        self.events += 1;
        if kind == Kind::IndirectConditional {
            return Err(EncodeError::IndirectConditional { event: self.events - 1 });
        }
        if kind == Kind::Exception && taken {
            if self.events == 1 && instructions == 0 {
                self.start(target, sink);
                return Ok(());
            }
            return Err(EncodeError::Exception { event: self.events - 1 });
        }
        if !self.started {
            self.start(program_counter, sink);
        }
        let is_predicted = self.path.event(event);
        if kind == Kind::DirectConditional {
            self.history = self.history << 1 | u64::from(taken);
            if self.history >> FULL_HISTORY == 1 {
                self.history_is_full(sink);
            }
        }
        if kind == Kind::IndirectJump && !is_predicted {
            self.branch(target, sink);
        }
        Ok(())
    }

    fn finish(&mut self, sink: &mut dyn Sink) -> Result<(), EncodeError> {
        self.send_repeats(sink);
        self.send_full(sink);
        Message::new(codes::CORRELATION)
            .fixed(fields::REASON, 0, 4)
            .fixed(fields::BRANCH_TYPE, 1, 2)
            .variable(fields::COUNT, self.path.count)
            .variable(fields::HISTORY, self.history)
            .send(sink);
        Ok(())
    }
}

impl Encoder {
    fn start(&mut self, address: u64, sink: &mut dyn Sink) {
        self.started = true;
        self.last_address = address;
        self.path = Path::new(Some(address));
        Message::new(codes::SYNC)
            .fixed(fields::REASON, 0, 4)
            .variable(fields::COUNT, 0)
            .variable(fields::ADDRESS, address >> 1)
            .send(sink);
    }

    fn history_is_full(&mut self, sink: &mut dyn Sink) {
        let history = std::mem::replace(&mut self.history, 1);
        self.send_repeats(sink);
        self.last = None;
        match &mut self.full {
            Some((same, times)) if *same == history => *times += 1,
            _ => {
                self.send_full(sink);
                self.full = Some((history, 1));
            }
        }
    }

    fn send_full(&mut self, sink: &mut dyn Sink) {
        let Some((history, times)) = self.full.take() else { return };
        let code = if times == 1 { HISTORY_FULL } else { HISTORY_REPEATED };
        let message = Message::new(codes::RESOURCE_FULL).fixed(fields::REASON, code, 4);
        let message = message.variable(fields::HISTORY, history);
        match times {
            1 => message.send(sink),
            _ => message.variable(fields::REPEAT, times).send(sink),
        }
    }

    fn send_repeats(&mut self, sink: &mut dyn Sink) {
        if self.repeats > 0 {
            Message::new(codes::REPEAT_BRANCH).variable(fields::REPEAT, self.repeats).send(sink);
            self.repeats = 0;
        }
    }

    fn branch(&mut self, target: u64, sink: &mut dyn Sink) {
        let history = std::mem::replace(&mut self.history, 1);
        let branch = Branch { count: std::mem::take(&mut self.path.count), target, history };
        if self.last == Some(branch) {
            self.repeats += 1;
            return;
        }
        self.send_repeats(sink);
        self.send_full(sink);
        let address = target ^ std::mem::replace(&mut self.last_address, target);
        Message::new(codes::INDIRECT_BRANCH_HISTORY)
            .fixed(fields::BRANCH_TYPE, 0, 2)
            .variable(fields::COUNT, branch.count)
            .variable(fields::ADDRESS, address >> 1)
            .variable(fields::HISTORY, history)
            .send(sink);
        self.last = Some(branch);
    }
}
