//! How long a module may take, and so which losses need not be.
//!
//! The golden encoder follows the pins: it is told what was lost, and where packets begin. A module that loses blocks
//! without need would thus be equal to its model. So the bench has a cause for every loss, and a latest cycle for what
//! ends it:
//!
//! | the module | has a cause until |
//! |---|---|
//! | takes no first block after reset or after a flush | the tables are clear |
//! | takes no block where a synchronisation is due | the packet before has been sent and the tables are clear; then `synchronised` is high, if no block is lost before |
//! | goes on losing blocks | the same; then `synchronised` is high with the first lost block that may change the flow and passes the filter |
//! | begins to lose blocks in a packet | the blocks before have been sent |
//!
//! What a module sends takes as long as the sink wants. So cycles in a row in which `trace_valid` is low are counted:
//! with an idle port nothing but the clearing of the tables is left, a search in memories if the design has one, and a
//! few cycles of the encoder. No rule holds while tracing is off.

use std::sync::Arc;

use crate::error::Result;
use crate::library::Library;
use crate::model::Model;
use crate::pins::{RetirePins, TracePins};

/// Cycles that a module may take besides those in which it clears its tables, while its port is idle, at the least.
const LEAST_ENCODING: u64 = 64;

/// Cycles until the first bits of a record leave the encoder.
const LATENCY: u64 = 16;

/// Cycles until the bits of the records inside fill two trace words, of which an AXI4-Stream port holds the first one until
/// the second follows: an encoder may send one bit in a cycle.
fn encoding(word_bits: u64) -> u64 {
    LEAST_ENCODING.max(2 * word_bits + LATENCY)
}

/// Cycles after which a module that does not take a block is as broken as it ever will be.
const MOST_CLEARING: u64 = 1 << 20;

/// What a module needs some time for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::input) enum Waiting {
    /// Nothing: a packet is open.
    Nothing,
    /// Tables that are clear, for its first block.
    ForTables,
    /// The beginning of a packet that is due.
    ForPacket,
    /// The end of a loss.
    ForEnd,
}

/// What happened in a cycle, as far as it matters here.
#[derive(Clone, Copy, Debug)]
pub(in crate::input) struct Cycle {
    /// The module traces, and no flush has begun.
    pub(in crate::input) is_on: bool,
    /// A beat is at the trace port.
    pub(in crate::input) sends: bool,
    /// A block is taken.
    pub(in crate::input) takes: bool,
    /// A block is lost that passes the filter.
    pub(in crate::input) loses: bool,
    /// Such a block may change the flow, and what comes after it passes the filter.
    pub(in crate::input) may_go_on: bool,
    /// What the module needs after this cycle.
    pub(in crate::input) waiting: Waiting,
}

/// Counts the cycles that a module takes.
#[derive(Debug)]
pub(in crate::input) struct Patience {
    /// Cycles in which the tables are cleared.
    clearing: u64,
    /// Cycles that the module may take besides, while its port is idle.
    working: u64,
    waiting: Waiting,
    /// Cycles in a row with an idle port since the module began to need time.
    silent: u64,
    /// Cycles in a row with an idle port and without a block that is taken.
    quiet: u64,
}

impl Patience {
    /// Patience with a module that clears its tables in so many cycles, has trace words of so many bits, and whose searches
    /// may take `silent` cycles in a row.
    pub(in crate::input) fn new(clearing: u64, word_bits: u64, silent: u32) -> Self {
        let working = encoding(word_bits) + u64::from(silent);
        Patience { clearing, working, waiting: Waiting::ForTables, silent: 0, quiet: 0 }
    }

    /// Cycles in which the tables are cleared.
    pub(in crate::input) fn clearing(&self) -> u64 {
        self.clearing
    }

    /// The tables are clear, and what was sent before has left.
    pub(in crate::input) fn is_over(&self) -> bool {
        self.silent > self.clearing + self.working
    }

    /// The port was idle for so long that nothing is left to be sent.
    pub(in crate::input) fn is_quiet(&self) -> bool {
        self.quiet > self.working
    }

