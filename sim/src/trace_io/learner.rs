//! Learning from a trace, most of which repeats.

use super::Error;
use crate::event::{Event, Item};

/// Learns from the items of a trace, in their order, but for events that teach nothing new.
///
/// What it learns of an event may depend on the event before of the same thread: on that one's address, whether it was
/// taken, and where to.
pub trait Learner {
    /// What it fails with.
    type Error: From<Error>;

    /// Takes the next item.
    ///
    /// # Errors
    /// When there is something wrong with it.
    fn item(&mut self, item: &Item) -> Result<(), Self::Error>;

    /// Passes over events that were taken before, each right after an event as before.
    fn repeated(&mut self, events: &Repeated);

    /// True for an event that it needs each time that it comes.
    #[inline(always)]
    fn takes_each(&self, _event: &Event) -> bool {
        false
    }
}

/// Events of one thread that come one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// How many they are.
    pub events: u64,
    /// Their instructions.
    pub instructions: u64,
    /// The last one of them.
    pub last: Event,
}
