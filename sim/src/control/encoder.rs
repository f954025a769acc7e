//! The registers of the trace encoder: those fields of the RISC-V Trace Control Interface that the design has.

use crate::config::Protocol;
use crate::n_trace::config::Config;
use crate::scheme::{Design, Scheme};

use super::table::Access::{Constant, Status, Sticky};
use super::table::{ANY, Access, Component, Field, Hardware, Legal, Register, fields};
use super::trigger::Triggers;
use super::{filter, timestamp, trigger};

/// `trTeFormat` and `trTeInstMode` of what no specification of RISC-V International defines.
pub const VENDOR: u32 = 7;

/// The version of the trace's bits, for `trTeImpl`: major and minor.
const PROTOCOL: (u32, u32) = (0, 1);

/// `trTeFormat` and `trTeInstMode` of E-Trace, and the version of its payloads (E-Trace 2.0, "Encoder Control").
const E_TRACE: u32 = 0;
const E_TRACE_MODE: u32 = 6;
const E_TRACE_PROTOCOL: (u32, u32) = (0, 0);

/// `trTeFormat` of N-Trace, `trTeInstMode` of its two modes, and its version (N-Trace 1.0, "N-Trace Specific Trace
/// Controls").
const N_TRACE: u32 = 1;
const BRANCH_MODE: u32 = 3;
const HISTORY_MODE: u32 = 6;
const N_TRACE_PROTOCOL: (u32, u32) = (1, 0);

/// What the registers say of a trace's format.
struct Format {
    format: u32,
    format_doc: &'static str,
    mode: u32,
    mode_doc: &'static str,
    sync_doc: &'static str,
    protocol: (u32, u32),
}

/// The format of E-Trace without packets.
const STANDARD: Format = Format {
    format: E_TRACE,
    format_doc: "The trace is in the format of Efficient Trace for RISC-V (docs/e_trace.md).",
    mode: E_TRACE_MODE,
    mode_doc: "0: no instructions are traced; 6: optimised trace, the one mode of E-Trace. Any other value becomes 6.",
    sync_doc: "2: a start payload comes once as many cycles as trTeInstSyncMax says have passed since the last start or trap; 0: \
        none comes without another reason. 1 becomes 0, and 3 becomes 2.",
    protocol: E_TRACE_PROTOCOL,
};

/// The format of N-Trace without packets, in history trace messaging.
const HISTORIES: Format = Format {
    format: N_TRACE,
    format_doc: "The trace is in the format of the Nexus-based trace for RISC-V (docs/ntrace.md).",
    mode: HISTORY_MODE,
    mode_doc: "0: no instructions are traced; 6: history trace messaging. Any other value becomes 6.",
    sync_doc: "2: the next branch or jump that is taken, or exception, sends a message that synchronises once as many cycles as \
        trTeInstSyncMax says have passed since the last synchronisation; 0: none does without another reason. 1 becomes 0, \
        and 3 becomes 2.",
    protocol: N_TRACE_PROTOCOL,
};

/// The same in branch trace messaging.
const BRANCHES: Format = Format {
    mode: BRANCH_MODE,
    mode_doc: "0: no instructions are traced; 3: branch trace messaging. Any other value becomes 3.",
    ..HISTORIES
};

/// A format of our own.
const OWN: Format = Format {
    format: VENDOR,
    format_doc: "The trace is in a format of its own (docs/packets.md).",
    mode: VENDOR,
    mode_doc: "0: no instructions are traced; 7: the design's scheme. Any other value becomes 7.",
    sync_doc: "2: a packet begins with the full address once as many cycles as trTeInstSyncMax says have passed since one \
        began; 0: only after the design's sync_interval. 1 becomes 0, and 3 becomes 2.",
    protocol: PROTOCOL,
};

impl Format {
    fn of(design: &Design) -> &'static Format {
        match &design.scheme {
            _ if !design.protocol().switches_alone() => &OWN,
            Scheme::NTrace(config) if config.branch_history => &HISTORIES,
            Scheme::NTrace(_) => &BRANCHES,
            _ => &STANDARD,
        }
    }
}

/// The `trTeFormat` of a design.
pub fn format(design: &Design) -> u32 {
    Format::of(design).format
}

fn control(legal: Legal) -> Access {
    Access::Control { legal, hardware: Hardware::Reads }
}

