//! What the rows of a log show, one after the other.

use std::sync::Arc;

use tracewright_image::{Image, InstructionSet};
use tracewright_sim::config::mask;

use super::convention::{Convention, Found};
use super::handlers::{Handlers, How, Suspect};
use super::lanes::{self, Lanes};
use super::order::{self, Order, Ordered};
use super::report::Report;
use super::row::{Port, Row};
use super::step::Step;
use super::verdict::{self, Measures};
use super::word::{Leads, Word};
use crate::code::{whole, word_of};

/// Finds the conventions of a port in its rows.
///
/// ```
/// use tracewright_image::InstructionSet;
/// use tracewright_import::port::{Check, Convention, Kind, Port, Row};
///
/// let port = Port { kind: Kind::Rvfi, lanes: 1, word: true, next: true, ..Port::default() };
/// let mut check = Check::new(port, InstructionSet::RV32, None);
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
        if let Some(late) = order::sort_cycle(&mut rows, |row| row.number) {
            self.flow.measures.numbered_cycles += 1;
            self.flow.found.add(Convention::LanesMixed, rows[late].place);
        } else if lanes::are_reversed(self.set, &rows) {
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
        if let Some((before, Some(word))) = self.previous {
            let step = Step::new(&before, word, &row);
            if step.repeats() {
                return self.found.add(Convention::InterruptRepeats, row.place);
            }
            self.between(&step, image);
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
    fn between(&mut self, step: &Step<'_>, image: Option<&Image>) {
        let Step { row, word, .. } = *step;
        if !row.traps() {
            self.length(step);
        }
        if word.leads == Leads::Return {
            self.handlers.leave(step.returns_to(), word.leaves_debug);
        }
        if step.is_marked() {
            self.found.add(Convention::InterruptMarked, step.next.place);
        }
        match row.traps() {
            true => self.trapped(step),
            false => self.retired(step, image),
        }
    }

    /// How long an instruction is.
    fn length(&mut self, step: &Step<'_>) {
        let place = step.row.place;
        if step.is_expanded() {
            self.found.add(Convention::CompressedExpanded, place);
        }
        if let (Some(said), Some(is_compressed)) = (step.row.compressed, step.is_compressed()) {
            let agrees = said == is_compressed;
            let convention = if agrees { Convention::PinAgrees } else { Convention::PinDisagrees };
            self.found.add(convention, place);
        }
    }

    /// After an instruction that retired.
    fn retired(&mut self, step: &Step<'_>, image: Option<&Image>) {
        let Step { row, word, next, to } = *step;
        let marked = step.is_marked();
        let (is_diverted, convention) = self.next_pc(step, image);
        // What traps without a mark has its handler as the next pc rightly.
        let is_call = step.always_traps() && is_diverted && !marked;
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
        if !is_diverted {
            return;
        }
        if is_call {
            self.found.add(Convention::TrapUnmarked, row.place);
        }
        let how = if marked || is_call { How::Marked } else { How::Unmarked };
        self.handlers.enter(to, next.place, how);
    }

    /// True if the flow is diverted after an instruction, and what its next pc is if the port says one.
    fn next_pc(&mut self, step: &Step<'_>, image: Option<&Image>) -> (bool, Option<Convention>) {
        let Step { row, word, next, to } = *step;
        let (marked, is_natural) = (step.is_marked(), step.leads(to));
        let Some(said) = row.next else {
            return (if step.is_direct() { !is_natural } else { marked }, None);
        };
        let (is_diverted, convention) = match word.leads {
            Leads::Jump | Leads::Return if said == to => {
                (marked, if marked { Convention::NextHandler } else { Convention::NextTrue })
            }
            Leads::Return if step.is_followed_by(said) => (marked, Convention::NextAfterReturn),
            Leads::Return => {
                self.found.add(Convention::ReturnDiverted, row.place);
                (true, Convention::NextOwn)
            }
            Leads::Jump if step.may_be_followed_by(said) && !marked && !next.traps() => {
                self.measures.jumps_with_following += 1;
                (false, Convention::NextFallThrough)
            }
            Leads::Jump => {
                let is_code = image.is_none_or(|image| image.bytes_at(said).is_some());
                if !marked && (said & 1 == 1 || !is_code) {
                    self.found.add(Convention::JumpNowhere, row.place);
                }
                (true, Convention::NextOwn)
            }
            _ if word.is_custom && said == to && !is_natural && !marked => {
                self.handlers.leave(to, false);
                (false, Convention::CustomJump)
            }
            _ => {
                let convention = match (said == to, is_natural) {
                    (true, true) => Convention::NextTrue,
                    (true, false) => Convention::NextHandler,
                    (false, false) if step.leads(said) => Convention::NextOwn,
                    (false, _) if step.may_be_followed_by(said) => Convention::NextFallThrough,
                    (false, _) => Convention::NextOther,
                };
                (!is_natural, convention)
            }
        };
        (is_diverted, Some(convention))
    }

    /// After an instruction with a trap.
    fn trapped(&mut self, step: &Step<'_>) {
        let Step { row, next, to, .. } = *step;
        if step.leads(to) && step.is_direct() && step.never_traps() {
            self.handlers.retired.add(row.place);
            return self.found.add(Convention::TrapNextOwn, row.place);
        }
        if step.own_next().is_some() {
            self.found.add(Convention::TrapNextOwn, row.place);
            self.measures.calls_with_own_next += u64::from(step.always_traps());
        } else if row.next == Some(to) {
            self.found.add(Convention::TrapNextHandler, row.place);
        }
        let is_suspect = step.never_traps() && !step.is_marked();
        let suspect = step.leads_to().filter(|_| is_suspect).map(|leads_to| Suspect {
            place: row.place,
            program_counter: row.program_counter,
            leads_to,
        });
        self.handlers.enter(to, next.place, How::Trap(suspect));
    }
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
