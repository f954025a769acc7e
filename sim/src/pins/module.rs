//! The pins of a trace module, in the order of its ports.
//!
//! A row has its remark in the Verilog, its constant, its direction, its name and, in braces, the other fields of [`Pin`].

use super::{Each, Group, Interface, Pin};
use crate::config::ResetStyle;

/// Gives the table to another macro: `for_each_module_pin!([name] { what it is given first })`.
///
/// The sections `retire` and `filter` are bundles of the hardware's crate, whose pins have the section's name before their
/// own. The pins of `retire` and `core` are there for each core, those of `range` for each range of the filter.
#[macro_export]
macro_rules! for_each_module_pin {
    ([$($then:tt)*] $given:tt) => { $($then)*! { $given
        clock {
            /// the rising edge counts
            CLOCK: in clock {}
            /// active high
            RESET: in reset { width: |of| (of.port.reset == ResetStyle::Synchronous).into(), when: "`reset=synchronous`", }
            /// active low, acts at once
            RESET_N: in reset_n { width: |of| (of.port.reset == ResetStyle::Asynchronous).into(), when: "`reset=asynchronous`", }
            /// registers and memories may change
            CLOCK_ENABLE: in clock_enable { width: |of| of.port.clock_enable.into(), when: "`clock_enable`", idle: 1, }
        }
        retire {
            /// a block retires in this cycle
            RETIRE_VALID: in valid {}
            /// instructions of the block
            RETIRE_COUNT: in count {
                width: |of| of.of_block(of.processor.retire_count_bits), width_text: "`retire_count_bits`",
                page: "instructions in the block, the last one included",
            }
            /// byte address of the last instruction
            RETIRE_PC: in pc {
                width: |of| of.of_block(of.processor.address_width), width_text: "`address_width`",
                page: "byte address of the last instruction; for an exception after 0 instructions that of the instruction \
                    before, and 0 in a first block after reset",
            }
            /// length of the last instruction in bytes
            RETIRE_LENGTH: in length {
                width: |of| of.of_block(4), width_text: "4",
                page: "length of the last instruction in bytes; read for calls only. With `exact_lengths` N-Trace reads it for every \
                    block; for an exception after 0 instructions it is that of the instruction before",
            }
            /// 0 sequential, 1 jump, 2 conditional, 3 indirect, 4 indirect conditional, 5 exception
            RETIRE_KIND: in kind {
                width: |of| of.of_block(3), width_text: "3",
                page: "0 sequential, 1 direct jump, 2 direct conditional, 3 indirect jump, 4 indirect conditional, 5 exception",
            }
            /// the last instruction leaves a return address
            RETIRE_CALL: in call {
                page: "the last instruction is a call, with the return address `retire_pc + retire_length`; read for kinds 1 to 4",
            }
            /// the last instruction returns to one
            RETIRE_RETURN: in is_return as return {
                page: "the last instruction is a return; read for kinds 1 to 4",
            }
            /// the flow changed
            RETIRE_TAKEN: in taken {
                page: "the last instruction changed the flow; read for kinds 1 to 4, and always 1 for a jump",
            }
            /// byte address that the flow changed to, if taken
            RETIRE_TARGET: in target {
                width: |of| of.of_block(of.processor.address_width), width_text: "`address_width`",
                page: "address of the next instruction, if the last one is taken or the block is an exception",
            }
        }
        core {
            /// process or thread in which the execution goes on after the block
            RETIRE_CONTEXT: in retire_context {
                group: Group::State, width: |of| of.protocol.context_bits, width_text: "`context_bits`",
                page: "the process or thread in which the execution goes on after the block; not there if 0",
            }
            /// privilege level in which the execution goes on after the block
            RETIRE_PRIVILEGE: in retire_privilege {
                group: Group::State, width: |of| of.protocol.privilege_bits, width_text: "`privilege_bits`",
                page: "the privilege level in which the execution goes on after the block; not there if 0",
            }
            /// why the exception was taken
            RETIRE_CAUSE: in retire_cause {
                group: Group::State, width: |of| of.protocol.cause_bits, width_text: "`cause_bits`",
                page: "why the exception was taken; read for kind 5; not there if 0",
            }
            /// what the exception says beside its cause
            RETIRE_TRAP_VALUE: in retire_trap_value {
                group: Group::State, when: "`trap_values`",
                width: |of| if of.protocol.trap_values { of.processor.address_width } else { 0 },
                width_text: "`address_width`",
                page: "what the exception says beside its cause (`tval`); read for kind 5, unless it is an interrupt",
            }
            /// the block of this cycle is lost in front of the module, with blocks before it
            RETIRE_LOST: in retire_lost {
                group: Group::Loss, width: |of| of.protocol.loss_pins.into(), when: "`loss_pins`",
                page: "the adapter dropped this block and up to three before it. Read the count from `retire_lost_count`; \
                    `retire_count` is ignored; all other pins keep their meaning",
            }
            /// instructions of these blocks
            RETIRE_LOST_COUNT: in retire_lost_count {
                group: Group::Loss, when: "`loss_pins`",
                width: |of| if of.protocol.loss_pins { of.processor.lost_count_bits() } else { 0 },
                width_text: "`retire_count_bits` + 2",
                page: "instructions of all these blocks; read with `retire_lost`",
            }
            /// the block of this cycle is not taken
            STALL: out stall {
                group: Group::Answer, width: |of| of.of_block((!of.protocol.drops_blocks()).into()),
                page: "the block of this cycle is not taken: hold it",
            }
            /// a block of this cycle is lost
            DROPS: out drops {
                group: Group::Answer, width: |of| of.protocol.counts_losses().into(),
                when: "`when_full=drop`, in place of `stall`, and with `enable_pin` or a filter",
                page: "a block that retires in this cycle is lost",
            }
        }
        filter {
            /// only what begins in one of these ranges is traced; none for everything
            FILTER_INCLUDES: in includes { width: |of| of.protocol.filter_ranges, width_text: "`filter_ranges`", }
            /// what begins in one of these ranges is not traced
            FILTER_EXCLUDES: in excludes { width: |of| of.protocol.filter_ranges, width_text: "`filter_ranges`", }
            /// the privilege levels that are not traced, a bit for each
            FILTER_PRIVILEGE_EXCLUDES: in privilege_excludes {
                width: |of| if of.protocol.filter_privilege { 1 << of.protocol.privilege_bits } else { 0 },
                width_text: "2^`privilege_bits`", when: "`filter_privilege`",
            }
            /// only one context is traced
            FILTER_HAS_CONTEXT: in has_context { width: |of| of.protocol.filter_context.into(), when: "`filter_context`", }
            /// that context
            FILTER_CONTEXT: in context {
                width: |of| if of.protocol.filter_context { of.protocol.context_bits } else { 0 },
                width_text: "`context_bits`", when: "`filter_context`",
            }
            /// what is between two addresses is traced
            FILTER_HAS_WINDOW: in has_window { width: |of| of.protocol.filter_window.into(), when: "`filter_window`", }
            /// byte address at which a run begins that is the first to be traced
            FILTER_START: in start {
                width: |of| if of.protocol.filter_window { of.processor.address_width } else { 0 },
                width_text: "`address_width`", when: "`filter_window`",
            }
            /// byte address of the last instruction of a run that is the last to be traced
            FILTER_STOP: in stop {
                width: |of| if of.protocol.filter_window { of.processor.address_width } else { 0 },
                width_text: "`address_width`", when: "`filter_window`",
            }
        }
        range {
            /// first byte address of the range
            FILTER_LOW: in filter_low {
                width: |of| if of.protocol.filter_ranges > 0 { of.processor.address_width } else { 0 },
                width_text: "`address_width`",
            }
            /// last byte address of the range
            FILTER_HIGH: in filter_high {
                width: |of| if of.protocol.filter_ranges > 0 { of.processor.address_width } else { 0 },
                width_text: "`address_width`",
            }
        }
        access {
            /// an access is made in this cycle
            DATA_VALID: in data_valid {}
            /// byte address of its instruction
            DATA_PC: in data_pc {
                width: |of| of.of_access(of.processor.address_width), width_text: "`address_width`",
            }
            /// the byte address that it accesses
            DATA_ADDRESS: in data_address {
                width: |of| of.of_access(of.processor.address_width), width_text: "`address_width`",
            }
            /// it writes; not traced
            DATA_STORE: in data_store {
                page: "1 for a store, 0 for a load; not traced",
            }
            /// the access of this cycle is not taken
            DATA_STALL: out stall {
                group: Group::Answer,
                page: "the access of this cycle is not taken: hold it",
            }
        }
        packets {
            /// a block of this cycle does not pass the filter
            FILTERED: out filtered {
                group: Group::Filtered, width: |of| of.protocol.filters().into(), when: "`filter_ranges` and others",
            }
            /// level: trace; the trace ends where it falls
            ENABLE: in enable {
                group: Group::Switch, width: |of| of.protocol.enable_pin.into(), when: "`enable_pin`", idle: 1,
                page: "level, tracing is on",
            }
            /// a flush, or the end of the trace, does not wait for the sink; what is in the module is lost
            DISCARD: in discard {
                group: Group::Switch, width: |of| of.protocol.enable_pin.into(), when: "`enable_pin`",
                page: "a trace that ends does not wait for its receiver",
            }
        }
        flush {
            /// level: the trace ends here
            FLUSH: in flush {
                group: Group::Flush,
                page: "level: end the trace at this point",
            }
            /// every bit of the trace has left the module
            FLUSHED: out flushed {
                group: Group::Flush,
                page: "everything up to the flush has been sent",
            }
        }
        synchronisation {
            /// a packet begins with the full address after the next block that may change the flow
            SYNC_REQUEST: in sync_request { group: Group::Sync, width: |of| of.protocol.synchronises().into(), }
            /// the time, which headers of packets say
            TIMESTAMP: in timestamp {
                group: Group::Time, width: |of| of.protocol.timestamp_bits(), width_text: "`time_bits`",
                when: "`time_source=binary`, `gray` or `unit`",
                page: "the time, in every cycle",
            }
            /// a packet begins after a synchronisation or a loss
            SYNCHRONISED: out synchronised {
                group: Group::Sync, width: |of| of.protocol.synchronises().into(),
                page: "high for a cycle: a packet begins after a synchronisation or a loss",
            }
        }
        trace {
            /// trace bits, bit 0 first
            TRACE_DATA: out trace_data { width: |of| of.port.trace_port_width, width_text: "`trace_port_width`", }
            /// a beat is ready
            TRACE_VALID: out trace_valid {
                is_plain: true,
                page: "`trace_data` holds a beat, and is stable until the beat is taken",
            }
            /// the sink takes the beat
            TRACE_READY: in trace_ready {
                is_plain: true,
                page: "the receiver takes the beat",
            }
            /// trace words in the output FIFO
            BUFFERED_WORDS: out buffered_words {
                group: Group::Level, width: |of| of.port.level_bits(), width_text: "enough",
                page: "number of trace words in the output FIFO",
            }
        }
    } };
}

