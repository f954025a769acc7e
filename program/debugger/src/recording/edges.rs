//! The distinct steps of an execution, numbered for each block.

use rustc_hash::FxHashMap;
use tracewright_sim::event::Kind;
use tracewright_view::Step;
use tracewright_view::blocks::BlockIndex;

/// Steps of a block that are compared one by one; more are looked up.
const FEW: usize = 8;

/// The distinct steps from one block to the next.
#[derive(Debug, Default)]
pub struct Edges {
    steps: Vec<Step>,
    /// The numbers of the steps from each block, and at first those from nowhere.
    lists: Vec<Vec<u32>>,
    places: FxHashMap<Key, u32>,
}

/// What makes a step from a block distinct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    from: usize,
    instructions: u64,
    next: BlockIndex,
    target: u64,
    kind: Kind,
    taken: bool,
    is_first: bool,
    is_trailing: bool,
}

impl Key {
    fn new(from: usize, step: &Step) -> Key {
        Key {
            from,
            instructions: step.event.instructions,
            next: step.next,
            target: step.event.target,
            kind: step.event.kind,
            taken: step.event.taken,
            is_first: step.is_first,
            is_trailing: step.is_trailing,
        }
    }
}

/// The list of the steps from a block.
fn list_of(from: Option<BlockIndex>) -> usize {
    from.map_or(0, |block| block.place() + 1)
}

impl Edges {
    /// The number of a step among those from its block.
    #[inline]
    pub(super) fn number(&mut self, from: Option<BlockIndex>, step: &Step) -> u32 {
        let from = list_of(from);
        if from >= self.lists.len() {
            self.lists.resize(from + 1, Vec::new());
        }
        let key = Key::new(from, step);
        let list = &self.lists[from];
        let is_it = |edge: &u32| Key::new(from, &self.steps[*edge as usize]) == key;
        if let Some(place) = list.iter().take(FEW).position(is_it) {
            return place as u32;
        }
        if let Some(place) = self.places.get(&key).filter(|_| list.len() > FEW) {
            return *place;
        }
        let place = list.len() as u32;
        if list.len() >= FEW {
            self.places.insert(key, place);
        }
        self.lists[from].push(self.steps.len() as u32);
        self.steps.push(*step);
        place
    }

    /// The step with this number among those from a block.
    #[inline]
    pub(super) fn step(&self, from: Option<BlockIndex>, place: u32) -> Option<&Step> {
        let edge = self.lists.get(list_of(from))?.get(place as usize)?;
        self.steps.get(*edge as usize)
    }
}
