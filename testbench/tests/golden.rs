//! The golden encoder's bits arrive in the queue as they do in a file.

use crate::common;
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::Event;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_testbench::BitQueue;

#[test]
fn the_queue_holds_the_bits_of_the_file() {
    let design = Design::preset("traptor-m4").expect("a preset");
    let mut to_queue = Encoder::new(&design).expect("an encoder");
    let mut to_file = to_queue.clone();
    let (mut queue, mut file) = (BitQueue::new(), BitPacker::new());
    for event in common::events(1, 10_000, 32) {
        to_file.event(&event, &mut file).expect("a good event");
        to_queue.event(&event, &mut queue).expect("a good event");
    }
    to_file.flush(&mut file);
    to_queue.flush(&mut queue);
    assert_eq!(queue.len(), file.bits());
    assert!(queue.len() > 10_000 && queue.len() % 8 == 0);
    for byte in file.finish() {
        assert_eq!(queue.pop(8), Some(byte.into()));
    }
    assert!(queue.is_empty());
    let far = Event { program_counter: 1 << 40, ..common::events(1, 1, 32)[0] };
    assert!(to_queue.event(&far, &mut queue).is_err());
}
