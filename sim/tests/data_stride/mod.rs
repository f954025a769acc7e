//! The data address stride cache and its repetitions: literal traces and limits.

mod errors;
mod programs;

use crate::common::Text;
use crate::common::data_accesses::{self, access, at, synthetic};
use tracewright_sim::data_stride::config::Config;
use tracewright_sim::data_stride::decoder::Decoder;
use tracewright_sim::data_stride::encoder::Encoder;
use tracewright_sim::decode::error::DecodeError;
use tracewright_sim::decode::summary::Summary;
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::Item;
use tracewright_sim::field::Account;
use tracewright_sim::golden_encoder::GoldenEncoder;

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

/// The packets of these accesses and a flush, which decode to them.
#[track_caller]
fn sends(config: &Config, items: &[Item], packets: &[&str]) {
    data_accesses::sends(Encoder::new(config).unwrap(), items, packets);
    round_trip(config, items, usize::MAX, "a literal trace");
}

/// The lowest bit first.
fn bits(value: u64, count: u32) -> String {
    (0..count).map(|place| if value >> place & 1 == 1 { '1' } else { '0' }).collect()
}

fn miss(address: u64) -> String {
    format!("0 {}", bits(address, 32))
}

/// Patterns of 4 accesses, counted up to 3.
fn small() -> Config {
    Config { pattern_bits: 4, repetition_count_bits: 2, ..Config::default() }
}

fn inline() -> Config {
    Config { data_repetitions: false, ..Config::default() }
}

/// Figure 6: a bit for each access, and the address where the stride did not hold.
#[test]
fn without_repetitions_a_bit_and_addresses() {
    // 0x100 sets the address, 0x108 the stride, the others follow it.
    let flush = format!("0 {} 1", bits(u32::MAX.into(), 32));
    let packets = [&*miss(0x100), &miss(0x108), "1", "1", &flush];
    sends(&inline(), &at([0x100, 0x108, 0x110, 0x118]), &packets);
}

/// An address of all ones is also what a flush begins with: a bit more says which.
#[test]
fn an_address_of_all_ones_is_no_flush() {
    let ones = bits(u32::MAX.into(), 32);
    let packets = [&*format!("0 {ones} 0"), "1", &format!("0 {ones} 1")];
    sends(&inline(), &[access(0x1000, 0xffff_ffff), access(0x1004, 0)], &packets);
    let wide = |data_repetitions| {
        let mut config = Config { data_repetitions, ..Config::default() };
        config.processor.address_width = 64;
        config
    };
    for repetitions in [false, true] {
        let items = at([u64::MAX, 0, u64::MAX, u64::MAX, 1 << 63]);
        round_trip(&wide(repetitions), &items, 2, "64 bits");
    }
}

/// An address goes out when it misses; the pattern and its count when the repetition is over.
#[test]
fn repetitions_bit_for_bit() {
    // Misses, then hits: patterns 0011 and 1111 (first access first), twice the latter.
    let items = at((0..12).map(|step| 0x100 + 8 * step));
    let (first, second) = (miss(0x100), miss(0x108));
    let begin = [&*first, &second, "1 10 0011"];
    sends(&small(), &items, &[&begin[..], &["1 01 1111", "1 00 00"]].concat());
    // Two accesses more are sent with the flush: their number, then their bits.
    let items = at((0..13).map(|step| 0x100 + 8 * step).chain([0x7000]));
    sends(&small(), &items, &[&begin[..], &[&miss(0x7000), "1 01 1111", "1 00 01 10"]].concat());
}

/// The pair of the pattern before goes ahead of the miss that ends it.
#[test]
fn a_miss_that_ends_a_repetition_comes_behind_it() {
    let addresses = [0, 0, 0, 0, 0, 0, 0, 0x5000];
    let packets = ["1 10 1111", &miss(0x5000), "1 10 1110", "1 00 00"];
    sends(&small(), &at(addresses), &packets);
}

/// A count of 2 bits has room for 3 patterns: the fourth begins anew.
#[test]
fn repetition_counts_at_their_limits() {
    let zeros = |patterns: usize| at(vec![0; 4 * patterns]);
    sends(&small(), &zeros(3), &["1 11 1111", "1 00 00"]);
    sends(&small(), &zeros(4), &["1 11 1111", "1 10 1111", "1 00 00"]);
    sends(&small(), &zeros(6), &["1 11 1111", "1 11 1111", "1 00 00"]);
    sends(&small(), &zeros(7), &["1 11 1111", "1 11 1111", "1 10 1111", "1 00 00"]);
    // A count of one bit counts nothing; a pattern of one access has no partial count.
    let least = Config { pattern_bits: 1, repetition_count_bits: 1, ..Config::default() };
    sends(&least, &at([0, 0]), &["1 1 1", "1 1 1", "1 0"]);
    let most = Config { pattern_bits: 1, repetition_count_bits: 16, ..Config::default() };
    let account = round_trip(&most, &at(vec![0; 65_536]), usize::MAX, "65536 hits");
    assert_eq!(account.bits, 2 * (1 + 16 + 1) + 1 + 16);
}

