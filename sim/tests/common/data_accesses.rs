//! What the tests of the schemes of data addresses share.

use std::convert::Infallible;

use tracewright_sim::decode::error::DecodeError;
use tracewright_sim::decode::summary::Summary;
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Access, AccessSite, Item};
use tracewright_sim::field::{Account, Sink};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::synthetic::{Options, Synthetic};

use super::Text;

/// A load of one instruction.
pub fn access(program_counter: u64, address: u64) -> Item {
    let site = AccessSite { instructions: 1, program_counter, store: false, thread: 0 };
    Item::Access(Access { site, address })
}

/// Accesses of one instruction.
pub fn at(addresses: impl IntoIterator<Item = u64>) -> Vec<Item> {
    addresses.into_iter().map(|address| access(0x1000, address)).collect()
}

/// A trace of accesses with so many events between them.
pub fn synthetic(seed: u64, events: u64) -> (Options, Vec<Item>) {
    let data_accesses = [3, 30, 60][seed as usize % 3];
    let options = Options { events, data_accesses, ..Options::from_seed(seed) };
    let items = Synthetic::new(options.clone()).unwrap().items().collect();
    (options, items)
}

/// Gives an event or a memory access to an encoder.
fn give<S: Sink>(encoder: &mut impl GoldenEncoder<Error = Infallible>, item: &Item, sink: &mut S) {
    let Ok(()) = match item {
        Item::Event(event) => encoder.event(event, sink),
        Item::Access(access) => encoder.access(access, sink),
        Item::State(_) | Item::Cycles(_) => Ok(()),
    };
}

/// Encodes, with a flush after every item whose number is a multiple of `interval` too.
pub fn encode(
    mut encoder: impl GoldenEncoder<Error = Infallible>,
    items: &[Item],
    interval: usize,
) -> (Vec<u8>, Account) {
    let mut sinks = (BitPacker::new(), Account::default());
    for (number, item) in items.iter().enumerate() {
        give(&mut encoder, item, &mut sinks);
        if (number + 1).is_multiple_of(interval) {
            encoder.flush(&mut sinks);
        }
    }
    encoder.flush(&mut sinks);
    (sinks.0.finish(), sinks.1)
}

/// The decoded items and records are those that were encoded.
#[track_caller]
pub fn same(
    decoded: Result<(Vec<Item>, Summary), DecodeError>,
    items: &[Item],
    account: &Account,
    what: &str,
) {
    let (back, summary) = decoded.unwrap_or_else(|error| panic!("{what}: {error}"));
    let same = back.iter().zip(items).take_while(|(one, other)| one == other).count();
    assert_eq!(back.get(same), items.get(same), "{what}: item {same}");
    assert_eq!(back.len(), items.len(), "{what}");
    assert_eq!(summary.records, account.records, "{what}");
    let events = items.iter().filter(|item| matches!(item, Item::Event(_))).count();
    assert_eq!(summary.events, events as u64, "{what}");
}

/// What is sent for these items and a flush is these records; spaces inside a record do not count.
#[track_caller]
pub fn sends(
    mut encoder: impl GoldenEncoder<Error = Infallible>,
    items: &[Item],
    records: &[&str],
) {
    let mut text = Text::default();
    for item in items {
        give(&mut encoder, item, &mut text);
    }
    encoder.flush(&mut text);
    let expected: Vec<String> = records.iter().map(|record| record.replace(' ', "")).collect();
    assert_eq!(text.0.trim_end(), expected.join(" "));
}
