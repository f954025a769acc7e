//! What the rows of a log show, one after the other.

use std::sync::Arc;

use tracewright_image::{Image, InstructionSet};
use tracewright_sim::config::mask;

use super::convention::{Convention, Found};
use super::handlers::{Handlers, How, Suspect};
use super::lanes::{self, Lanes};
use super::order::{Order, Ordered};
use super::report::Report;
use super::row::{Port, Row};
use super::verdict::{self, Measures};
use super::word::{Leads, Traps, Word};
use crate::code::{whole, word_of};

/// Finds the conventions of a port in its rows.
///
/// ```
/// use tracewright_image::InstructionSet;
/// use tracewright_import::port::{Check, Convention, Kind, Port, Row};
///
/// let port = Port { kind: Kind::Rvfi, lanes: 1, word: true, next: true, ..Port::default() };
/// let mut check = Check::new(port, InstructionSet::RiscV32, None);
/// // `c.addi` as `addi`, and a jump to itself.
/// let rows = [(0x100, 0x0042_8293, 0x102), (0x102, 0x0000_006f, 0x102), (0x102, 0x0000_006f, 0x102)];
/// for (place, (program_counter, word, next)) in (2..).zip(rows) {
///     let (word, next) = (Some(word), Some(next));
///     check.row(&Row { place, program_counter, word, next, ..Row::default() });
/// }
/// let report = check.finish();
/// let expanded = report.found(Convention::CompressedExpanded).expect("evidence");
/// assert_eq!((expanded.count, expanded.first.as_slice()), (1, [2].as_slice()));
/// assert!(report.settings.to_toml("unit").contains("compressed = \"expanded\""));
/// ```
#[derive(Debug)]
pub struct Check {
    port: Port,
    set: InstructionSet,
    image: Option<Arc<Image>>,
    lanes: Lanes,
    order: Order,
    flow: Flow,
    /// The cycle of the last row, and the rows of that cycle.
    cycle: (Option<u64>, u32),
    /// Rows since the core was asked to stop.
    after_stall: u32,
}

/// What is found in rows that are in their order.
#[derive(Debug, Default)]
struct Flow {
    previous: Option<(Row, Option<Word>)>,
    found: Found,
    handlers: Handlers,
    measures: Measures,
}

impl Check {
    /// Before the first row of a port. Words are compared with those of the program if there is one.
    pub fn new(port: Port, set: InstructionSet, image: Option<Arc<Image>>) -> Self {
        Check {
            port,
            set,
            image,
            lanes: Lanes::default(),
            order: Order::default(),
            flow: Flow::default(),
            cycle: (None, 0),
            after_stall: 0,
        }
    }

    /// Takes an instruction that retires or traps.
    pub fn row(&mut self, row: &Row) {
        let Check { port, flow, cycle, after_stall, .. } = self;
        flow.measures.rows += 1;
        if row.stalled {
            *after_stall += 1;
            flow.measures.slack = flow.measures.slack.max(*after_stall);
            flow.found.add(Convention::AfterStall, row.place);
        } else {
            *after_stall = 0;
        }
        *cycle = match *cycle {
            (before, rows) if row.cycle.is_some() && before == row.cycle => (before, rows + 1),
            _ => (row.cycle, 1),
        };
        flow.measures.lanes = flow.measures.lanes.max(cycle.1).max(port.lanes);
        let before = self.lanes.push(*row);
        self.cycle_of(before);
    }

    /// Takes the rows of a cycle.
    fn cycle_of(&mut self, mut rows: Vec<Row>) {
        if lanes::are_reversed(self.set, &rows) {
            rows.reverse();
            for row in &rows[1..] {
                self.flow.found.add(Convention::LanesMixed, row.place);
            }
        }
        let Check { set, image, order, flow, .. } = self;
        for row in rows {
            order.push(row, &mut |ordered| flow.ordered(*set, image.as_deref(), ordered));
        }
    }

    /// In a cycle in which nothing retires, the core is asked to stop or not.
    pub fn idle(&mut self, stalled: bool) {
        if !stalled {
            self.after_stall = 0;
        }
    }

    /// What all rows have shown.
    pub fn finish(mut self) -> Report {
        let last = self.lanes.finish();
        self.cycle_of(last);
        let Check { port, set, image, mut order, mut flow, .. } = self;
        let image = image.as_deref();
        order.finish(&mut |ordered| flow.ordered(set, image, ordered));
        flow.handlers.forget();
        let Flow { found, handlers, measures, .. } = flow;
        let alignment = image.map(|image| image.machine().alignment);
        verdict::report(port, set, alignment, measures, found, handlers)
    }
}

