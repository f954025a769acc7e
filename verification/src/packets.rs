//! What a trace of packets decodes to: all that retired but what its headers say was lost.

use std::io::Read;
use std::iter::Peekable;

use tracewright_sim::config::{Protocol, mask};
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::{Event, ExecutionState, Item, Kind};
use tracewright_sim::filter::{Filter, Settings};
use tracewright_sim::packet::header::{Loss, LossCause, MOST_LOST, Next};
use tracewright_sim::packet::part::{Gap, Part, Reason};
use tracewright_sim::program::Program;
use tracewright_sim::scheme::{self, Design};

use crate::cosimulation::comparable;
use crate::error::{Error, Result};
use crate::source::{Items, Workload};

/// True if every event of the trace is the next one of the workload, after as many instructions as each gap has lost.
///
/// The workload begins again after each of at most `resets` resets. After a gap of at least [`MOST_LOST`]
/// instructions, as one of what was discarded, nothing more is compared up to the next one, as it does not say how
/// many are missing.
pub(crate) fn decodes_packets<R: Read>(
    design: &Design,
    program: &Program,
    workload: &Workload,
    bits: &mut BitUnpacker<R>,
    resets: usize,
    filter: &Settings,
) -> Result<bool> {
    let new = |resets| Execution::new(design, workload, resets, filter);
    let mut executions = vec![new(resets)?];
    let emit = |part| {
        match part {
            Part::Event(event) => retain(&mut executions, |execution| execution.has(event))?,
            Part::State(state) => {
                retain(&mut executions, |execution| Ok(execution.goes_on_in(state)))?
            }
            // Bit for bit what the golden encoder was told.
            Part::Time(_) | Part::Unverified => {}
            Part::Gap(Gap { reason: Reason::Lost(loss), .. })
                if loss.cause == LossCause::Discarded =>
            {
                executions.append(&mut restarts(new, &executions)?);
                executions.iter_mut().for_each(Execution::is_discarded);
            }
            Part::Gap(Gap { reason: Reason::Lost(loss), trailing_instructions, .. }) => {
                // A core that does not wait may lose its first blocks after a reset, of which the trace then has no
                // sign.
                let mut restarted = restarts(new, &executions)?;
                retain(&mut restarted, |execution| execution.loses(0, loss))?;
                retain(&mut executions, |execution| execution.loses(trailing_instructions, loss))?;
                executions.append(&mut restarted);
            }
            Part::Gap(Gap { reason: Reason::Reset, .. }) => {
                executions = restarts(new, &executions)?;
            }
            // What was in the module at a reset.
            Part::Gap(_) => executions.iter_mut().for_each(|execution| execution.is_cut = true),
        }
        Ok::<(), Error>(())
    };
    let most_instructions = workload.learned().instructions.saturating_mul(resets as u64 + 1);
    scheme::decode_packets(design, program, bits, most_instructions, emit)?;
    retain(&mut executions, Execution::is_over)?;
    Ok(!executions.is_empty())
}

/// Keeps the executions of which something is true.
fn retain(
    executions: &mut Vec<Execution>,
    mut is_so: impl FnMut(&mut Execution) -> Result<bool>,
) -> Result<()> {
    let mut kept = Vec::with_capacity(executions.len());
    for mut execution in executions.drain(..) {
        if is_so(&mut execution)? {
            kept.push(execution);
        }
    }
    *executions = kept;
    Ok(())
}

/// The execution after another reset, if there can be one.
fn restarts(
    new: impl Fn(usize) -> Result<Execution>,
    executions: &[Execution],
) -> Result<Vec<Execution>> {
    let resets = executions.iter().map(|execution| execution.resets).max();
    let left = resets.and_then(|resets| resets.checked_sub(1));
    left.map(new).into_iter().collect()
}

/// What may have retired so far.
struct Execution {
    items: Peekable<Items>,
    protocol: Protocol,
    /// In what the execution goes on after the last event that was taken or passed over, with the cause of that.
    now: ExecutionState,
    /// The same as the trace has told it.
    told: ExecutionState,
    /// The cause of the last event of the trace, which it still has to tell.
    cause: Option<u64>,
    /// Exceptions after no instruction may have been lost with those before.
    behind_loss: bool,
    /// False after a gap that does not say how many instructions are missing.
    is_known: bool,
    /// Bits are missing, so a reset has to follow.
    is_cut: bool,
    /// Resets that may come.
    resets: usize,
    filter: Filter,
    /// The last event that was taken or passed over passes the filter.
    passes: bool,
}