/// The component of a design.
pub fn component(design: &Design, triggers: Triggers) -> Component {
    let format = Format::of(design);
    let mut registers = vec![main(design, triggers), implementation(format)];
    if design.protocol().switches_alone() {
        registers.push(features(design));
    }
    registers.extend(filter::selection(design));
    registers.extend(timestamp::registers(design.protocol()));
    registers.extend(trigger::registers(triggers));
    registers.extend(filter::registers(design));
    registers.push(status());
    if design.protocol().filters() {
        registers.extend(filter::of_vendor(design));
    }
    registers.push(fingerprint(design));
    Component {
        name: "trTe",
        doc: "The trace encoder: the trace module and what switches it.",
        active: "trTeActive",
        registers,
    }
}

fn main(design: &Design, triggers: Triggers) -> Register {
    let protocol = design.protocol();
    let (switched, tracing_doc) = trigger::tracing(triggers);
    let Format { format, format_doc, mode, mode_doc, sync_doc, .. } = *Format::of(design);
    let mut fields = fields! {
        trTeActive[0, 1] = 0, ANY, "0 holds every other field of this page in its reset value. A trace that is still in the \
            module when 0 is written is discarded.";
        trTeEnable[1, 1] = 0, ANY, "Tracing is allowed. Writing 0 ends the trace: what is in the module goes to the sink.";
        trTeInstTracing[2, 1] = 0, switched, tracing_doc;
        trTeEmpty[3, 1] = 1, Status, "Tracing is off, and the sink has taken all of the trace.";
        trTeInstMode[4, 3] = mode, control(Legal::ZeroOr(mode)), mode_doc;
    };
    if protocol.context_bits > 0 || protocol.privilege_bits > 0 {
        fields.extend(fields! {
            trTeContext[9, 1] = 1, Constant, "The trace says context or privilege level.";
        });
    }
    fields.extend(trigger::enable(triggers));
    fields.extend(losses(protocol));
    if protocol.switches_alone() {
        fields.extend(inhibits_source(protocol));
    }
    fields.extend(fields! {
        trTeInstSyncMode[16, 2] = 0, control(Legal::Bits(2)), sync_doc;
        trTeInstSyncMax[20, 4] = 0, ANY, "The number of cycles is 2 to the power of this + 4.";
        trTeFormat[24, 3] = format, Constant, format_doc;
    });
    Register {
        name: "trTeControl",
        offset: 0,
        doc: "Switches tracing on and off, and says what became of it.",
        fields,
    }
}

/// Whether payloads or messages name their encoder.
fn inhibits_source(protocol: &Protocol) -> Vec<Field> {
    let (inhibits, doc) = match protocol.source_bits {
        0 => (1, "Packets do not say which encoder they come from."),
        _ => (0, "Packets say which encoder they come from; the design decides it."),
    };
    fields! {
        trTeInhibitSrc[15, 1] = inhibits, Constant, doc;
    }
}

/// The encoder that payloads or messages name, and in how many bits, as the design has them for good.
fn source(protocol: &Protocol, unnamed: &'static str) -> Vec<Field> {
    let (id_doc, bits_doc) = match protocol.source_bits {
        0 => (unnamed, unnamed),
        _ => (
            "The encoder that packets say they come from.",
            "Bits in which packets say which encoder they come from.",
        ),
    };
    fields! {
        trTeSrcID[16, 12] = protocol.source_id, Constant, id_doc;
        trTeSrcBits[28, 4] = protocol.source_bits, Constant, bits_doc;
    }
}

/// What happens where the module has no room.
fn losses(protocol: &Protocol) -> Vec<Field> {
    let stalls = !protocol.drops_blocks();
    let stall_ena = match (stalls, protocol.switches_alone()) {
        (true, _) => "The core waits where the module has no room (when_full=stall).",
        (false, false) => {
            "Blocks for which there is no room are lost and counted (when_full=drop)."
        }
        (false, true) => "Blocks for which there is no room are lost (when_full=drop).",
    };
    fields! {
        trTeInstStallOrOverflow[12, 1] = 0, Sticky { cleared_with: "trTeEnable" }, "The core was stalled, or blocks were lost, \
            since the trace began; setting trTeEnable clears it too.";
        trTeInstStallEna[13, 1] = stalls.into(), Constant, stall_ena;
    }
}

fn implementation(format: &Format) -> Register {
    let (major, minor) = format.protocol;
    Register {
        name: "trTeImpl",
        offset: 4,
        doc: "Says what the component is.",
        fields: fields! {
            trTeVerMajor[0, 4] = 1, Constant, "Version 1.0 of the Trace Control Interface: 1.";
            trTeVerMinor[4, 4] = 0, Constant, "Version 1.0 of the Trace Control Interface: 0.";
            trTeCompType[8, 4] = 1, Constant, "The component is a trace encoder.";
            trTeProtocolMajor[16, 4] = major, Constant, "Major version of the trace's format.";
            trTeProtocolMinor[20, 4] = minor, Constant, "Minor version of the trace's format.";
        },
    }
}

