//! Panics that are caught, closures, trait objects and threads.

use std::collections::BTreeMap;
use std::panic::{catch_unwind, set_hook};
use std::sync::mpsc;

trait Shape {
    fn area(&self) -> u64;
}

struct Square(u64);
struct Strip(u64, u64);

impl Shape for Square {
    fn area(&self) -> u64 {
        self.0 * self.0
    }
}

impl Shape for Strip {
    fn area(&self) -> u64 {
        self.0.checked_mul(self.1).filter(|area| area % 7 != 0).expect("no multiple of seven")
    }
}

fn main() {
    set_hook(Box::new(|_| {}));
    let (sender, receiver) = mpsc::channel();
    for thread in 0..3u64 {
        let sender = sender.clone();
        std::thread::spawn(move || {
            for side in 1..60 {
                let shape: Box<dyn Shape + std::panic::UnwindSafe> = if side % 3 == thread {
                    Box::new(Square(side))
                } else {
                    Box::new(Strip(side, thread + 2))
                };
                let area = catch_unwind(move || shape.area()).unwrap_or(0);
                sender.send((area % 13, side)).expect("a receiver");
            }
        });
    }
    drop(sender);
    let mut groups = BTreeMap::<u64, u64>::new();
    for (key, side) in receiver {
        *groups.entry(key).or_default() += side;
    }
    println!("{groups:?}");
}
