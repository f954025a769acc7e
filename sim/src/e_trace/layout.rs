//! The records of E-Trace, stated once: a payload with its header, what may go before it, and the end of the trace.

use super::config::Config;
pub use super::fields;
use super::payload::{
    ADDRESS_HEAD, BRANCHES_HEAD, Cut, Depth, Ending, FULL_MAP, PRIVILEGE_BITS, START_HEAD,
    SUPPORT_BYTES, TRAP_HEAD, TrapValue,
};
use super::slots;
use crate::config::{Protocol, WhenFull, index_bits, mask};
use crate::encode::piece::Piece;
use crate::encode::record::RecordFormat;
use crate::record_word;

/// What is known of a record once its payload is cut.
const CUT_VALUES: [&str; 10] = [
    "sends_address",
    "sends_rest",
    "sends_trap_value",
    "bytes",
    "map_bits",
    "value",
    "value_bits",
    "rest",
    "rest_bits",
    "trap_value_bits",
];

record_word! {
    /// A record on its way to the encoder.
    pub struct Word {
        flags {
            /// The trace ends.
            flush,
            /// An idle byte goes before the payload.
            idle,
            /// There is a payload besides that of the end.
            sends_payload,
            /// A start.
            start,
            /// A trap.
            trap,
            /// A start or a trap.
            synchronises,
            /// Branches, with or without an address.
            branches,
            /// An address without branches.
            plain,
            /// Branches, and an address.
            mapped,
            /// Branches without an address.
            full,
            /// An address.
            sends_address,
            /// Bits follow the address or the full map.
            sends_rest,
            /// The first instruction is no taken branch.
            not_taken,
            /// An instruction has retired at the address of a trap.
            handler,
            /// The end of the trace says all: no address is reported with it.
            alone,
            /// A place of the jump target cache instead of an address, and no branches before it.
            index_alone,
            /// A place of the jump target cache after branches.
            index_map,
            /// A count of predicted branches, and then one that was not.
            count_alone,
            /// A count of predicted branches before an address.
            counted,
            /// The branch at the address was not predicted.
            fails,
            /// The trace ends, or a part of it.
            supports,
            /// No blocks are lost.
            whole,
            /// Bits of the value of a trap follow its address.
            sends_trap_value,
        }
        values {
            /// The upper bits of an idle byte.
            flow: u64,
            /// Bytes of the payload.
            bytes: u64,
            /// Branches in the map, 0 if it is full and there is no address.
            branch_count: u64,
            /// Their outcomes, where an address follows.
            map: u64,
            /// Bits of the map.
            map_bits: u64,
            /// An address in instruction units, the difference of two, or a full map.
            value: u64,
            /// Bits that are sent of it.
            value_bits: u64,
            /// What follows it.
            rest: u64,
            /// Bits that are sent of that.
            rest_bits: u64,
            /// A place of the jump target cache.
            index: u64,
            /// Predicted branches before an address, less 31.
            count: u64,
            /// Privilege level and context; where the time is between them, the privilege level.
            level: u64,
            /// The cause of a trap, and above it whether that is an interrupt.
            cause: u64,
            /// When the last block retired.
            time: u64,
            /// The context after the time.
            context: u64,
            /// The value of a trap.
            trap_value: u64,
            /// Bits that are sent of it.
            trap_value_bits: u64,
        }
    }
}

impl Word {
    /// A payload that ends in this value.
    pub(super) fn ends_in(self, value: u64, cut: Cut) -> Word {
        Word {
            sends_payload: true,
            value: value & mask(cut.value_bits),
            bytes: cut.bytes.into(),
            value_bits: cut.value_bits.into(),
            rest: cut.rest,
            rest_bits: cut.rest_bits.into(),
            sends_rest: cut.rest_bits > 0,
            sends_trap_value: cut.trap_value_bits > 0,
            trap_value_bits: cut.trap_value_bits.into(),
            ..self
        }
    }

    /// A start at an address of `width` bits, with `others` of time and context; `taken` if a branch is there.
    pub fn start(address: u64, width: u32, others: u32, taken: bool) -> Word {
        let word = Word {
            start: true,
            synchronises: true,
            sends_address: true,
            not_taken: !taken,
            ..Word::default()
        };
        word.ends_in(address, Cut::new(START_HEAD + others, address, width, Ending::Plain))
    }

