//! Damaged traces, wrong executions, illegal configurations: every one is refused or does no harm.

use tracewright_sim::configuration::Configuration;
use tracewright_sim::data_stride::config::Config;
use tracewright_sim::decode::error::DecodeError;
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Access, AccessSite, Event, Item};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::parameter::Parameters;
use tracewright_sim::scheme::{self, Design, DesignError, EncodeError};

use super::{access, at, decode, encode, inline, small, synthetic};
use crate::common;

#[test]
fn a_cut_trace_is_an_error() {
    for config in [small(), inline()] {
        let mut config = config;
        config.processor.address_width = 64;
        let (_, items) = synthetic(2, 60);
        let (bytes, _) = encode(&config, &items, 50);
        for length in 0..bytes.len() {
            assert!(decode(&config, &items, &bytes[..length]).is_err(), "{length}");
        }
    }
}

/// A trace of another execution is refused or gives other addresses, and never anything else.
#[test]
fn the_wrong_execution_is_refused() {
    let items = at([0x100, 0x108, 0x110, 0x118, 0x120]);
    for (config, more) in [
        (inline(), "the execution has more accesses than the trace"),
        (small(), "the execution has more accesses than the trace"),
    ] {
        let (bytes, _) = encode(&config, &items, usize::MAX);
        let refused =
            |execution: &[Item]| decode(&config, execution, &bytes).unwrap_err().to_string();
        assert!(refused(&[&items[..], &items[..1]].concat()).contains(more));
        let fewer = "the trace has more accesses than the execution";
        assert!(refused(&items[..4]).contains(fewer));
        assert!(refused(&[]).contains(fewer));
    }
    // The same accesses by different instructions: a hit without an entry, a miss that would be a hit.
    let tagged = Config { stride_cache_tagged: true, ..inline() };
    let (bytes, _) = encode(&tagged, &items, usize::MAX);
    let mut others = items.clone();
    others[3] = access(0x1004, 0x118);
    let error = decode(&tagged, &others, &bytes).unwrap_err().to_string();
    assert!(error.contains("said to be predicted that has no prediction"), "{error}");
    let (bytes, _) = encode(&tagged, &others, usize::MAX);
    let error = decode(&tagged, &items, &bytes).unwrap_err().to_string();
    assert!(error.contains("predicted right is said to be wrong"), "{error}");
}

/// Damage anywhere ends in an execution or an error.
#[test]
fn damage_is_survived() {
    for config in [small(), inline(), Config { pattern_bits: 5, ..small() }] {
        let mut config = config;
        config.processor.address_width = 64;
        let (_, items) = synthetic(7, 60);
        let (bytes, _) = encode(&config, &items, 50);
        for bit in 0..8 * bytes.len() {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            if let Ok((back, _)) = decode(&config, &items, &damaged) {
                assert_eq!(back.len(), items.len());
            }
        }
    }
}

/// What a flush cannot say: as many accesses as make a pattern.
#[test]
fn an_impossible_flush_is_refused() {
    let config = Config { pattern_bits: 5, ..small() };
    let mut packer = BitPacker::new();
    packer.push(0b1010_1001, 8);
    packer.push(0, 8);
    let error = decode(&config, &[], &packer.finish()).unwrap_err().to_string();
    assert!(error.contains("a flush has more accesses than make a pattern"), "{error}");
}

#[test]
fn illegal_configurations_name_the_constraint() {
    for (changes, message) in [
        (
            vec![("stride_cache_entries", "48")],
            "`stride_cache_entries` = 48 does not fit: it is a power of two times the 1 ways",
        ),
        (
            vec![("stride_cache_ways", "4")],
            "`stride_cache_ways` = 4 does not fit: 1 unless stride_cache_tagged = true",
        ),
        (
            vec![("stride_cache_tagged", "true"), ("tag_bits", "21")],
            "`tag_bits` = 21 does not fit: at most the 20 address bits above the index",
        ),
        (
            vec![("stride_bits", "33")],
            "`stride_bits` = 33 does not fit: at most address_width = 32",
        ),
    ] {
        let mut config = Config::default();
        for (name, value) in changes {
            config.set(name, value).unwrap();
        }
        assert_eq!(config.validate().unwrap_err().to_string(), message);
    }
}

/// Table 5 of paper B: 5 bytes an entry, 8 accesses in the buffer.
#[test]
fn storage_is_the_papers() {
    let design = Design::preset("stride-1024").unwrap();
    let storage = design.estimated_storage();
    assert_eq!(storage[0], ("data_address_buffer", 8 * (32 + 32)));
    assert_eq!(storage[1], ("data_address_stride_cache", 1024 * 5 * 8));
}

/// What a design cannot trace is refused with its place; accesses matter to data designs only.
#[test]
fn addresses_beyond_the_width_are_refused() {
    let far = AccessSite { instructions: 1, program_counter: 0x1000, store: false, thread: 0 };
    let beyond = Access { site: far, address: 1 << 32 };
    let mut sink = BitPacker::new();
    let mut encoder = scheme::Encoder::new(&Design::preset("stride-32").unwrap()).unwrap();
    encoder.access(&Access { address: 4, ..beyond }, &mut sink).unwrap();
    let error = encoder.access(&beyond, &mut sink).unwrap_err();
    assert!(matches!(error, EncodeError::Address { .. }));
    assert_eq!(
        error.to_string(),
        "access 1: address 0x100000000 does not fit address_width = 32; expected --set address_width=64"
    );
    let elsewhere = Access { site: AccessSite { thread: 1, ..far }, address: 4 };
    let error = encoder.access(&elsewhere, &mut sink).unwrap_err();
    assert_eq!(
        error.to_string(),
        "access 1 is of thread 1, and this design traces one thread, whose number is 0; `tracewright trace convert` takes one thread (--thread) \
         or lets one core run all (--one-core), and `tracewright designs` lists designs for several cores"
    );
    let mut control = scheme::Encoder::new(&Design::preset("traptor-m4").unwrap()).unwrap();
    control.item(&Item::Access(beyond), &mut sink).unwrap();
}

/// Each kind of trace has its own way back.
#[test]
fn the_two_kinds_of_traces_are_not_mixed_up() {
    #[derive(Debug, thiserror::Error)]
    enum Error {
        #[error(transparent)]
        Decode(#[from] DecodeError),
        #[error(transparent)]
        Design(#[from] DesignError),
    }
    let event = Event::straight_run(1, 0);
    let program = common::learn(common::MACHINE, &mut [event]);
    let mut bits = BitUnpacker::new(&[0u8][..]);
    let data = Design::preset("stride-32").unwrap();
    let error = scheme::decode(&data, &program, &mut bits, 1, |_| Ok::<(), Error>(())).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`stride-32` traces data addresses: its traces decode to an execution, not to control flow"
    );
    let control = Design::preset("traptor-m4").unwrap();
    let error = scheme::decode_data(&control, [], &mut bits, |_| Ok::<(), Error>(())).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`traptor-m4` traces control flow: there are no data addresses in its traces"
    );
}
