//! Damaged traces, wrong executions, illegal configurations: every one is refused or does no harm.

use tracewright_sim::configuration::Configuration;
use tracewright_sim::parameter::{List, Parameters};
use tracewright_sim::talon_data::config::Config;

use super::{access, at, decode, encode, synthetic};

fn wide() -> Config {
    let mut config = Config::default();
    config.processor.address_width = 64;
    config
}

#[test]
fn a_cut_trace_is_an_error() {
    let (_, items) = synthetic(2, 60);
    let (bytes, _) = encode(&wide(), &items, 50);
    for length in 0..bytes.len() {
        assert!(decode(&wide(), &items, &bytes[..length]).is_err(), "{length}");
    }
}

/// A trace of another execution is refused or gives other addresses, and never anything else.
#[test]
fn the_wrong_execution_is_refused() {
    let items = at([0x100, 0x108, 0x110, 0x118, 0x120]);
    let config = Config::default();
    let (bytes, _) = encode(&config, &items, usize::MAX);
    let more = [&items[..], &items[..1]].concat();
    let refused = |execution| decode(&config, execution, &bytes).unwrap_err().to_string();
    let error = refused(&more);
    assert!(error.contains("the execution has more accesses than the trace"), "{error}");
    for count in [0, 4] {
        let error = refused(&items[..count]);
        assert!(error.contains("the trace has more accesses than the execution"), "{error}");
    }
    // Predicted as before by another instruction's entry, an address is sent that would not be.
    let zeros = at([0, 0, 0x40]);
    let (bytes, _) = encode(&config, &zeros, usize::MAX);
    let others = [access(0x1000, 0), access(0x1000, 0), access(0x1004, 0)];
    let back = decode(&config, &others, &bytes);
    assert!(back.is_err() || back.unwrap().0.len() == 3);
}

/// Damage anywhere ends in an execution or an error.
#[test]
fn damage_is_survived() {
    let narrow = Config {
        range_bits: 6,
        guard_bits: 2,
        most_confidence: 4,
        stride_confidences: List([1, 1, 2, 2, 3, 3, 4, 4]),
        ..wide()
    };
    for config in [wide(), narrow] {
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

#[test]
fn illegal_configurations_name_the_constraint() {
    for (changes, message) in [
        (
            vec![("stride_entries", "48")],
            "`stride_entries` = 48 does not fit: it is a power of two",
        ),
        (
            vec![("address_regions", "3")],
            "`address_regions` = 3 does not fit: it is 0 or a power of two from 2 on",
        ),
        (
            vec![("stride_bits", "15")],
            "`stride_bits` = 15 does not fit: at most the 14 address bits that an entry keeps",
        ),
        (
            vec![("address_first_chunk", "22"), ("guard_bits", "12")],
            "`address_first_chunk` = 22 does not fit: at most the 21 bits that the coder does not hold back",
        ),
        (
            vec![("most_confidence", "7")],
            "`most_confidence` = 7 does not fit: at most range_bits - 2 = 6",
        ),
        (
            vec![("stride_confidences", "[1, 1, 2, 3, 4, 5, 6, 7]")],
            "`stride_confidences` = 7 does not fit: each from 1 to most_confidence = 6",
        ),
        (
            vec![("stride_confidences", "[0, 1, 2, 3, 4, 5, 6, 6]")],
            "`stride_confidences` = 0 does not fit: each from 1 to most_confidence = 6",
        ),
    ] {
        let mut config = Config::default();
        for (name, value) in changes {
            config.set(name, value).unwrap();
        }
        assert_eq!(config.validate().unwrap_err().to_string(), message);
    }
}