/// `trTeInstImplicitReturnMode` of a stack of return addresses.
const WITH_ADDRESSES: u32 = 3;

/// The optional modes, and the source of packets, as the design has them for good.
fn features(design: &Design) -> Register {
    if let Scheme::NTrace(config) = &design.scheme {
        return features_of_n_trace(config);
    }
    let modes = fields! {
        trTeInstNoAddrDiff[0, 1] = 0, Constant, "Addresses are sent as differences, but for those of a start or a trap.";
        trTeInstNoTrapAddr[1, 1] = 0, Constant, "Traps have the address of their handler.";
        trTeInstEnSequentialJump[2, 1] = 0, Constant, "No indirect jump is inferred from the instruction before.";
        trTeInstEnImplicitReturn[3, 1] = 0, Constant, "No return is inferred.";
        trTeInstEnBranchPrediction[4, 1] = 0, Constant, "Branches are not predicted.";
        trTeInstEnJumpTargetCache[5, 1] = 0, Constant, "There is no jump target cache.";
        trTeInstImplicitReturnMode[6, 2] = 0, Constant, "No return is inferred.";
        trTeInstEnRepeatedHistory[8, 1] = 0, Constant, "E-Trace has none.";
        trTeInstEnAllJumps[9, 1] = 0, Constant, "E-Trace has none.";
        trTeInstExtendAddrMSB[10, 1] = 0, Constant, "E-Trace has none.";
    };
    let source = source(design.protocol(), "Packets do not say which encoder they come from.");
    Register {
        name: "trTeInstFeatures",
        offset: 8,
        doc: "Says which optional modes are on: none is there.",
        fields: modes.into_iter().chain(source).collect(),
    }
}

fn features_of_n_trace(config: &Config) -> Register {
    let (returns, repeats) = (config.infers_returns(), config.counts_repeats());
    let (mode, return_doc) = match returns {
        true => (WITH_ADDRESSES, "Returns are inferred by a stack of return addresses."),
        false => (0, "No return is inferred."),
    };
    let repeat_doc = match repeats {
        true => "Histories and branches that come again are counted.",
        false => "Histories that come again are sent again.",
    };
    let modes = fields! {
        trTeInstNoAddrDiff[0, 1] = 0, Constant, "N-Trace has none.";
        trTeInstNoTrapAddr[1, 1] = 0, Constant, "N-Trace has none.";
        trTeInstEnSequentialJump[2, 1] = 0, Constant, "No indirect jump is inferred from the instruction before.";
        trTeInstEnImplicitReturn[3, 1] = returns.into(), Constant, return_doc;
        trTeInstEnBranchPrediction[4, 1] = 0, Constant, "N-Trace has none.";
        trTeInstEnJumpTargetCache[5, 1] = 0, Constant, "N-Trace has none.";
        trTeInstImplicitReturnMode[6, 2] = mode, Constant, return_doc;
        trTeInstEnRepeatedHistory[8, 1] = repeats.into(), Constant, repeat_doc;
        trTeInstEnAllJumps[9, 1] = 0, Constant, "Direct jumps send nothing.";
        trTeInstExtendAddrMSB[10, 1] = 0, Constant, "Addresses are sent whole, without the zeros above them.";
    };
    let source = source(&config.protocol, "Messages do not say which encoder they come from.");
    Register {
        name: "trTeInstFeatures",
        offset: 8,
        doc: "Says which optional modes are on; the design decides it.",
        fields: modes.into_iter().chain(source).collect(),
    }
}

/// A register of our own, in the part of the page that is left to vendors.
fn status() -> Register {
    Register {
        name: "twStatus",
        offset: 0xe00,
        doc: "Says what the module does.",
        fields: fields! {
            twTakesBlocks[0, 1] = 0, Status, "The module has begun to take blocks since tracing was switched on: a core that is \
                held in reset until then is traced from its first instruction on.";
        },
    }
}

/// What software compares with the fingerprint of the design that it decodes with.
fn fingerprint(design: &Design) -> Register {
    Register {
        name: "twFingerprint",
        offset: 0xefc,
        doc: "Says which design it is.",
        fields: fields! {
            twFingerprint[0, 32] = design.fingerprint(), Constant, "A hash of all parameters that change bits of the trace or \
                registers; `tracewright designs` prints it, and `decode --fingerprint` takes it.";
        },
    }
}
