//! Filters: what does not pass is a gap, and what passes comes back.

use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::filter::{Mode, Range, Settings, SettingsError, Window};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::packet::header::{Loss, LossCause, MOST_LOST};
use tracewright_sim::packet::part::{Part, Reason};
use tracewright_sim::program::Place;
use tracewright_sim::scheme::{Design, Encoder};

use super::{Workload, load, packets, presets};
use crate::common::packet_damage::decode_from;
use crate::common::{described, is_long};

const FILTERS: [(&str, &str); 2] = [("filter_ranges", "3"), ("filter_window", "true")];

/// Where the run after an event begins, as far as its pins say; `None` if the run goes on.
fn begins(event: &Event) -> Option<u64> {
    match (event.taken, event.kind) {
        (true, _) => Some(event.target),
        (false, Kind::Exception) => None,
        (false, _) => Some(event.program_counter),
    }
}

/// What a decoder should give: the events that pass, and the number of instructions between them.
fn expected(events: &[Event], mut passes: impl FnMut(&Event, u64) -> bool) -> Vec<Part> {
    let (mut parts, mut is_on, mut lost, mut place) = (Vec::new(), true, None, Place::Start(0));
    for event in events {
        match is_on {
            true => {
                if let Some(instructions) = lost.take() {
                    parts.push(gap(instructions, place));
                }
                parts.push(Part::Event(described(event)));
            }
            false => *lost.get_or_insert(0) += event.instructions,
        }
        place = match (event.taken, event.instructions) {
            (true, _) => Place::At(event.target),
            (false, 0) => place,
            (false, _) => Place::After(event.program_counter),
        };
        if let Some(begin) = begins(event) {
            is_on = passes(event, begin);
        }
    }
    parts.extend(lost.map(|instructions| gap(instructions, place)));
    parts
}

fn gap(instructions: u64, goes_on: Place) -> Part {
    let loss = Loss { instructions: instructions.min(MOST_LOST), cause: LossCause::Filtered };
    Part::Gap(tracewright_sim::packet::part::Gap {
        bits: 0..0,
        reason: Reason::Lost(loss),
        trailing_instructions: 0,
        unverified_events: 0,
        goes_on: Some(goes_on),
        missing_packets: 0,
        context: 0,
    })
}

/// Encodes with these settings, decodes, and compares.
fn check(design: &Design, workload: &Workload, settings: &Settings, wanted: &[Part]) {
    let mut encoder = Encoder::new(design).unwrap().filtered(design, settings.clone()).unwrap();
    let mut packer = BitPacker::new();
    workload.events.iter().for_each(|event| encoder.event(event, &mut packer).unwrap());
    encoder.flush(&mut packer);
    let (parts, recovered) = decode_from(design, &workload.program, &packer.finish(), 0);
    let mut is_first = false;
    let mut found = Vec::new();
    for part in parts {
        found.push(match part {
            Part::Event(event) => {
                let mut event = described(&event);
                // The instruction before such an exception is not in the trace.
                if is_first
                    && event.instructions == 0
                    && let Some(Part::Event(known)) = wanted.get(found.len())
                {
                    event.program_counter = known.program_counter;
                }
                is_first = false;
                Part::Event(event)
            }
            Part::Gap(gap) => {
                is_first = true;
                Part::Gap(tracewright_sim::packet::part::Gap { bits: 0..0, ..gap })
            }
            other => other,
        });
    }
    let name = &design.name;
    let same = found.iter().zip(wanted).take_while(|(one, other)| one == other).count();
    assert_eq!(found.get(same), wanted.get(same), "{name}, {settings:?}: part {same}");
    assert_eq!(found.len(), wanted.len(), "{name}, {settings:?}");
    assert_eq!(recovered.gaps, recovered.filtered_gaps, "{name}");
    assert!(recovered.gaps > 2, "{name}, {settings:?}: {recovered:?}");
}

/// The address that most runs begin at, and the one in the middle of all.
fn addresses(workload: &Workload) -> (u64, u64) {
    let mut begins: Vec<u64> = workload.events.iter().filter_map(begins).collect();
    begins.sort_unstable();
    let most = begins.chunk_by(|a, b| a == b).max_by_key(|runs| runs.len()).unwrap()[0];
    (most, begins[begins.len() / 2])
}

