//! The rows of a retirement port as events.

use tracewright_sim::config::mask;
use tracewright_sim::pins::ingress;
use tracewright_sim::rvfi::{Compressed, Extensions, Trapped, Xlen, classify};

use crate::error::Problem;
use crate::flow::DataAccess;
use crate::follower::{Follower, Logged};
use crate::format::Format;
use crate::port::order;
use crate::port::row::{Port, Row, TakeRows};

/// Threads of a trace.
const THREADS: usize = 8;

/// Follows the rows of a retirement port.
pub(crate) struct FollowRows<'f, 's> {
    follower: &'f mut Follower<'s>,
    format: Format,
    compressed: Compressed,
    /// Nothing but the words says how long they are.
    checks_length: bool,
    trap: Trapped,
    address_mask: u64,
    /// The number of each thread's last instruction.
    numbers: [Option<u64>; THREADS],
    /// The address two bytes after each thread's last instruction, if that is one of four bytes that retired.
    long: [Option<u64>; THREADS],
    /// Where the last instruction of each thread leads.
    leads_to: [Option<u64>; THREADS],
    /// Rows of one cycle of one hart, which wait for one with a lower number.
    waiting: Vec<(Row, Vec<DataAccess>)>,
}

impl<'f, 's> FollowRows<'f, 's> {
    pub(crate) fn new(
        follower: &'f mut Follower<'s>,
        format: Format,
        (compressed, trap): (Option<Compressed>, Trapped),
    ) -> Self {
        let checks_length = compressed.is_none() && format != Format::ProgramCounters;
        let compressed = compressed.unwrap_or(Compressed::Raw);
        let address_mask = mask(follower.code.set().address_bits().into());
        let (numbers, leads_to) = ([None; THREADS], [None; THREADS]);
        let long = [None; THREADS];
        FollowRows {
            follower,
            format,
            compressed,
            checks_length,
            trap,
            address_mask,
            numbers,
            leads_to,
            long,
            waiting: Vec::new(),
        }
    }
}

impl FollowRows<'_, '_> {
    /// Where words say how long they are, one of four bytes is not followed by what is two bytes after it.
    fn check_length(&mut self, place: usize, row: &Row) -> Result<(), Problem> {
        let is_here = |after: u64| (after ^ row.program_counter) & self.address_mask == 0;
        let found = self.long[place].take().filter(|after| is_here(*after) && !row.is_handler());
        if let Some(after) = found {
            return Err(Problem::ExpandedWord { program_counter: after.wrapping_sub(2) });
        }
        let is_long = row.word.is_some_and(|word| {
            let class = classify(word, Xlen::Rv32, Extensions::NONE);
            class.length == 4 && class.kind.is_none()
        });
        let is_long = is_long && !row.traps();
        if self.checks_length && is_long {
            self.long[place] = Some(row.program_counter.wrapping_add(2));
        }
        Ok(())
    }

    /// True if no row of a lower number can come before it; the first one with a number may be any of its cycle.
    fn is_due(&self, thread: u8, row: &Row) -> bool {
        row.number.is_none_or(|number| {
            self.numbers[usize::from(thread)].is_some_and(|last| order::follows(last, number))
        })
    }

    /// Follows an instruction.
    fn follow(&mut self, thread: u8, row: &Row, accesses: &[DataAccess]) -> Result<(), Problem> {
        let place = usize::from(thread);
        if let Some(found) = row.number
            && let Some(last) = self.numbers[place].replace(found)
            && !order::follows(last, found)
        {
            return Err(Problem::Order { expected: last.wrapping_add(1), found });
        }
        let logged = Logged {
            program_counter: row.program_counter,
            word: row.word,
            leads_to: row.next,
            traps: row.traps(),
            is_handler: row.is_handler(),
            checks_trap: self.trap == Trapped::Checked,
            is_expanded: self.compressed == Compressed::Expanded,
            length: match (self.compressed, row.compressed) {
                (Compressed::Pin, Some(true)) => Some(2),
                (Compressed::Pin, Some(false)) => Some(4),
                _ => None,
            },
            accesses,
        };
        self.check_length(place, row)?;
        if self.format == Format::Rvfi {
            let before = self.leads_to[place].take();
            let is_other = |before: u64| (before ^ logged.program_counter) & self.address_mask != 0;
            self.follower.other_next +=
                u64::from(!logged.is_handler && before.is_some_and(is_other));
            self.leads_to[place] = logged.leads_to.filter(|_| !logged.traps);
        }
        self.follower.instruction(thread, &logged)
    }

    /// Follows what waits, in the order of the numbers.
    pub(crate) fn finish(&mut self) -> Result<(), Problem> {
        let mut rows = std::mem::take(&mut self.waiting);
        order::sort_cycle(&mut rows, |(row, _)| row.number);
        rows.iter().try_for_each(|(row, accesses)| match self.follower.thread(row.hart)? {
            Some(thread) => self.follow(thread, row, accesses),
            None => Ok(()),
        })
    }
}

impl TakeRows for FollowRows<'_, '_> {
    fn port(&mut self, port: &Port) -> Result<(), Problem> {
        if self.format == Format::Rvfi && !port.next {
            return Err(Problem::NoColumn(ingress::RVFI_PC_WDATA.name));
        }
        self.follower.marks_exceptions = port.trap && port.interrupt && port.next;
        Ok(())
    }

    fn row(&mut self, row: &Row, accesses: &[DataAccess]) -> Result<(), Problem> {
        self.follower.lines += 1;
        let of = |row: &Row| (row.hart, row.cycle);
        if self.waiting.first().is_some_and(|(first, _)| of(first) != of(row)) {
            self.finish()?;
        }
        let Some(thread) = self.follower.thread(row.hart)? else { return Ok(()) };
        if row.cycle.is_some() && !self.is_due(thread, row) {
            self.waiting.push((*row, accesses.to_vec()));
            return Ok(());
        }
        self.follow(thread, row, accesses)?;
        while let Some(place) = self.waiting.iter().position(|(row, _)| self.is_due(thread, row)) {
            let (row, accesses) = self.waiting.swap_remove(place);
            self.follow(thread, &row, &accesses)?;
        }
        Ok(())
    }

    fn idle(&mut self, _stalled: bool) {}

    fn unknown(&mut self, problem: Problem) -> Result<(), Problem> {
        Err(problem)
    }

    fn cut(&mut self, line: u64) {
        self.follower.cut_line = Some(line);
    }
}