impl Flow {
    fn ordered(&mut self, set: InstructionSet, image: Option<&Image>, ordered: Ordered) {
        let row = match ordered {
            Ordered::Next(row) => row,
            Ordered::Late(row) => {
                self.found.add(Convention::LanesMixed, row.place);
                row
            }
            Ordered::AfterGap(row) => {
                self.found.add(Convention::OrderGap, row.place);
                self.handlers.forget();
                self.previous = None;
                row
            }
            Ordered::Again(row) => return self.found.add(Convention::OrderAgain, row.place),
        };
        let addresses = mask(set.address_bits().into());
        let program_counter = row.program_counter & addresses;
        let next = row.next.map(|next| next & addresses);
        let row = Row { program_counter, next, ..row };
        if let Some((before, word)) = self.previous.take() {
            if repeats(&before, word, &row) {
                self.previous = Some((before, word));
                return self.found.add(Convention::InterruptRepeats, row.place);
            }
            self.between(&before, word, &row, image);
        }
        let word = self.word(set, image, &row);
        self.previous = Some((row, word));
    }

    /// The word of a row, or that of the program where the port has none.
    fn word(&mut self, set: InstructionSet, image: Option<&Image>, row: &Row) -> Option<Word> {
        let in_program = image.map(|image| image_word(image, row.program_counter));
        if row.traps() {
            self.found.add(Convention::Trap, row.place);
            if row.trap > 1 {
                self.found.add(Convention::TrapRecord, row.place);
            }
        } else {
            if row.program_counter & 1 == 1 {
                self.found.add(Convention::JumpNowhere, row.place);
            }
            if row.word.is_none() {
                self.found.add(Convention::WordMissing, row.place);
            }
            if let (Some(in_program), Some(word)) = (in_program, row.word) {
                self.found.add(compare(in_program, word), row.place);
            }
        }
        self.measures.half_words |= row.program_counter & 2 == 2;
        let word = row.word.or(in_program.flatten())?;
        let word = Word::of(set, row.program_counter, word);
        if !row.traps() {
            if word.length == 2 {
                self.found.add(Convention::CompressedRaw, row.place);
            }
            if !word.exists {
                self.found.add(Convention::WordIllegal, row.place);
            }
        }
        Some(word)
    }

    /// What an instruction and the next row show.
    fn between(&mut self, row: &Row, word: Option<Word>, next: &Row, image: Option<&Image>) {
        let Some(word) = word else { return };
        let at = row.program_counter;
        let is_expanded = self.expanded(row, &word, next);
        let followed_by = |to| to == word.following(at) || is_expanded && to == at.wrapping_add(2);
        let leads = |to| match word.leads {
            Leads::On => followed_by(to),
            Leads::To(target) => to == target,
            Leads::Either(target) => to == target || followed_by(to),
            Leads::Jump | Leads::Return => true,
        };
        let step = Step { row, word, next, to: next.program_counter };
        if word.leads == Leads::Return {
            let to = row.next.filter(|next| !followed_by(*next)).unwrap_or(step.to);
            self.handlers.leave(to, word.leaves_debug);
        }
        match row.traps() {
            true => self.trapped(&step, leads),
            false => self.retired(&step, image, leads, followed_by),
        }
    }

    /// True if a word of 32 bits is that of a compressed instruction, as the addresses say.
    fn expanded(&mut self, row: &Row, word: &Word, next: &Row) -> bool {
        let half = row.program_counter.wrapping_add(2);
        let goes_on = matches!(word.leads, Leads::On | Leads::Either(_));
        let is_half = row.next == Some(half) && goes_on || next.program_counter == half && goes_on;
        let is_expanded = word.length == 4 && is_half;
        let is_whole = word.length == 4
            && goes_on
            && next.program_counter == word.following(row.program_counter);
        if is_expanded && !row.traps() {
            self.found.add(Convention::CompressedExpanded, row.place);
        }
        let is_compressed = match (is_expanded || word.length == 2, is_whole) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        if let (Some(said), Some(is_compressed)) = (row.compressed, is_compressed)
            && !row.traps()
        {
            let agrees = said == is_compressed;
            let convention = if agrees { Convention::PinAgrees } else { Convention::PinDisagrees };
            self.found.add(convention, row.place);
        }
        is_expanded
    }

