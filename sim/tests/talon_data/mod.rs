//! Data addresses with coded confidence: literal traces, what the table learns, and limits.

mod errors;
mod programs;

use crate::common::data_accesses::{self, access, at, synthetic};
use tracewright_sim::decode::error::DecodeError;
use tracewright_sim::decode::summary::Summary;
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::Item;
use tracewright_sim::field::Account;
use tracewright_sim::talon_data::config::Config;
use tracewright_sim::talon_data::decoder::Decoder;
use tracewright_sim::talon_data::encoder::Encoder;

/// Encodes, with a flush after every item whose number is a multiple of `interval` too.
fn encode(config: &Config, items: &[Item], interval: usize) -> (Vec<u8>, Account) {
    data_accesses::encode(Encoder::new(config).unwrap(), items, interval)
}

fn decode(
    config: &Config,
    execution: &[Item],
    bytes: &[u8],
) -> Result<(Vec<Item>, Summary), DecodeError> {
    let mut items = Vec::new();
    let sites = execution.iter().map(|item| Ok(item.site()));
    let summary =
        Decoder::new(config).unwrap().decode(sites, &mut BitUnpacker::new(bytes), |item| {
            items.push(item);
            Ok::<(), DecodeError>(())
        })?;
    Ok((items, summary))
}

#[track_caller]
fn round_trip(config: &Config, items: &[Item], interval: usize, what: &str) -> Account {
    let (bytes, account) = encode(config, items, interval);
    data_accesses::same(decode(config, items, &bytes), items, &account, what);
    account
}

/// The records of these accesses and a flush, which decode to them.
#[track_caller]
fn sends(config: &Config, items: &[Item], records: &[&str]) {
    data_accesses::sends(Encoder::new(config).unwrap(), items, records);
    round_trip(config, items, usize::MAX, "a literal trace");
}

/// Accesses that are not where they were predicted: each sends the end of the code.
#[track_caller]
fn misses(config: &Config, items: &[Item]) -> u64 {
    let account = round_trip(config, items, 7, "misses");
    let end = account.fields.iter().find(|(name, _)| **name == *"miss");
    end.map_or(0, |(_, bits)| bits / u64::from(config.miss_bits()))
}

/// The first symbols and a miss, bit for bit, worked out by hand from docs/talon_data.md.
#[test]
fn bit_for_bit() {
    // The range is 255, the confidence 1: half of it, 127, is for a wrong symbol. After reset address 0 is predicted.
    // A right symbol leaves 128, which is no less than half of 256, so nothing is sent; the next one leaves 64, which is
    // doubled: the top bit of the low end leaves, a 0. Both make the entry surer: its confidence is now 2.
    // Then the address is 0x25a. A quarter of 128 is for a wrong symbol: the low end becomes 96. Four times that quarter,
    // less a unit for escapes, is less than half of 256: three bits leave, and the low end is 768. All its lower bits are
    // 0, so that its highest 6 bits end the code: 001100.
    // The difference from address 0 is 0x25a. The coder holds back 3 bits of it, 010, and the reference, 0.
    // The others, 0b1001011, go in a chunk of one bit, and others of three, each with a bit that says if one follows.
    let miss = "000 001100 1 1 101 1 001 0";
    // The held-back 4 bits, then the highest code, which no symbol has, and three ones.
    let escape = "0100 11111110 111";
    sends(&Config::default(), &at([0, 0, 0x25a]), &["0", miss, escape]);
}

/// An entry without confidence takes the stride of every access; with confidence it keeps it.
#[test]
fn strides_are_learned_without_confidence() {
    let config = Config::default();
    assert_eq!(misses(&config, &at((0..100).map(|step| 0x100 + 8 * step))), 2);
    assert_eq!(misses(&config, &at((0..100).map(|step| 0x8000 - 8 * step))), 2);
    // One other address between them costs two misses, after which the stride goes on.
    let detour = (0..100).map(|step| if step == 50 { 0x7000 } else { 0x100 + 8 * step });
    assert_eq!(misses(&config, &at(detour)), 4);
}

/// A stride has a sign and 12 bits, or as many as are asked for.
#[test]
fn strides_within_and_beyond_their_bits() {
    let strided = |config: &Config, stride: i64| {
        let address = |step: i64| (0x8000i64.wrapping_add(stride * step) & 0xffff) as u64;
        misses(config, &at((0..100).map(address)))
    };
    for (stride, expected) in [(0, 1), (1, 2), (2047, 2), (-2048, 2)] {
        // One of the strides leaves the region's end, which is a miss, and learned again.
        let config = Config { kept_address_bits: 32, ..Config::default() };
        assert!(strided(&config, stride) >= expected, "{stride}");
        assert!(strided(&config, stride) < 30, "{stride}");
    }
    let config = Config { stride_bits: 9, ..Config::default() };
    assert!(strided(&config, 256) > 90);
    let none = Config { stride_bits: 0, ..Config::default() };
    assert_eq!((strided(&none, 0), strided(&none, 4)), (1, 100));
}

/// As many regions as there are registers cost nothing; with one more, each access takes the register of another.
#[test]
fn regions_are_kept_apart() {
    let over = |regions: u64, config: &Config| {
        let accesses = (0..40 * regions).map(|step| {
            let (region, turn) = (step % regions, step / regions);
            access(0x1000 + 4 * region, ((region + 1) << 20) + 8 * turn)
        });
        misses(config, &accesses.collect::<Vec<_>>())
    };
    let config = Config::default();
    assert_eq!(over(4, &config), 2 * 4);
    assert!(over(5, &config) > 5 * 35);
    let whole = Config { address_regions: 0, ..config };
    assert_eq!(over(5, &whole), 2 * 5);
}

/// The access before is the reference where it is nearer.
#[test]
fn the_nearer_reference_is_taken() {
    let items = |second: u64| [access(0x1000, 0x7654_3210), access(0x1004, second)];
    let bits = |second| round_trip(&Config::default(), &items(second), 9, "two accesses").bits;
    assert!(bits(0x7654_3218) + 20 < bits(0x0765_4321));
}

/// Addresses of 64 bits in every chunk size, and of all ones.
#[test]
fn wide_addresses_come_back() {
    for (guard_bits, first, next) in [(2, 1, 1), (4, 1, 3), (12, 32, 32), (9, 21, 5)] {
        let mut config = Config {
            guard_bits,
            address_first_chunk: first,
            address_next_chunk: next,
            ..Config::default()
        };
        config.processor.address_width = 64;
        let items = at([u64::MAX, 0, u64::MAX, u64::MAX, 1 << 63, 1, u64::MAX >> 1]);
        round_trip(&config, &items, 2, "64 bits");
    }
}

/// A sure prediction costs a fortieth of a bit.
#[test]
fn sure_predictions_cost_little() {
    let items = at((0..100_000).map(|step| 0x10_0000 + 4 * (step % 4096)));
    let account = round_trip(&Config::default(), &items, usize::MAX, "an array, again and again");
    assert!(account.bits < 3_200, "{} bits", account.bits);
}
