//! The registers of filters and comparators: one filter, with its comparator, for each range of addresses. What the Trace
//! Control Interface has no register for is in the part of the page that is left to vendors.

use crate::config::Protocol;
use crate::pins::module;
use crate::scheme::Design;

use super::table::Access::Constant;
use super::table::{ANY, Register, field, numbered};

// The functions of a comparator: greater or equal, less or equal, and both of them.
const AT_LEAST: u32 = 5;
const AT_MOST: u32 = 3;
const BOTH: u32 = 1;

/// Bytes of the registers of a filter, and of those of a comparator.
const STEP: u32 = 0x20;

/// The field that says which filters are used.
pub const SELECTION: &str = "trTeInstFilters";

const CONTROL: [&str; 8] = numbered!("trTeFilter", "Control");
const ENABLE: [&str; 8] = numbered!("trTeFilter", "Enable");
const MATCHES: [&str; 8] = numbered!("trTeFilter", "MatchComp1");
const COMPARATOR: [&str; 8] = numbered!("trTeFilter", "Comp1");
const COMPARATOR_CONTROL: [&str; 8] = numbered!("trTeComp", "Control");
const FIRST_INPUT: [&str; 8] = numbered!("trTeComp", "PInput");
const SECOND_INPUT: [&str; 8] = numbered!("trTeComp", "SInput");
const FIRST_FUNCTION: [&str; 8] = numbered!("trTeComp", "PFunction");
const SECOND_FUNCTION: [&str; 8] = numbered!("trTeComp", "SFunction");
const MODE: [&str; 8] = numbered!("trTeComp", "MatchMode");
const LOW: [[&str; 8]; 2] =
    [numbered!("trTeComp", "PMatchLow"), numbered!("trTeComp", "PMatchHigh")];
const HIGH: [[&str; 8]; 2] =
    [numbered!("trTeComp", "SMatchLow"), numbered!("trTeComp", "SMatchHigh")];