    /// After an instruction that retired.
    fn retired(
        &mut self,
        step: &Step<'_>,
        image: Option<&Image>,
        leads: impl Fn(u64) -> bool,
        followed_by: impl Fn(u64) -> bool,
    ) {
        let Step { row, word, next, to } = *step;
        let marked = next.is_handler();
        let is_natural = leads(to);
        // A jump to its own target does not say how long it is.
        let half = row.program_counter.wrapping_add(2);
        let is_after = |said| followed_by(said) || word.length == 4 && said == half;
        let (is_diverted, convention) = match (word.leads, row.next) {
            (Leads::Jump | Leads::Return, None) => (marked, None),
            (_, None) => (!is_natural, None),
            (Leads::Jump | Leads::Return, Some(said)) if said == to => {
                (marked, Some(if marked { Convention::NextHandler } else { Convention::NextTrue }))
            }
            (Leads::Return, Some(said)) if followed_by(said) => {
                (marked, Some(Convention::NextAfterReturn))
            }
            (Leads::Return, Some(_)) => {
                self.found.add(Convention::ReturnDiverted, row.place);
                (true, Some(Convention::NextOwn))
            }
            (Leads::Jump, Some(said)) if is_after(said) && !marked && !next.traps() => {
                self.measures.jumps_with_following += 1;
                (false, Some(Convention::NextFallThrough))
            }
            (Leads::Jump, Some(said)) => {
                let is_code = image.is_none_or(|image| image.bytes_at(said).is_some());
                if !marked && (said & 1 == 1 || !is_code) {
                    self.found.add(Convention::JumpNowhere, row.place);
                }
                (true, Some(Convention::NextOwn))
            }
            (_, Some(said)) if word.is_custom && said == to && !is_natural && !marked => {
                self.handlers.leave(to, false);
                (false, Some(Convention::CustomJump))
            }
            (_, Some(said)) => {
                let convention = match (said == to, is_natural) {
                    (true, true) => Convention::NextTrue,
                    (true, false) => Convention::NextHandler,
                    (false, false) if leads(said) => Convention::NextOwn,
                    (false, _) if is_after(said) => Convention::NextFallThrough,
                    (false, _) => Convention::NextOther,
                };
                (!is_natural, Some(convention))
            }
        };
        // What traps without a mark has its handler as the next pc rightly.
        let is_call = word.traps == Traps::Always && is_diverted && !marked;
        if let Some(convention) = convention.filter(|_| !is_call) {
            self.found.add(convention, row.place);
        }
        let is_of_zc = word.pops || word.table_jump;
        if is_of_zc && !marked && to != word.following(row.program_counter) {
            self.found.add(Convention::ZcJump, row.place);
        }
        if word.pops && to == row.program_counter {
            self.found.add(Convention::PopAtTarget, row.place);
        }
        if marked {
            self.found.add(Convention::InterruptMarked, next.place);
        }
        if !is_diverted {
            return;
        }
        if is_call {
            self.found.add(Convention::TrapUnmarked, row.place);
        }
        let how = if marked || is_call { How::Marked } else { How::Unmarked };
        self.handlers.enter(to, next.place, how);
    }

    /// After an instruction with a trap.
    fn trapped(&mut self, step: &Step<'_>, leads: impl Fn(u64) -> bool) {
        let Step { row, word, next, to } = *step;
        let marked = next.is_handler();
        if marked {
            self.found.add(Convention::InterruptMarked, next.place);
        }
        let is_jump = matches!(word.leads, Leads::Jump | Leads::Return);
        if leads(to) && !is_jump && word.traps == Traps::Never {
            self.handlers.retired.add(row.place);
            return self.found.add(Convention::TrapNextOwn, row.place);
        }
        let own = row.next.filter(|said| *said != to && leads(*said));
        match own {
            Some(_) => self.found.add(Convention::TrapNextOwn, row.place),
            None if row.next == Some(to) => {
                self.found.add(Convention::TrapNextHandler, row.place);
            }
            None => {}
        }
        if own.is_some() && word.traps == Traps::Always {
            self.measures.calls_with_own_next += 1;
        }
        let own = match (row.next, word.leads) {
            (None, Leads::On) => Some(word.following(row.program_counter)),
            (None, Leads::To(target)) => Some(target),
            _ => own,
        };
        let suspect = own.filter(|_| word.traps == Traps::Never && !marked).map(|leads_to| {
            Suspect { place: row.place, program_counter: row.program_counter, leads_to }
        });
        self.handlers.enter(to, next.place, How::Trap(suspect));
    }
}

/// True if a row that is marked as the first one of a handler is the last instruction once more.
fn repeats(row: &Row, word: Option<Word>, next: &Row) -> bool {
    let is_loop = match word.map(|word| word.leads) {
        Some(Leads::On) => false,
        Some(Leads::To(target) | Leads::Either(target)) => target == next.program_counter,
        Some(Leads::Jump | Leads::Return) | None => true,
    };
    let is_same = row.program_counter == next.program_counter && row.word == next.word;
    next.is_handler() && is_same && !row.traps() && !is_loop
}

/// The word of the program at an address.
fn image_word(image: &Image, address: u64) -> Option<u32> {
    image.bytes_at(address).and_then(word_of)
}

/// What the word of the log is of that of the program.
fn compare(in_program: Option<u32>, word: u32) -> Convention {
    match in_program {
        None => Convention::ProgramOutside,
        Some(in_program) if in_program == whole(word) => Convention::ProgramSame,
        Some(in_program) if in_program & 3 != 3 && word & 3 == 3 => Convention::ProgramExpanded,
        Some(_) => Convention::ProgramOther,
    }
}

/// An instruction and the next row, which is at `to`.
#[derive(Clone, Copy)]
struct Step<'a> {
    row: &'a Row,
    word: Word,
    next: &'a Row,
    to: u64,
}
