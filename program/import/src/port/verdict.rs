//! What the evidence of a port says of the adapter that fits.

use tracewright_image::InstructionSet;
use tracewright_sim::ingress::Queue;
use tracewright_sim::rvfi::{Compressed, Trapped};

use super::convention::{Convention as C, Found};
use super::handlers::Handlers;
use super::report::{Report, Sentence};
use super::row::{Kind, Port};
use super::settings::{DEFAULT_SLACK, Settings};

/// Rows without a compressed instruction after which a core counts as one that has none.
const ROWS_WITHOUT_COMPRESSED: u64 = 256;

/// Diversions after which a next pc that is always right counts as a delayed pc.
const DIVERSIONS_OF_DELAY: u64 = 2;

/// Expanded words are one in so many compressed instructions at least, where they are no accident.
const ACCIDENTS: u64 = 64;

/// The longest slack that an adapter can have.
const SLACK_MAX: u32 = 60;

/// What was measured beside the conventions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Measures {
    pub rows: u64,
    pub lanes: u32,
    /// Cycles whose instructions are not in the order of their lanes, but have numbers.
    pub numbered_cycles: u64,
    /// The most instructions that retired after the core was asked to stop.
    pub slack: u32,
    /// An address was no multiple of 4.
    pub half_words: bool,
    /// System calls and illegal words with a trap whose next pc is the following address.
    pub calls_with_own_next: u64,
    /// Jumps to the address in a register whose next pc is the following address.
    pub jumps_with_following: u64,
}

/// Puts a report together.
pub(super) struct Verdict {
    port: Port,
    measures: Measures,
    found: Found,
    pub(super) advice: Vec<Sentence>,
    obstacles: Vec<Sentence>,
}

/// The report on a port; the alignment is that of the program, if there is one.
pub(super) fn report(
    port: Port,
    set: InstructionSet,
    alignment: Option<u8>,
    measures: Measures,
    found: Found,
    handlers: Handlers,
) -> Report {
    let (advice, obstacles) = (Vec::new(), Vec::new());
    let mut verdict = Verdict { port, measures, found, advice, obstacles };
    verdict.name_conventions(&handlers);
    let bits = u32::from(set.address_bits());
    let compressed = verdict.compressed();
    let trap = verdict.trap(&handlers);
    let (port, pins) = verdict.port();
    let settings = Settings {
        alignment: verdict.alignment(alignment),
        address_width: bits,
        port,
        lanes: verdict.lanes(),
        xlen: bits,
        slack: verdict.slack(),
        compressed,
        trap,
        pins,
    };
    verdict.interrupts();
    verdict.unseen();
    verdict.program();
    verdict.flow();
    let Verdict { port, measures, found, advice, obstacles } = verdict;
    let conventions =
        C::ALL.into_iter().map(|convention| (convention, found.of(convention).clone()));
    let conventions = conventions.filter(|(_, rows)| rows.count > 0).collect();
    Report { rows: measures.rows, port, conventions, settings, advice, obstacles }
}

impl Verdict {
    pub(super) fn count(&self, convention: C) -> u64 {
        self.found.count(convention)
    }

    pub(super) fn has(&self, convention: C) -> bool {
        self.count(convention) > 0
    }

    pub(super) fn advise(&mut self, convention: C, text: impl Into<String>) {
        self.advice.push(Sentence { convention: Some(convention), text: text.into() });
    }

    pub(super) fn object(&mut self, convention: C, text: impl Into<String>) {
        self.obstacles.push(Sentence { convention: Some(convention), text: text.into() });
    }

    /// Names what only all rows together show.
    fn name_conventions(&mut self, handlers: &Handlers) {
        *self.found.of_mut(C::InterruptUnmarked) = handlers.unmarked_entries();
        *self.found.of_mut(C::DebugEntry) = handlers.debug_entries();
        let others = [C::NextOwn, C::NextFallThrough, C::NextAfterReturn, C::NextOther];
        let is_delayed = self.count(C::NextHandler) >= DIVERSIONS_OF_DELAY
            && !others.into_iter().any(|other| self.has(other))
            && ![C::Trap, C::InterruptMarked].into_iter().any(|other| self.has(other));
        if is_delayed {
            self.found.rename(C::NextHandler, C::NextDelayed);
        }
    }

    fn compressed(&mut self) -> Compressed {
        let expanded = self.count(C::CompressedExpanded).max(self.count(C::ProgramExpanded));
        if expanded == 0 || expanded < self.count(C::CompressedRaw) / ACCIDENTS {
            return Compressed::Raw;
        }
        let shown = match self.has(C::CompressedExpanded) {
            true => C::CompressedExpanded,
            false => C::ProgramExpanded,
        };
        // A handler right after interrupted code looks like a contradiction, too.
        if self.count(C::PinDisagrees) > self.count(C::PinAgrees) / ACCIDENTS {
            self.advise(
                C::PinDisagrees,
                "the pin for compressed instructions contradicts the addresses: leave it out",
            );
        } else if self.has(C::PinAgrees) {
            self.advise(
                shown,
                "compressed instructions have words of 32 bits, and a pin says what they are: \
                 compressed = \"pin\"",
            );
            return Compressed::Pin;
        }
        self.advise(
            shown,
            "compressed instructions have words of 32 bits, so that only the next address says their length: \
             compressed = \"expanded\"",
        );
        Compressed::Expanded
    }