#[test]
fn what_does_not_pass_is_a_gap() {
    let limit = if is_long() { 8_000 } else { 3_000 };
    for name in ["rv32imac-traps", "arm-stringsearch"] {
        let workload = load(name, limit);
        let (most, middle) = addresses(&workload);
        let range = |low, high, mode| Range { low, high, mode };
        let include = [
            range(most, most, Mode::Include),
            range(middle.saturating_sub(64), middle + 64, Mode::Include),
            range(middle + 16, middle + 24, Mode::Exclude),
        ];
        let exclude = [range(most, most + 32, Mode::Exclude)];
        for preset in presets() {
            let settings = FILTERS.iter().chain(&[("checksum_bits", "16")]).copied();
            let settings: Vec<_> = settings.collect();
            let design = packets(&preset, workload.machine, &settings);
            let is_in = |range: &Range, address| (range.low..=range.high).contains(&address);
            let wanted = expected(&workload.events, |_, address| {
                include[..2].iter().any(|range| is_in(range, address))
                    && !is_in(&include[2], address)
            });
            let settings = Settings { ranges: include.to_vec(), ..Settings::default() };
            check(&design, &workload, &settings, &wanted);
            let wanted = expected(&workload.events, |_, address| !is_in(&exclude[0], address));
            let settings = Settings { ranges: exclude.to_vec(), ..Settings::default() };
            check(&design, &workload, &settings, &wanted);
        }
    }
}

#[test]
fn a_window_opens_and_closes() {
    let workload = load("rv32imac-traps", 20_000);
    let jumps = workload.events.iter().filter(|event| event.call && event.taken);
    let start = jumps.clone().nth(20).unwrap().target;
    let returns = workload.events.iter().filter(|event| event.is_return);
    let stop = returns.clone().nth(20).unwrap().program_counter;
    let mut is_open = false;
    let wanted = expected(&workload.events, |event, begin| {
        is_open = begin == start || is_open && event.program_counter != stop;
        is_open
    });
    let settings = Settings { window: Some(Window { start, stop }), ..Settings::default() };
    for preset in ["traptor-m4", "talon-s", "nexs", "etrace-base", "ntrace-htm"] {
        check(&packets(preset, workload.machine, &FILTERS), &workload, &settings, &wanted);
    }
}

#[test]
fn settings_without_pins_are_refused() {
    let machine = load("rv32imac-traps", 10).machine;
    let refused = |changes: &[(&str, &str)], settings: Settings| {
        let design = packets("traptor-m4", machine, changes);
        Encoder::new(&design).unwrap().filtered(&design, settings).unwrap_err()
    };
    let range = |low, high| Settings {
        ranges: vec![Range { low, high, mode: Mode::Include }],
        ..Settings::default()
    };
    assert_eq!(refused(&[], range(1, 2)), SettingsError::Ranges { given: 1, ranges: 0 });
    let one = [("filter_ranges", "1")];
    assert_eq!(refused(&one, range(8, 4)), SettingsError::Empty { low: 8, high: 4 });
    let wide = SettingsError::TooWide { what: "address", value: 1 << 32, bits: 32 };
    assert_eq!(refused(&one, range(0, 1 << 32)), wide);
    let context = Settings { context: Some(3), ..Settings::default() };
    let missing = SettingsError::Missing { parameter: "filter_context" };
    assert_eq!(refused(&one, context.clone()), missing);
    let narrow = [("context_bits", "1"), ("filter_context", "true")];
    let wide = SettingsError::TooWide { what: "context", value: 3, bits: 1 };
    assert_eq!(refused(&narrow, context), wide);
    let window = Settings { window: Some(Window { start: 0, stop: 0 }), ..Settings::default() };
    let missing = SettingsError::Missing { parameter: "filter_window" };
    assert_eq!(refused(&one, window), missing);
    let levels = Settings { privileges: Some(1), ..Settings::default() };
    let missing = SettingsError::Missing { parameter: "filter_privilege" };
    assert_eq!(refused(&one, levels), missing);
}

#[test]
fn filters_of_states_need_their_pins() {
    for (name, needs) in
        [("filter_privilege", "privilege_bits"), ("filter_context", "context_bits")]
    {
        let mut design = Design::preset("traptor-m4").unwrap();
        design.set("framing", "packets").unwrap();
        design.set(name, "true").unwrap();
        let error = design.validate().unwrap_err().to_string();
        assert!(error.ends_with(&format!("it needs {needs} of at least 1")), "{error}");
    }
}
