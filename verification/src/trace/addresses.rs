//! What the addresses of a trace say about designs.

use std::path::Path;

use tracewright_sim::config::mask;
use tracewright_sim::event::{Event, Item, Machine};
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::scheme::Design;
use tracewright_sim::trace_io::{self, Learner, Repeated};

use super::{Blocks, Prepare, open};
use crate::error::Result;
use crate::progress::Progress;

/// What the addresses of a trace say about designs: the bits that they have, all addresses together, and the bits in
/// which targets of indirect branches differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Addresses {
    code: u64,
    data: u64,
    /// The first target of an indirect branch.
    first_target: Option<u64>,
    /// The bits in which a later one differs from the first one.
    differing: u64,
}

impl Addresses {
    /// Reads a trace until it is known what these designs take from it: nothing of it where they take nothing.
    ///
    /// # Errors
    /// When the trace cannot be read.
    pub fn of<'a>(
        path: &Path,
        designs: impl Iterator<Item = &'a Design> + Clone,
        limit: EventLimit,
    ) -> Result<Addresses> {
        let mut reader = open(path, limit, &Progress::silent())?;
        let is_known = known_by(reader.machine(), designs);
        let all = Addresses::default();
        if is_known(&all) {
            return Ok(all);
        }
        let mut look = Look { all, is_known };
        match reader.learn(&mut look) {
            Ok(()) | Err(Enough::Known) => Ok(look.all),
            Err(Enough::Failed(error)) => Err(error.into()),
        }
    }

    /// Reads on in a trace until it is known what these designs take from it.
    ///
    /// # Errors
    /// When the trace cannot be read.
    pub fn read_on<'a, P: Prepare>(
        &mut self,
        blocks: &mut Blocks<P>,
        designs: impl Iterator<Item = &'a Design> + Clone,
    ) -> Result<()> {
        let is_known = known_by(blocks.machine(), designs);
        if is_known(self) {
            return Ok(());
        }
        while let Some(block) = blocks.next_block()? {
            for item in block {
                // Most items bring nothing new, and are not worth a look at the designs.
                let seen = *self;
                self.add(item);
                if *self != seen && is_known(self) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Adds those of an event or access.
    #[inline]
    pub fn add(&mut self, item: &Item) {
        match item {
            Item::Event(event) => self.event(event),
            Item::Access(access) => self.data |= access.site.program_counter | access.address,
            Item::State(_) | Item::Cycles(_) => {}
        }
    }

    /// Adds those of an event.
    pub(super) fn code(&mut self, item: &Item) {
        if let Item::Event(event) = item {
            self.event(event);
        }
    }

    /// Adds those of an event.
    #[inline]
    fn event(&mut self, event: &Event) {
        self.code |= event.program_counter | event.target;
        if event.taken && event.kind.is_indirect() {
            let first = *self.first_target.get_or_insert(event.target);
            self.differing |= first ^ event.target;
        }
    }

    /// Those of two traces, each of which is traced on its own: targets of different traces may differ.
    pub fn and(self, other: &Addresses) -> Self {
        Addresses {
            code: self.code | other.code,
            data: self.data | other.data,
            first_target: None,
            differing: self.differing | other.differing,
        }
    }

    /// True if the model of a design widens for them.
    pub fn widen(&self, design: &Design) -> bool {
        design.widens_for(self.of_design(design))
    }

    /// The upper bits of targets that the model of a design leaves out, if they are fewer than the design says and it
    /// can trace these addresses.
    pub fn elided_upper_bits(&self, design: &Design) -> Option<u32> {
        let addresses = self.of_design(design);
        let widened = design.clone().widened_for(addresses);
        let fits = addresses & !mask(widened.processor().address_width) == 0;
        let kept = widened.clone().keeping(self.differing);
        kept.elided_upper_bits().filter(|_| fits && kept != widened)
    }

    /// The design for a model of it.
    pub fn fit(&self, design: Design) -> Design {
        let addresses = self.of_design(&design);
        self.keep_targets(design.widened_for(addresses))
    }

    /// The design for a model of it, whose address width stays.
    pub fn keep_targets(&self, design: Design) -> Design {
        design.keeping(self.differing)
    }

    fn of_design(&self, design: &Design) -> u64 {
        if design.traces_data() { self.code | self.data } else { self.code }
    }
}

/// Says of addresses whether any others may change what these designs take from them.
fn known_by<'a>(
    machine: Machine,
    designs: impl Iterator<Item = &'a Design> + Clone,
) -> impl Fn(&Addresses) -> bool {
    let bits = mask(machine.address_bits.into());
    let most = Addresses { code: bits, data: bits, first_target: None, differing: bits };
    move |all| designs.clone().all(|one| all.fit(one.clone()) == most.fit(one.clone()))
}

/// Looks at a trace until its addresses are known.
struct Look<K> {
    all: Addresses,
    is_known: K,
}

/// Why no more of a trace is looked at.
enum Enough {
    /// What is wanted is known.
    Known,
    /// The trace cannot be read.
    Failed(trace_io::Error),
}

impl From<trace_io::Error> for Enough {
    fn from(error: trace_io::Error) -> Self {
        Enough::Failed(error)
    }
}

impl<K: Fn(&Addresses) -> bool> Learner for Look<K> {
    type Error = Enough;

    fn item(&mut self, item: &Item) -> std::result::Result<(), Enough> {
        let seen = self.all;
        self.all.add(item);
        if self.all != seen && (self.is_known)(&self.all) {
            return Err(Enough::Known);
        }
        Ok(())
    }

    fn repeated(&mut self, _: &Repeated) {}
}