    /// A trap with an address of `width` bits, and `others` of time, context and cause.
    pub fn trap(
        address: u64,
        (width, others): (u32, u32),
        trap_value: TrapValue,
        handler: bool,
        taken: bool,
    ) -> Word {
        let word = Word {
            trap: true,
            synchronises: true,
            sends_address: true,
            handler,
            not_taken: !taken,
            ..Word::default()
        };
        let cut = Cut::of_trap(TRAP_HEAD + others, address, width, trap_value);
        let value = match trap_value {
            TrapValue::Told { value, .. } => value & mask(cut.trap_value_bits),
            TrapValue::Nothing | TrapValue::Zero => 0,
        };
        Word { trap_value: value, ..word.ends_in(address, cut) }
    }

    /// A full map.
    pub fn full_map(map: u64) -> Word {
        let word = Word { branches: true, full: true, ..Word::default() };
        word.ends_in(map, Cut::new(BRANCHES_HEAD, map, FULL_MAP, Ending::Plain))
    }

    /// An address of `width` bits by its difference from the last one, after a map of so many branches; `depth` if the stack of
    /// return addresses is reported.
    pub fn report(
        difference: u64,
        width: u32,
        (branches, map): (u32, u64),
        ending: Ending,
        depth: Option<Depth>,
    ) -> Word {
        let cut = match branches {
            0 => Cut::with_depth(ADDRESS_HEAD, difference, width, ending, depth),
            _ => Cut::after_map(branches, map, difference, width, ending, depth),
        };
        let word = Word {
            branches: branches > 0,
            mapped: branches > 0,
            plain: branches == 0,
            branch_count: branches.into(),
            map,
            map_bits: cut.map_bits.into(),
            ..Word::default()
        };
        Word { sends_address: cut.value_bits > 0, ..word.ends_in(difference, cut) }
    }

    /// The same after an idle byte with this number, unless that is 0.
    #[must_use]
    pub fn after_idle(self, number: u64) -> Word {
        Word { idle: number > 0, flow: number, ..self }
    }

    /// The same at the end of the trace.
    #[must_use]
    pub fn ending(self) -> Word {
        Word { flush: true, supports: true, whole: true, ..self }
    }
}

impl Config {
    /// Bits of the value that a payload ends in.
    pub fn value_bits(&self) -> u32 {
        self.address_bits().max(FULL_MAP)
    }

    /// The records that the record former makes: those without payloads of format 0, and without ends of parts.
    pub fn plain_format(&self) -> RecordFormat {
        let (jump_target_cache_entries, branch_predictor_entries) = (0, 0);
        let protocol = Protocol {
            when_full: WhenFull::Stall,
            filter_ranges: 0,
            filter_privilege: false,
            filter_context: false,
            filter_window: false,
            ..self.protocol.clone()
        };
        let plain = Config {
            jump_target_cache_entries,
            branch_predictor_entries,
            protocol,
            ..self.clone()
        };
        plain.format()
    }

    /// What is known of a record before its payload is cut, where registers are between these steps.
    pub fn planned_format(&self) -> RecordFormat {
        self.plain_format().word_without(&CUT_VALUES)
    }

    /// The records between the record former and the encoder.
    pub fn format(&self) -> RecordFormat {
        let value_bits = self.value_bits();
        let mut flags = vec![
            "flush",
            "idle",
            "sends_payload",
            "start",
            "trap",
            "synchronises",
            "branches",
            "plain",
            "mapped",
            "full",
            "sends_address",
            "sends_rest",
            "not_taken",
            "handler",
            "alone",
        ];
        if self.caches_targets() {
            flags.extend(["index_alone", "index_map"]);
        }
        if self.predicts_branches() {
            flags.extend(["count_alone", "counted", "fails"]);
        }
        if self.has_parts() {
            flags.extend(["supports", "whole"]);
        }
        if self.tells_trap_values() {
            flags.push("sends_trap_value");
        }
        let mut format = RecordFormat::new(&flags)
            .value("flow", 3)
            .value("bytes", 5)
            .value("branch_count", 5)
            .value("map", FULL_MAP)
            .value("map_bits", 5)
            .value("value", value_bits)
            .value("value_bits", index_bits(value_bits + 1))
            .value("rest", self.most_rest_bits())
            .value("rest_bits", index_bits(self.most_rest_bits() + 1));
        if self.caches_targets() {
            format = format.value("index", self.index_bits());
        }
        if self.predicts_branches() {
            format = format.value("count", self.branch_count_bits);
        }
        support(payload(self.told(format), self), self)
    }