/// The registers of a number: its lowest 32 bits, and those above if there are any.
fn number(
    names: [&'static str; 2],
    offset: u32,
    width: u32,
    doc: &'static str,
) -> impl Iterator<Item = Register> {
    let halves = [(0, width.min(32)), (4, width.saturating_sub(32))].into_iter().zip(names);
    halves.filter(|((_, width), _)| *width > 0).map(move |((above, width), name)| Register {
        name,
        offset: offset + above,
        doc,
        fields: vec![field(name, (0, width), 0, ANY, doc)],
    })
}

/// Which filters are used, at the beginning of the page.
pub(super) fn selection(design: &Design) -> Option<Register> {
    let ranges = design.protocol().filter_ranges;
    (ranges > 0).then(|| Register {
        name: SELECTION,
        offset: 0xc,
        doc: "Says which filters are used; without one that is enabled everything passes.",
        fields: vec![field(
            SELECTION,
            (0, ranges),
            0,
            ANY,
            "A bit for each filter; what begins in the range of one of them passes.",
        )],
    })
}

/// The filters, and then the comparators.
pub(super) fn registers(design: &Design) -> Vec<Register> {
    let (ranges, width) = (design.protocol().filter_ranges, design.processor().address_width);
    let mut registers = Vec::new();
    for (place, number) in (0..ranges).map(|number| (number as usize, number)) {
        registers.push(Register {
            name: CONTROL[place],
            offset: 0x400 + STEP * number,
            doc: "Enables a filter.",
            fields: vec![
                field(
                    ENABLE[place],
                    (0, 1),
                    0,
                    ANY,
                    "The filter is used, if trTeInstFilters says so too.",
                ),
                field(MATCHES[place], (4, 1), 1, Constant, "It looks at one comparator."),
                field(
                    COMPARATOR[place],
                    (5, 3),
                    number,
                    Constant,
                    "It is the one of the same number.",
                ),
            ],
        });
    }
    for (place, at) in (0..ranges).map(|number| (number as usize, 0x600 + STEP * number)) {
        registers.push(Register {
            name: COMPARATOR_CONTROL[place],
            offset: at,
            doc: "Says what a comparator compares.",
            fields: vec![
                field(
                    FIRST_INPUT[place],
                    (0, 2),
                    0,
                    Constant,
                    "The address at which a run begins.",
                ),
                field(SECOND_INPUT[place], (2, 2), 0, Constant, "The same address."),
                field(FIRST_FUNCTION[place], (4, 3), AT_LEAST, Constant, "It is at least PMatch."),
                field(SECOND_FUNCTION[place], (8, 3), AT_MOST, Constant, "It is at most SMatch."),
                field(MODE[place], (12, 2), BOTH, Constant, "Both must be true."),
            ],
        });
        let low = LOW.map(|names| names[place]);
        registers.extend(number(low, at + 0x10, width, "First byte address of the range."));
        let high = HIGH.map(|names| names[place]);
        registers.extend(number(high, at + 0x18, width, "Last byte address of the range."));
    }
    registers
}

/// Registers of our own.
pub(super) fn of_vendor(design: &Design) -> Vec<Register> {
    let Protocol { filter_ranges, filter_privilege, filter_context, filter_window, .. } =
        *design.protocol();
    let (protocol, width) = (design.protocol(), design.processor().address_width);
    let mut fields = Vec::new();
    let mut add = |is_there: bool, name, bits, doc| {
        fields.extend(is_there.then(|| field(name, bits, 0, ANY, doc)));
    };
    let excludes = "A bit for each comparator: what begins in its range does not pass in any case.";
    add(filter_ranges > 0, "twFilterExcludes", (0, filter_ranges), excludes);
    add(
        filter_context,
        "twFilterHasContext",
        (8, 1),
        "Only the context in twFilterContext passes.",
    );
    let window = "What runs from twFilterStart to twFilterStop passes, and nothing else.";
    add(filter_window, "twFilterHasWindow", (9, 1), window);
    let levels = "A bit for each privilege level: 1 does not pass.";
    add(filter_privilege, "twFilterLevels", (16, 1 << protocol.privilege_bits), levels);
    let main =
        Register { name: "twFilterControl", offset: 0xe04, doc: "Says what else passes.", fields };
    let mut registers = vec![main];
    if filter_context {
        let names = ["twFilterContextLow", "twFilterContextHigh"];
        registers.extend(number(names, 0xe08, protocol.context_bits, "The context that passes."));
    }
    if filter_window {
        let names = ["twFilterStartLow", "twFilterStartHigh"];
        let doc = "Byte address at which the first run begins that passes.";
        registers.extend(number(names, 0xe10, width, doc));
        let names = ["twFilterStopLow", "twFilterStopHigh"];
        let doc = "Byte address of the last instruction of the last run that passes.";
        registers.extend(number(names, 0xe18, width, doc));
    }
    registers
}

/// The fields beside each other, the highest one first, that a pin of the filter of so many bits is; `None` for
/// another pin, and for the one that says which ranges are traced, which is made of two fields.
pub fn fields_of_pin(pin: &str, width: usize) -> Option<Vec<&'static str>> {
    let whole = |names: [&'static str; 2]| match width {
        0..=32 => vec![names[0]],
        _ => vec![names[1], names[0]],
    };
    let of_number = |names: [[&'static str; 8]; 2]| {
        let number: Option<usize> = pin.rsplit('_').next().and_then(|it| it.parse().ok());
        number.map(|number| whole(names.map(|names| names[number]))).unwrap_or_default()
    };
    let fields = [
        (module::FILTER_EXCLUDES, vec!["twFilterExcludes"]),
        (module::FILTER_PRIVILEGE_EXCLUDES, vec!["twFilterLevels"]),
        (module::FILTER_HAS_CONTEXT, vec!["twFilterHasContext"]),
        (module::FILTER_CONTEXT, whole(["twFilterContextLow", "twFilterContextHigh"])),
        (module::FILTER_HAS_WINDOW, vec!["twFilterHasWindow"]),
        (module::FILTER_START, whole(["twFilterStartLow", "twFilterStartHigh"])),
        (module::FILTER_STOP, whole(["twFilterStopLow", "twFilterStopHigh"])),
        (module::FILTER_LOW, of_number(LOW)),
        (module::FILTER_HIGH, of_number(HIGH)),
    ];
    let found = fields.into_iter().find(|(row, _)| row.is_named(pin));
    found.map(|(_, fields)| fields)
}

/// The fields that enable each of so many filters, the highest one first.
pub fn enables(ranges: u32) -> Vec<&'static str> {
    ENABLE[..ranges as usize].iter().rev().copied().collect()
}
