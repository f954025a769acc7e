//! The slots of payloads of format 0, by their places among those of the others.

use super::config::Config;
use super::fields;
use super::payload::PRIVILEGE_BITS;
use crate::encode::piece::{Piece, Pieces};
use crate::encode::record::RecordFormat;

/// Bits of a number of predicted branches.
pub const COUNT_BITS: u32 = 32;
/// Bits of what says whether an address follows it.
pub const COUNT_FORMAT_BITS: u32 = 2;

/// What both kinds begin with.
pub fn heads(format: RecordFormat, config: &Config, [header, source]: [Piece; 2]) -> RecordFormat {
    let format_bits = fields::FORMAT.bits(0, 2);
    let head = |subformat| match config.subformat_bits() {
        0 => Pieces::from([header, source, format_bits]),
        bits => [header, source, format_bits, fields::EXTENSION.bits(subformat, bits)].into(),
    };
    let format = match config.caches_targets() {
        true => format.constant("index_alone", head(1)).constant("index_map", head(1)),
        false => format,
    };
    match config.predicts_branches() {
        true => format.constant("count_alone", head(0)).constant("counted", head(0)),
        false => format,
    }
}

/// Privilege level and context of a start or a trap, and the cause of a trap if nothing before it is told.
pub fn state(format: RecordFormat, config: &Config) -> RecordFormat {
    let privilege = fields::PRIVILEGE.bits(0, PRIVILEGE_BITS);
    match (config.tells_state(), config.tells_cause() || config.tells_time()) {
        (true, _) => format.plain(fields::PRIVILEGE, "synchronises", "level"),
        (false, true) => format.constant("synchronises", [privilege]),
        (false, false) => format
            .constant("start", [privilege])
            .constant("trap", [privilege, no_cause(config), fields::INTERRUPT.bits(0, 1)]),
    }
}

fn no_cause(config: &Config) -> Piece {
    fields::CAUSE.bits(0, config.trap_cause_bits)
}

/// The time, and the context after it; then the cause of a trap, where cause, state or time is told.
pub fn told(format: RecordFormat, config: &Config) -> RecordFormat {
    let format = match config.tells_time() {
        true => format.plain(fields::TIME, "synchronises", "time"),
        false => format,
    };
    let format = match config.splits_state() {
        true => format.plain(fields::CONTEXT, "synchronises", "context"),
        false => format,
    };
    match (config.tells_state() || config.tells_time(), config.tells_cause()) {
        (_, true) => format.plain(fields::CAUSE, "trap", "cause"),
        (true, false) => format.constant("trap", [no_cause(config), fields::INTERRUPT.bits(0, 1)]),
        (false, false) => format,
    }
}

/// An index before a map.
pub fn before_branches(format: RecordFormat, config: &Config) -> RecordFormat {
    match config.caches_targets() {
        true => format.plain(fields::INDEX, "index_map", "index"),
        false => format,
    }
}

/// How many branches the map has, or the lower bits of a count.
pub fn branches(format: RecordFormat, config: &Config) -> RecordFormat {
    let format = match config.caches_targets() {
        true => format.plain(fields::BRANCHES, "index_map", "branch_count"),
        false => format,
    };
    match config.predicts_branches() {
        true => format.plain(fields::BRANCH_COUNT, "counted", "count"),
        false => format,
    }
}

/// The upper bits of a count.
pub fn upper_count(format: RecordFormat, config: &Config) -> RecordFormat {
    let bits = fields::BRANCH_COUNT.bits(0, COUNT_BITS - config.branch_count_bits);
    match config.predicts_branches() {
        true => format.constant("counted", [bits]),
        false => format,
    }
}

/// The lower bit of what says that an address follows a count.
pub fn count_format(format: RecordFormat, config: &Config) -> RecordFormat {
    match config.predicts_branches() {
        true => format.plain(fields::BRANCH_FORMAT, "counted", "fails"),
        false => format,
    }
}

/// The upper bit of that.
pub fn before_address(format: RecordFormat, config: &Config) -> RecordFormat {
    match config.predicts_branches() {
        true => format.constant("counted", [fields::BRANCH_FORMAT.bits(1, 1)]),
        false => format,
    }
}

/// The value of a trap, after its address.
pub fn trap_value(format: RecordFormat, config: &Config) -> RecordFormat {
    match config.tells_trap_values() {
        true => {
            format.sized(fields::TRAP_VALUE, "sends_trap_value", "trap_value", "trap_value_bits")
        }
        false => format,
    }
}

/// What comes last where there is no address.
pub fn last(format: RecordFormat, config: &Config) -> RecordFormat {
    let format = match config.caches_targets() {
        true => format.sized(fields::INDEX, "index_alone", "value", "value_bits").sized(
            fields::BRANCH_MAP,
            "index_map",
            "value",
            "value_bits",
        ),
        false => format,
    };
    match config.predicts_branches() {
        true => format.sized(fields::BRANCH_COUNT, "count_alone", "value", "value_bits"),
        false => format,
    }
}
