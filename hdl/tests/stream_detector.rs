//! The stream detector against its twin.

use crate::streams::block_as_event;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_elaborate::prelude::{Simulator, Word};
use tracewright_hdl::stream_detector::StreamDetector;
use tracewright_sim::config::{Processor, mask};
use tracewright_sim::stream_detector::{self, End};

#[test]
fn streams_end_where_the_twin_ends_them() {
    let mut random = ChaCha8Rng::seed_from_u64(9);
    for (length_bits, count_bits, jumps_end) in [(2, 1, false), (3, 3, true), (4, 2, false)] {
        let mut twin = stream_detector::StreamDetector::new(length_bits, jumps_end);
        let processor = Processor { retire_count_bits: count_bits, ..Processor::default() };
        let block = StreamDetector::new(&processor, length_bits as usize, jumps_end);
        let mut hardware = Simulator::new(block).unwrap();
        for _ in 0..3000 {
            let flush = random.random_range(0..20) == 0;
            let kind = random.random_range(0..=5u64);
            // An exception may count no instruction.
            let count = random.random_range(u64::from(kind != 5)..1 << count_bits);
            let taken = matches!(kind, 1 | 3 | 5) || random.random();
            let mut expected = Vec::new();
            if flush {
                expected.push((twin.flush().length, End::Flush));
            } else {
                let event = block_as_event(kind, count, kind != 0 && taken, 0);
                twin.event(&event, |stream| expected.push((stream.length, stream.end)));
            }
            hardware.poke(|block| {
                block.retire.valid.next = (!flush).into();
                block.flush.next = flush.into();
                block.retire.count.next = Word::new(count_bits as usize, count);
                block.retire.direct.next = matches!(kind, 1 | 2).into();
                block.retire.conditional.next = matches!(kind, 2 | 4).into();
                block.retire.indirect.next = matches!(kind, 3 | 4).into();
                block.retire.exception.next = (kind == 5).into();
                block.retire.taken.next = taken.into();
            });
            let found = hardware.peek(|block| {
                let length = block.length.val().to_u64();
                let ends = [
                    (block.cut.val().any(), (mask(length_bits), End::Cut)),
                    (block.branch_ends.val().any(), (length, End::Branch)),
                    (block.excepts.val().any(), (length, End::Exception)),
                    (flush, (length, End::Flush)),
                ];
                ends.into_iter().filter(|(there, _)| *there).map(|(_, end)| end).collect::<Vec<_>>()
            });
            assert_eq!(found, expected);
            hardware.clock();
        }
    }
}