    fn alignment(&self, of_program: Option<u8>) -> u8 {
        let is_compressed = self.measures.half_words
            || self.has(C::CompressedRaw)
            || self.has(C::CompressedExpanded);
        match of_program {
            _ if is_compressed => 1,
            Some(alignment) => alignment,
            None => {
                if self.measures.rows >= ROWS_WITHOUT_COMPRESSED {
                    2
                } else {
                    1
                }
            }
        }
    }

    fn trap(&mut self, handlers: &Handlers) -> Trapped {
        let Handlers { retired, again, open, .. } = handlers;
        let open_count = if again.count == 0 { open.count } else { 0 };
        if retired.count + open_count <= self.measures.calls_with_own_next {
            if self.has(C::TrapUnmarked) && !self.has(C::Trap) {
                self.advise(
                    C::TrapUnmarked,
                    "system calls and illegal words trap without a mark, and are traced as instructions that retired \
                     before an exception",
                );
            }
            return Trapped::NotRetired;
        }
        if self.measures.calls_with_own_next > 0 || !self.port.next {
            let because = match self.port.next {
                true => "the next pc is the same after an instruction that did not retire",
                false => "the port has no next pc that tells them apart",
            };
            self.found.of_mut(C::TrapRetired).merge(retired);
            self.object(
                C::TrapRetired,
                format!(
                    "instructions with a trap have retired, and {because}: connect the bit of the trap that says \
                     exception, which is bit 1 of CV32E40X"
                ),
            );
            return Trapped::NotRetired;
        }
        // What a handler leaves as if it had retired shows what all of them have done.
        self.found.rename(C::TrapNextOwn, C::TrapRetired);
        self.advise(
            C::TrapRetired,
            "instructions with a trap have retired, as before an entry into debug mode: trap = \"checked\"",
        );
        Trapped::Checked
    }

    fn port(&mut self) -> (Kind, Vec<&'static str>) {
        let is_delayed = self.has(C::NextDelayed);
        let lies = self.has(C::NextFallThrough) || self.has(C::NextOther);
        let jumps_lie = self.measures.jumps_with_following > 0;
        if self.has(C::NextHandler) {
            self.advise(
                C::NextHandler,
                "the next pc is the handler in some rows before an interrupt: the adapter takes it as an interrupt, \
                 because the word cannot lead there",
            );
        }
        if self.has(C::NextFallThrough) {
            self.advise(
                C::NextFallThrough,
                match jumps_lie {
                    true => "the next pc is the following address in rows of jumps, too, so that it is left out",
                    false => {
                        "the next pc is a predicted one in some rows: the adapter takes where the next instruction is \
                         instead"
                    }
                },
            );
        }
        if self.has(C::NextAfterReturn) {
            self.advise(
                C::NextAfterReturn,
                "the next pc of a return from a trap is not where it leads: the adapter takes where the next \
                 instruction is instead",
            );
        }
        if self.has(C::NextOther) {
            self.advise(C::NextOther, "the next pc is wrong in some rows, so that it is left out");
        }
        let wrong = self.has(C::NextOther) || jumps_lie;
        let Port { kind, next, trap, interrupt, .. } = self.port;
        let is_numbered = self.lanes_are_numbered();
        if kind == Kind::Rvfi && next && !is_delayed && !wrong && !is_numbered {
            return (Kind::Rvfi, Vec::new());
        }
        if is_delayed {
            self.advise(
                C::NextDelayed,
                "the next pc says no more than the next row: the port retired needs none, and no register for a delay",
            );
        }
        let is_given = |pin: bool, ever: bool| pin && (ever || kind == Kind::Retired);
        let pins = [
            ("trap", is_given(trap, self.has(C::Trap))),
            ("interrupt", is_given(interrupt, self.has(C::InterruptMarked))),
            ("next", next && !is_delayed && !lies),
            ("number", is_numbered),
        ];
        (
            Kind::Retired,
            pins.into_iter().filter(|(_, is_there)| *is_there).map(|(pin, _)| pin).collect(),
        )
    }

    /// True if the numbers of instructions, and no cycle, say that lanes are not in the order of the program.
    fn lanes_are_numbered(&self) -> bool {
        let cycles = self.measures.numbered_cycles;
        cycles > 0 && cycles == self.found.count(C::LanesMixed)
    }

    fn lanes(&mut self) -> u32 {
        if self.lanes_are_numbered() {
            self.advise(
                C::LanesMixed,
                "a later instruction stands in a lower lane: the port retired with the pin number, of three bits, takes \
                 them as they are numbered",
            );
        } else if self.has(C::LanesMixed) {
            self.object(
                C::LanesMixed,
                "a later instruction stands before an earlier one: connect the oldest instruction of a cycle to lane 0, \
                 as the order says",
            );
        }
        let most = *Queue::LANES.end();
        let lanes = self.measures.lanes.max(1);
        if lanes > most {
            self.obstacles.push(Sentence {
                convention: None,
                text: format!(
                    "{lanes} instructions retire in a cycle, and an adapter takes at most {most}"
                ),
            });
        }
        lanes
    }

    fn slack(&mut self) -> Option<u32> {
        let slack = self.measures.slack;
        if !self.port.stall || slack <= DEFAULT_SLACK * self.measures.lanes.max(1) {
            return None;
        }
        if slack > SLACK_MAX {
            self.object(
                C::AfterStall,
                format!(
                    "{slack} instructions retire while the core is asked to stop: it does not stop, and needs a design \
                     with when_full = \"drop\""
                ),
            );
            return None;
        }
        self.advise(
            C::AfterStall,
            format!(
                "up to {slack} instructions retire after the core is asked to stop: slack = {slack}"
            ),
        );
        Some(slack)
    }
}