/// Patterns that change every time make a pair each.
#[test]
fn alternating_patterns_never_repeat() {
    let alternating = (0..64u64).map(|turn| if turn / 4 % 2 == 0 { 0 } else { turn << 20 });
    let items = at(alternating);
    let account = round_trip(&small(), &items, usize::MAX, "alternating");
    // 8 patterns with one address to miss each return to 0, and 8 of misses.
    let pairs = account.fields.iter().find(|field| field.0 == "pattern").unwrap().1 / 4;
    assert_eq!(pairs, 16);
}

/// A stride has a sign and 8 bits; one that does not fit predicts what its lower bits say.
#[test]
fn strides_within_and_beyond_their_bits() {
    let hits = |config: &Config, stride: i64| {
        let addresses =
            (0..100).map(|step| 0x8000_0000u32.wrapping_add((stride * step) as u32).into());
        let account = round_trip(config, &at(addresses), usize::MAX, "strides");
        100 - (account.bits - account.fields.iter().find(|f| f.0 == "hit").unwrap().1 - 33) / 32
    };
    for stride in [0, 1, 127, -1, -128] {
        let all_but_the_first = if stride == 0 { 99 } else { 98 };
        assert_eq!(hits(&inline(), stride), all_but_the_first, "{stride}");
    }
    for stride in [128, -129, 255, 256, 0x1_0000] {
        assert_eq!(hits(&inline(), stride), 0, "{stride}");
    }
    let nine = Config { stride_bits: 9, ..inline() };
    assert_eq!((hits(&nine, 255), hits(&nine, -256), hits(&nine, 256)), (98, 98, 0));
    let none = Config { stride_bits: 0, ..inline() };
    assert_eq!((hits(&none, 0), hits(&none, 4)), (99, 0));
    let whole = Config { stride_bits: 32, ..inline() };
    assert_eq!((hits(&whole, 0x4000_0000), hits(&whole, -0x4000_0000)), (98, 98));
}

/// Addresses wrap at the ends of the address space, strides with them.
#[test]
fn strides_wrap_around() {
    let items = at([0xffff_fff0, 0xffff_fff8, 0, 8, 0, 0xffff_fff8, 0xffff_fff0]);
    sends(
        &inline(),
        &items,
        &[
            &miss(0xffff_fff0),
            &miss(0xffff_fff8),
            "1",
            "1",
            &miss(0),
            "1",
            "1",
            &format!("0 {} 1", bits(u32::MAX.into(), 32)),
        ],
    );
}

/// What a data address stride cache predicts, of a sequence of accesses.
fn hit_pattern(config: &Config, items: &[Item]) -> String {
    let mut encoder = Encoder::new(config).unwrap();
    let mut text = Text::default();
    for item in items {
        let Item::Access(access) = item else { panic!("only accesses") };
        encoder.access(access, &mut text).unwrap();
    }
    round_trip(config, items, 3, "hits and misses");
    text.0.split(' ').filter_map(|packet| packet.chars().next()).collect()
}

/// Without tags two instructions of one entry take each other's addresses.
#[test]
fn one_entry_is_shared_by_all() {
    let one = Config { stride_cache_entries: 1, ..inline() };
    let items = [access(0x1000, 0x5000), access(0x2004, 0x5000), access(0x1000, 0x5004)];
    assert_eq!(hit_pattern(&one, &items), "010");
    // With an entry each the second is on its own, and so is the third.
    assert_eq!(hit_pattern(&inline(), &items), "000");
    // With a tag it is on its own in one entry too, and drives the other out.
    let tagged = Config { stride_cache_tagged: true, ..one };
    let again = access(0x1000, 0x5004);
    assert_eq!(hit_pattern(&tagged, &[items[0], items[1], again, again]), "0001");
}

/// Reset leaves address and stride 0 where there are no tags, and nothing valid where there are.
#[test]
fn what_reset_leaves() {
    let zeros = at([0, 0]);
    assert_eq!(hit_pattern(&inline(), &zeros), "11");
    let tagged = Config { stride_cache_tagged: true, tag_bits: Some(0), ..inline() };
    assert_eq!(hit_pattern(&tagged, &zeros), "01");
}

/// A full set loses the least recently used way.
#[test]
fn a_full_set_replaces_the_least_recently_used() {
    let config = Config {
        stride_cache_entries: 4,
        stride_cache_ways: 4,
        stride_cache_tagged: true,
        ..inline()
    };
    let on = |instruction: u64| access(0x1000 + 4 * instruction, 0x100 * instruction);
    let order = [1, 2, 3, 4, 1, 5, 1, 3, 4, 5, 2, 1];
    let items: Vec<Item> = order.map(on).into();
    // 5 drives 2 out; 2 then 1, which was used before 3, 4 and 5.
    assert_eq!(hit_pattern(&config, &items), "000010111100");
    // Lower tag bits only: instructions 16 apart are one.
    let short = Config { tag_bits: Some(4), ..config };
    assert_eq!(hit_pattern(&short, &[on(0), access(0x1040, 0)]), "01");
}

/// Addresses above the alignment that the index leaves out do not tell instructions apart.
#[test]
fn the_index_begins_where_it_is_told() {
    let items = [access(0x1000, 0x4000), access(0x1004, 0x4000), access(0x1008, 0x4000)];
    let shifted = Config { pc_shift: Some(3), ..inline() };
    assert_eq!(hit_pattern(&shifted, &items), "010");
}