    /// Adds what starts and traps say beside an address.
    fn told(&self, mut format: RecordFormat) -> RecordFormat {
        if self.tells_state() {
            let bits = if self.splits_state() { PRIVILEGE_BITS } else { self.state_bits() };
            format = format.value("level", bits);
        }
        if self.tells_cause() {
            format = format.value("cause", self.trap_cause_bits + 1);
        }
        if self.tells_time() {
            format = format.value("time", self.time_bits());
        }
        if self.splits_state() {
            format = format.value("context", self.context_bits());
        }
        if self.tells_trap_values() {
            let bits = self.trap_value_bits();
            format =
                format.value("trap_value", bits).value("trap_value_bits", index_bits(bits + 1));
        }
        format
    }
}

/// The upper bits of a header, and the source.
fn header(config: &Config) -> [Piece; 2] {
    let Protocol { source_bits, source_id, .. } = config.protocol;
    [fields::HEADER.bits(0, 3), fields::SOURCE.bits(source_id.into(), source_bits)]
}

/// Adds the slots of an idle byte and a payload.
fn payload(format: RecordFormat, config: &Config) -> RecordFormat {
    let [header, source] = header(config);
    let synchronisation = |subformat| {
        [header, source, fields::FORMAT.bits(3, 2), fields::SUBFORMAT.bits(subformat, 2)]
    };
    let format = format
        .constant("idle", [fields::IDLE.bits(0, 5)])
        .plain(fields::IDLE, "idle", "flow")
        .plain(fields::HEADER, "sends_payload", "bytes")
        .one_of(|format| {
            let format = format
                .constant("start", synchronisation(0))
                .constant("trap", synchronisation(1))
                .constant("branches", [header, source, fields::FORMAT.bits(1, 2)])
                .constant("plain", [header, source, fields::FORMAT.bits(2, 2)]);
            slots::heads(format, config, [header, source])
        });
    let format = slots::before_branches(format, config)
        .one_of(|format| {
            let format = format.plain(fields::BRANCH, "synchronises", "not_taken").plain(
                fields::BRANCHES,
                "branches",
                "branch_count",
            );
            slots::branches(format, config)
        })
        .one_of(|format| {
            let format = slots::state(format, config);
            let format = format.sized(fields::BRANCH_MAP, "mapped", "map", "map_bits");
            slots::upper_count(format, config)
        });
    let format = slots::told(format, config).one_of(|format| {
        let format = format.plain(fields::HANDLER, "trap", "handler");
        slots::count_format(format, config)
    });
    let format =
        slots::before_address(format, config).one_of(|format| {
            let format = format
                .sized(fields::ADDRESS, "sends_address", "value", "value_bits")
                .sized(fields::BRANCH_MAP, "full", "value", "value_bits");
            slots::last(format, config)
        });
    slots::trap_value(format, config).sized(fields::REST, "sends_rest", "rest", "rest_bits")
}

/// Adds the slots of the payload at the end of the trace, with what is switched on.
fn support(format: RecordFormat, config: &Config) -> RecordFormat {
    let [_, source] = header(config);
    let head = [
        fields::HEADER.bits(SUPPORT_BYTES.into(), 8),
        source,
        fields::FORMAT.bits(3, 2),
        fields::SUBFORMAT.bits(3, 2),
    ];
    let options = fields::SUPPORT.bits(config.options(), 8);
    if config.has_parts() {
        return format
            .constant("supports", head)
            // Enabled, branch trace, and the qualification status.
            .constant("supports", [fields::SUPPORT.bits(0b01, 2)])
            .plain(fields::SUPPORT, "supports", "whole")
            .plain(fields::SUPPORT, "supports", "alone")
            .constant("supports", [options]);
    }
    format
        .constant("flush", head)
        // Enabled, branch trace, and the lower bit of the qualification status.
        .constant("flush", [fields::SUPPORT.bits(0b101, 3)])
        .plain(fields::SUPPORT, "flush", "alone")
        .constant("flush", [options])
}
