//! Which thread runs when.

use super::dice::Dice;
use super::options::Options;

/// The most events one thread runs before another gets its turn.
const TURN_EVENTS_MAX: u32 = 40;

/// Every eighth turn of an uneven thread is a burst of up to this many events.
const BURST_EVENTS_MAX: u32 = 300;

/// An uneven thread's turns that are no bursts have up to this many events.
const UNEVEN_EVENTS_MAX: u32 = 3;

/// The turns that threads take.
pub(super) struct Turns {
    threads: u32,
    thread: usize,
    /// Events left in the turn at hand.
    left: u32,
    /// Without, all threads are alike.
    uneven: Option<Uneven>,
}

/// Threads that each have a rate, and dice of their own: the same program whoever runs it.
struct Uneven {
    dice: Dice,
    rates: Vec<(u32, usize)>,
}

impl Turns {
    pub(super) fn new(options: &Options) -> Turns {
        let uneven = options.uneven.then(|| {
            let mut dice = Dice::new(options.seed, 2);
            let threads = 0..usize::from(options.threads);
            let rates = threads.map(|thread| (1 << dice.below(6), thread)).collect();
            Uneven { dice, rates }
        });
        Turns { threads: options.threads.into(), thread: 0, left: 0, uneven }
    }

    /// The thread whose event is next.
    #[inline]
    pub(super) fn next(&mut self, dice: &mut Dice) -> usize {
        if self.threads > 1 {
            if self.left == 0 {
                (self.thread, self.left) = match &mut self.uneven {
                    Some(Uneven { dice, rates }) => {
                        let thread = dice.pick_weighted(rates);
                        let burst = dice.below(8) == 0;
                        let most = if burst { BURST_EVENTS_MAX } else { UNEVEN_EVENTS_MAX };
                        (thread, 1 + dice.below(most))
                    }
                    None => (dice.below(self.threads) as usize, 1 + dice.below(TURN_EVENTS_MAX)),
                };
            }
            self.left -= 1;
        }
        self.thread
    }
}
