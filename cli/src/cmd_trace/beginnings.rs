//! Where the threads of a part of a trace begin.

use tracewright_sim::event::{Event, ExecutionState, Item, Kind};

/// What is known of a thread.
#[derive(Clone, Copy, Debug, Default)]
enum Thread {
    /// Nothing of it was skipped: it begins as the trace says.
    #[default]
    Whole,
    /// It goes on at an address.
    At(u64),
    /// It goes on after a branch that was not taken, whose length the trace does not say.
    Unknown,
    /// Its beginning was told.
    Begun,
}

/// Begins each thread of a part with a taken exception to where it goes on, as a trace that is not from the beginning does.
#[derive(Debug, Default)]
pub struct Beginnings {
    threads: [Thread; 8],
    /// The context, privilege level and cause at the beginning.
    state: Option<ExecutionState>,
    left_out: u64,
}

impl Beginnings {
    /// Takes an item that comes before the part.
    pub fn skip(&mut self, item: &Item) {
        match item {
            Item::Event(event) => *self.thread(event.thread) = after(event),
            Item::State(state) => self.state = Some(*state),
            Item::Access(_) | Item::Cycles(_) => {}
        }
    }

    /// Gives what the part has of an item. Until it is known where a thread goes on, its items are left out.
    pub fn take(&mut self, item: Item, mut emit: impl FnMut(Item)) {
        if let Some(state) = self.state.take()
            && !matches!(item, Item::State(_))
        {
            emit(Item::State(state));
        }
        if let Item::State(_) = item {
            return emit(item);
        }
        let number = item.thread();
        let thread = self.thread(number);
        match (*thread, &item) {
            (Thread::Whole | Thread::Begun, _) => {}
            // An exception is at the instruction before it, which the part does not have.
            (Thread::At(_) | Thread::Unknown, Item::Event(event))
                if event.instructions == 0 || matches!(*thread, Thread::Unknown) =>
            {
                *thread = after(event);
                self.left_out += 1;
                return;
            }
            (Thread::At(address), _) => {
                *thread = Thread::Begun;
                emit(Item::Event(beginning(number, address)));
            }
            (Thread::Unknown, _) => return,
        }
        emit(item);
    }

    /// Events that were left out.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    fn thread(&mut self, number: u8) -> &mut Thread {
        &mut self.threads[usize::from(number & 7)]
    }
}

/// Where a thread goes on after an event.
fn after(event: &Event) -> Thread {
    if event.taken { Thread::At(event.target) } else { Thread::Unknown }
}

fn beginning(thread: u8, address: u64) -> Event {
    Event {
        instructions: 0,
        program_counter: 0,
        target: address,
        kind: Kind::Exception,
        call: false,
        is_return: false,
        taken: true,
        length: 0,
        thread,
    }
}