    /// Counts a cycle; the rule that is broken in it, if one is.
    pub(in crate::input) fn pass(&mut self, cycle: &Cycle) -> Option<&'static str> {
        let Cycle { is_on, sends, takes, loses, may_go_on, waiting } = *cycle;
        let before = std::mem::replace(&mut self.waiting, waiting);
        let is_late = self.is_over();
        let broken = match (before, waiting) {
            _ if !is_on => None,
            (Waiting::ForTables, Waiting::ForEnd) if is_late && loses => {
                Some("a block is lost although the tables are clear")
            }
            (Waiting::ForPacket, Waiting::ForPacket) if is_late => {
                Some("a synchronisation is due and no packet begins")
            }
            (Waiting::ForEnd, Waiting::ForEnd) if is_late && may_go_on => {
                Some("blocks are lost although the tables are clear")
            }
            (Waiting::Nothing, Waiting::ForEnd) if self.is_quiet() && loses => {
                Some("a block is lost although nothing waits in the module")
            }
            _ => None,
        };
        let is_silent = is_on && !sends;
        self.silent = if is_silent && before == waiting { self.silent + 1 } else { 0 };
        self.quiet = if is_silent && !takes { self.quiet + 1 } else { 0 };
        broken
    }
}

/// Cycles in which a module clears its tables after reset, at most [`MOST_CLEARING`].
pub(in crate::input) fn clearing(library: &Arc<Library>, retire: &RetirePins) -> Result<u64> {
    let mut model = Model::new(library, 0)?;
    let pins = TracePins::find(library)?;
    model.reset(1)?;
    for pin in [pins.enable, pins.clock_enable].into_iter().flatten() {
        model.set(pin, 1);
    }
    for cycles in 0..MOST_CLEARING {
        model.cycle()?;
        if model.get(retire.stall) == 0 {
            return Ok(cycles);
        }
    }
    Ok(MOST_CLEARING)
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDLE: Cycle = Cycle {
        is_on: true,
        sends: false,
        takes: false,
        loses: false,
        may_go_on: false,
        waiting: Waiting::Nothing,
    };

    /// The first of many cycles like this in which a rule is broken, from a cycle in which a packet is open.
    fn latest(cycle: Cycle, word_bits: u64) -> Option<u64> {
        let mut patience = Patience::new(512, word_bits, 0);
        patience.pass(&IDLE);
        (0..2_000).find(|_| patience.pass(&cycle).is_some())
    }

    #[test]
    fn a_module_has_time_to_clear_its_tables() {
        let due = Cycle { waiting: Waiting::ForPacket, ..IDLE };
        assert_eq!(latest(due, 8), Some(512 + LEAST_ENCODING + 2));
        assert_eq!(
            latest(due, 45),
            Some(512 + 2 * 45 + LATENCY + 2),
            "an AXI4-Stream port holds a word"
        );
        assert_eq!(
            latest(Cycle { sends: true, ..due }, 8),
            None,
            "the sink does not take what is sent"
        );
        assert_eq!(latest(Cycle { is_on: false, ..due }, 8), None);
    }

    #[test]
    fn a_loss_ends_where_the_flow_may_change() {
        let lost = Cycle { loses: true, waiting: Waiting::ForEnd, ..IDLE };
        assert_eq!(latest(lost, 8), None);
        assert_eq!(latest(Cycle { may_go_on: true, ..lost }, 8), Some(512 + LEAST_ENCODING + 2));
    }

    #[test]
    fn an_idle_module_loses_nothing() {
        let lost = Cycle { loses: true, waiting: Waiting::ForEnd, ..IDLE };
        for search in [0, 300] {
            let working = LEAST_ENCODING + u64::from(search);
            for cycles in [working, working + 1] {
                let mut patience = Patience::new(512, 8, search);
                patience.pass(&Cycle { takes: true, ..IDLE });
                assert!((0..cycles).all(|_| patience.pass(&IDLE).is_none()));
                assert_eq!(patience.pass(&lost).is_some(), cycles > working);
            }
        }
    }
}
