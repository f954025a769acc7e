//! The RAM sink that writes to the memory of the system: bursts, the ring, errors.

use tracewright_sim::scheme::Design;
use tracewright_sim::system_memory_sink::{Burst, Bus, Config, SystemMemorySink};

const BUS: Bus = Bus { address_bits: 32, data_bits: 32, burst_beats: 4 };

/// A sink that is on, with a ring from 0x1008 to 0x102b.
fn sink(port_bits: u32) -> SystemMemorySink {
    let mut sink = SystemMemorySink::new(&Config { bus: BUS, port_bits, tail_words: 2 });
    (sink.start, sink.limit, sink.write_pointer) = (0x1008, 0x1028, 0x1008);
    sink.open();
    sink
}

/// Addresses and lengths of the bursts that are due, all of which are answered well.
fn written(sink: &mut SystemMemorySink) -> Vec<(u64, usize)> {
    let mut bursts = Vec::new();
    while let Some(burst) = sink.burst() {
        bursts.push((burst.address, burst.words.len()));
        sink.respond(0);
    }
    bursts
}

#[test]
fn bursts_end_at_their_multiples_and_with_the_ring() {
    let mut sink = sink(32);
    (0..11).for_each(|word| sink.beat(word));
    assert_eq!(written(&mut sink), [(0x1008, 2), (0x1010, 4), (0x1020, 3), (0x1008, 2)]);
    assert!(sink.has_wrapped && !sink.has_stopped());
    assert_eq!(sink.write_pointer, 0x1010);
    sink.beat(11);
    assert_eq!(written(&mut sink), []);
    sink.close();
    assert!(!sink.is_empty());
    assert_eq!(written(&mut sink), [(0x1010, 1)]);
    assert!(sink.is_empty());
}

#[test]
fn words_are_filled_from_the_lowest_bit_and_with_zeros() {
    let mut sink = sink(8);
    (1..=6).for_each(|byte| sink.beat(byte));
    sink.close();
    let burst = sink.burst().unwrap();
    assert_eq!(burst, Burst { address: 0x1008, words: vec![0x0403_0201, 0x0605] });
}

#[test]
fn an_error_ends_the_trace_where_the_burst_began() {
    let mut sink = sink(32);
    (0..5).for_each(|word| sink.beat(word));
    assert!(sink.burst().is_some() && sink.burst().is_none());
    sink.respond(2);
    assert!(sink.has_stopped());
    assert_eq!((sink.write_pointer, sink.error_response()), (0x1008, 2));
    (0..9).for_each(|word| sink.beat(word));
    assert_eq!(sink.burst(), None);
    sink.close();
    assert!(sink.is_empty());
    sink.open();
    assert_eq!(sink.error_response(), 0);
    (0..2).for_each(|word| sink.beat(word));
    assert_eq!(written(&mut sink), [(0x1008, 2)]);
}

#[test]
fn a_ring_that_stops_overwrites_nothing() {
    let mut sink = sink(32);
    sink.stops_when_full = true;
    (0..6).for_each(|word| sink.beat(word));
    assert_eq!(written(&mut sink).len(), 2);
    assert!(!sink.has_stopped());
    (0..9).for_each(|word| sink.beat(word));
    assert_eq!(written(&mut sink), [(0x1020, 3)]);
    assert!(sink.has_stopped() && sink.has_wrapped);
    sink.close();
    assert!(sink.is_empty());
}

#[test]
fn nothing_is_written_outside_of_the_ring() {
    for pointer in [0, 0x1004, 0x102c, 0xffff_fffc] {
        let mut sink = sink(32);
        sink.write_pointer = pointer;
        (0..2).for_each(|word| sink.beat(word));
        assert_eq!(written(&mut sink), [(0x1008, 2)]);
    }
    let mut sink = sink(32);
    sink.limit = 0x1004;
    (0..4).for_each(|word| sink.beat(word));
    assert_eq!(written(&mut sink), []);
    assert!(sink.has_stopped());
}

#[test]
fn what_does_not_go_is_refused() {
    let good = Config { bus: BUS, port_bits: 8, tail_words: 8 };
    assert_eq!(good.validate(), Ok(()));
    let said = |bus| Config { bus, ..good }.validate().map_err(|error| error.to_string());
    assert_eq!(
        said(Bus { address_bits: 31, ..BUS }),
        Err("`address_bits` = 31 does not fit: must be 32 to 64".into())
    );
    assert!(said(Bus { data_bits: 128, ..BUS }).is_err());
    for (burst_beats, fits) in [(1, false), (2, true), (3, false), (256, true), (512, false)] {
        assert_eq!(said(Bus { burst_beats, ..BUS }).is_ok(), fits, "{burst_beats}");
    }
    assert!(Config { port_bits: 64, ..good }.validate().is_err());
    let wide = Bus { data_bits: 64, ..BUS };
    assert!(Config { bus: wide, port_bits: 64, tail_words: 8 }.validate().is_ok());
}

#[test]
fn the_tail_has_room_for_module_and_sink() {
    let design = Design::preset("traptor-m4").unwrap();
    // 128 bytes of the module and three bursts.
    assert_eq!(Config::after(&design, Bus::default(), 0).tail_words, 128);
    assert_eq!(Config::after(&design, BUS, 0).tail_words, 64);
}
