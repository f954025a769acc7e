//! Which instructions access memory, learned from executions.

use rustc_hash::FxHashMap;

use crate::event::{Access, AccessSite, Event, Item};

/// Where a run of instructions without a jump begins: after this program counter, or at this target.
type Beginning = (u64, Option<u64>);

/// The accesses of a run of instructions.
#[derive(Clone, Debug, Default)]
struct Run {
    instructions: u64,
    sites: Vec<AccessSite>,
}

impl Run {
    /// The accesses of its first instructions.
    fn first(&self, instructions: u64) -> &[AccessSite] {
        let count = self.sites.partition_point(|site| site.instructions <= instructions);
        &self.sites[..count]
    }
}

/// Which instructions of a program access memory, of one thread.
///
/// The instructions between two events are the same whenever the same event is before them, and so are their accesses.
#[derive(Clone, Debug, Default)]
pub struct AccessSites {
    /// By the event before; `None` at the beginning of the execution.
    runs: FxHashMap<Option<Beginning>, Run>,
}

/// Why the accesses of a program are not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SitesError {
    /// The same instructions access memory in different ways.
    #[error(
        "the instructions up to {program_counter:#x} do not always make the same accesses: which ones were made is not in the trace"
    )]
    Varies {
        /// The address of the last one.
        program_counter: u64,
    },
    /// The execution that was learned did not come here.
    #[error(
        "which of the {instructions} instructions up to {program_counter:#x} access memory is not known"
    )]
    Unknown {
        /// Their number.
        instructions: u64,
        /// The address of the last one.
        program_counter: u64,
    },
}

/// Goes along an execution from event to event.
#[derive(Clone, Debug, Default)]
pub struct Follower {
    before: Option<Beginning>,
}

impl Follower {
    /// Passes an event; gives where the instructions that it counts began.
    fn pass(&mut self, event: &Event) -> Option<Beginning> {
        let beginning = (event.program_counter, event.taken.then_some(event.target));
        self.before.replace(beginning)
    }
}

impl AccessSites {
    /// Learns from the items of an execution, in their order.
    ///
    /// # Errors
    /// When the execution cannot be read, or the same instructions do not always make the same accesses.
    pub fn learn<E: From<SitesError>>(
        items: impl IntoIterator<Item = Result<Item, E>>,
    ) -> Result<Self, E> {
        let (mut learned, mut follower) = (Self::default(), Follower::default());
        let mut sites = Vec::new();
        for item in items {
            match item? {
                Item::Access(Access { site, .. }) => sites.push(site),
                Item::State(_) | Item::Cycles(_) => {}
                Item::Event(event) => {
                    let instructions = event.instructions;
                    let run = Run { instructions, sites: std::mem::take(&mut sites) };
                    let known = learned.runs.entry(follower.pass(&event)).or_default();
                    let common = instructions.min(known.instructions);
                    if known.first(common) != run.first(common) {
                        let program_counter = event.program_counter;
                        return Err(SitesError::Varies { program_counter }.into());
                    }
                    if instructions > known.instructions {
                        *known = run;
                    }
                }
            }
        }
        Ok(learned)
    }

    /// The accesses of the instructions that an event counts.
    ///
    /// # Errors
    /// When these instructions were not learned.
    pub fn of(&self, follower: &mut Follower, event: &Event) -> Result<&[AccessSite], SitesError> {
        let Event { instructions, program_counter, .. } = *event;
        let run = self.runs.get(&follower.pass(event));
        run.filter(|run| run.instructions >= instructions)
            .map(|run| run.first(instructions))
            .ok_or(SitesError::Unknown { instructions, program_counter })
    }
}