impl Execution {
    fn new(design: &Design, workload: &Workload, resets: usize, filter: &Settings) -> Result<Self> {
        Ok(Self {
            items: workload.items_for(design)?.peekable(),
            protocol: design.protocol().clone(),
            now: design.protocol().reset_state(),
            told: design.protocol().reset_state(),
            cause: None,
            behind_loss: false,
            is_known: true,
            is_cut: false,
            resets,
            filter: Filter::new(filter.clone(), design.processor().alignment),
            passes: true,
        })
    }

    fn next(&mut self) -> Result<Option<Event>> {
        while let Some(item) = self.items.next() {
            if let Item::Event(event) = item.map_err(Error::Items)? {
                self.pass(&event)?;
                return Ok(Some(event));
            }
        }
        Ok(None)
    }

    /// Takes the state after an event.
    fn pass(&mut self, event: &Event) -> Result<()> {
        let Protocol { context_bits, privilege_bits, cause_bits, .. } = self.protocol;
        let is_state = |item: &<Items as Iterator>::Item| matches!(item, Ok(Item::State(_)));
        let mut cause = None;
        if let Some(Item::State(state)) =
            self.items.next_if(is_state).transpose().map_err(Error::Items)?
        {
            self.now.context = state.context & mask(context_bits);
            self.now.privilege = state.privilege & mask(privilege_bits) as u8;
            cause = state.cause;
        }
        let has_cause = event.kind == Kind::Exception && event.taken && cause_bits > 0;
        self.now.cause = has_cause.then(|| cause.unwrap_or(0) & mask(cause_bits));
        self.passes = self.filter.traces();
        if event.kind != Kind::Exception || event.taken {
            let last = event.program_counter;
            let next = if event.taken { Next::At(event.target) } else { Next::After(last) };
            self.filter.decide(last, next, &self.now);
        }
        Ok(())
    }

    /// True if this is how the execution goes on; before the next event that is compared with the input.
    fn goes_on_in(&mut self, state: ExecutionState) -> bool {
        if self.is_cut || !self.is_known {
            return !self.is_cut;
        }
        self.told = ExecutionState { cause: None, ..state };
        state.cause == self.cause.take()
    }

    /// True if this event is next.
    fn has(&mut self, event: Event) -> Result<bool> {
        if self.is_cut || !self.is_known {
            return Ok(!self.is_cut);
        }
        let wanted = comparable(Item::Event(event));
        loop {
            let before = ExecutionState { cause: None, ..self.now };
            let Some(mut next) = self.next()? else { return Ok(false) };
            if self.behind_loss && event.instructions == 0 && next.kind == Kind::Exception {
                // Of the instruction before it nothing is known.
                next.program_counter = event.program_counter;
            }
            // Of two exceptions that are alike the first may have been lost, and the state with it.
            let is_it = comparable(Item::Event(next)) == wanted
                && self.passes
                && (!self.behind_loss || before == self.told);
            if is_it {
                self.behind_loss = false;
                let told_cause = self.cause.is_none();
                self.cause = self.now.cause;
                return Ok(told_cause && before == self.told);
            }
            if !self.behind_loss || next.instructions > 0 {
                return Ok(false);
            }
        }
    }

    /// Passes over instructions that have no event and over those that were lost; false if they end within an event, or
    /// some pass the filter that a core which waits would not lose.
    fn loses(&mut self, trailing: u64, loss: Loss) -> Result<bool> {
        let Loss { instructions: lost, cause } = loss;
        let is_filtered = cause == LossCause::Filtered;
        let waits = !self.protocol.drops_blocks() && !self.protocol.enable_pin;
        if waits && !is_filtered {
            return Ok(false);
        }
        self.is_known &= lost < MOST_LOST;
        if self.is_cut || !self.is_known {
            return Ok(!self.is_cut);
        }
        let (mut left, mut is_first) = (trailing + lost, true);
        while left > 0 {
            let Some(event) = self.next()? else { return Ok(false) };
            // Of what was filtered the first run, which may be an exception after no instruction, did not pass in any
            // case.
            if is_filtered && self.passes && (waits || is_first) {
                return Ok(false);
            }
            is_first = false;
            match left.checked_sub(event.instructions) {
                Some(rest) => left = rest,
                None => return Ok(false),
            }
        }
        self.behind_loss = true;
        Ok(true)
    }

    /// How much of it was discarded is not known, and what was cut off belongs to it.
    fn is_discarded(&mut self) {
        (self.is_known, self.is_cut) = (false, false);
    }

    /// True if only exceptions that were lost are left.
    fn is_over(&mut self) -> Result<bool> {
        if self.is_cut || !self.is_known {
            return Ok(!self.is_cut);
        }
        Ok(match self.next()? {
            None => true,
            Some(event) => self.behind_loss && event.instructions == 0,
        })
    }
}