/// What the rows of each section have of which they say nothing.
mod section {
    use super::{Each, Group, Pin};

    pub(super) const CLOCK: Pin = Pin { group: Group::Clock, ..Pin::ROW };
    pub(super) const BLOCK: Pin =
        Pin { group: Group::Block, each: Each::Core, width: |of| of.of_block(1), ..Pin::ROW };
    pub(super) const CORE: Pin = Pin { each: Each::Core, ..Pin::ROW };
    pub(super) const FILTER: Pin =
        Pin { group: Group::Filter, when: "`filter_ranges`", ..Pin::ROW };
    pub(super) const RANGE: Pin = Pin { each: Each::Range, ..FILTER };
    pub(super) const ACCESS: Pin =
        Pin { group: Group::Access, width: |of| of.of_access(1), ..Pin::ROW };
}

/// Declares the constants of the rows, and a list of each section.
macro_rules! declare_module_pins {
    (
        {}
        clock { $($clock:tt)* }
        retire { $($retire:tt)* }
        core { $($core:tt)* }
        filter { $($filter:tt)* }
        range { $($range:tt)* }
        access { $($access:tt)* }
        packets { $($packets:tt)* }
        flush { $($flush:tt)* }
        synchronisation { $($synchronisation:tt)* }
        trace { $($trace:tt)* }
    ) => {
        crate::pins! { CLOCKS of Interface, section::CLOCK, ""; $($clock)* }
        crate::pins! { BLOCK of Interface, section::BLOCK, "retire_"; $($retire)* }
        crate::pins! { CORE of Interface, section::CORE, ""; $($core)* }
        crate::pins! { FILTER of Interface, section::FILTER, "filter_"; $($filter)* }
        crate::pins! { RANGE of Interface, section::RANGE, ""; $($range)* }
        crate::pins! { ACCESS of Interface, section::ACCESS, ""; $($access)* }
        crate::pins! { PACKETS of Interface, Pin::ROW, ""; $($packets)* }
        crate::pins! { FLUSHES of Interface, Pin::ROW, ""; $($flush)* }
        crate::pins! { SYNCHRONISATION of Interface, Pin::ROW, ""; $($synchronisation)* }
        crate::pins! { TRACE of Interface, Pin::ROW, ""; $($trace)* }
    };
}

for_each_module_pin!([declare_module_pins] {});

/// The sections in the order of the ports.
static SECTIONS: [&[Pin]; 10] =
    [CLOCKS, BLOCK, CORE, FILTER, RANGE, ACCESS, PACKETS, FLUSHES, SYNCHRONISATION, TRACE];

/// Every row.
pub fn all() -> impl Iterator<Item = &'static Pin> {
    SECTIONS.into_iter().flatten()
}

/// The row of a port of this name, which may have a number.
pub fn find(name: &str) -> Option<&'static Pin> {
    all().find(|pin| pin.is_named(name))
}

/// What a core says of a block in front of an adapter that joins lanes: the block and its state.
pub fn of_a_block() -> impl Iterator<Item = &'static Pin> {
    all().filter(|pin| matches!(pin.group, Group::Block | Group::State))
}

/// The rows whose ports come one after the other for the same core, which are a bundle, and each other row alone.
pub(super) fn runs() -> impl Iterator<Item = &'static [Pin]> {
    SECTIONS.into_iter().flat_map(|section| {
        let together = if section[0].group == Group::Block { section.len() } else { 1 };
        section.chunks(together)
    })
}
