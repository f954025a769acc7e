//! The registers of a Trace Funnel.

use crate::funnel::Config;
use crate::message_funnel;

use super::table::Access::{self, Constant, Status};
use super::table::{ANY, Component, Field, Hardware, Legal, Register, fields};

/// Type of the component in its register `Impl`.
const TRACE_FUNNEL: u32 = 8;

/// What differs between funnels.
struct Kind {
    doc: &'static str,
    enable: &'static str,
    empty: &'static str,
    disable: &'static str,
}

/// A funnel of bytes in frames.
const OF_FRAMES: Kind = Kind {
    doc: "The trace funnel: the bytes of several traces in one stream, and what switches them.",
    enable: "The funnel takes bytes of its sources. Writing 0 lets what waits in it leave in a whole frame; the sources wait.",
    empty: "The funnel is off, and all that it took has left in a whole frame.",
    disable: "A bit for each source, that of source_data_0 lowest: nothing of it is taken while the bit is 1, and it waits. \
              Bits without a source read as 0.",
};

/// A funnel of whole messages.
const OF_MESSAGES: Kind = Kind {
    doc: "The trace funnel: whole messages of several traces in one stream, and what switches them.",
    enable: "The funnel takes messages of its sources. After a 0 the message that has begun goes on to its end, and the \
             sources wait.",
    empty: "Nothing is in the funnel, and no message has begun that has not ended.",
    disable: "A bit for each hart, the first one lowest: no message of it begins while the bit is 1, and it waits. Bits \
              without a hart read as 0.",
};

/// The component of a funnel.
pub fn component(config: &Config) -> Component {
    of_kind(&OF_FRAMES, config.sources)
}

/// The component of a funnel of whole messages.
pub fn component_of_messages(config: &message_funnel::Config) -> Component {
    of_kind(&OF_MESSAGES, config.sources)
}

fn of_kind(kind: &Kind, sources: u32) -> Component {
    Component {
        name: "trFunnel",
        doc: kind.doc,
        active: "trFunnelActive",
        registers: vec![main(kind), implementation(), inputs(kind, sources)],
    }
}

fn main(kind: &Kind) -> Register {
    Register {
        name: "trFunnelControl",
        offset: 0,
        doc: "Switches the funnel on and off.",
        fields: fields! {
            trFunnelActive[0, 1] = 0, ANY, "0 holds every other field of this page in its reset value, which switches the \
                funnel off.";
            trFunnelEnable[1, 1] = 0, ANY, kind.enable;
            trFunnelEmpty[3, 1] = 1, Status, kind.empty;
        },
    }
}

fn implementation() -> Register {
    Register {
        name: "trFunnelImpl",
        offset: 4,
        doc: "Says what the component is.",
        fields: fields! {
            trFunnelVerMajor[0, 4] = 1, Constant, "Version 1.0 of the Trace Control Interface: 1.";
            trFunnelVerMinor[4, 4] = 0, Constant, "Version 1.0 of the Trace Control Interface: 0.";
            trFunnelCompType[8, 4] = TRACE_FUNNEL, Constant, "The component is a trace funnel.";
        },
    }
}

/// The field has room for 16 sources.
fn inputs(kind: &Kind, sources: u32) -> Register {
    let legal = Legal::Bits((1 << sources) - 1);
    let control = Access::Control { legal, hardware: Hardware::Reads };
    Register {
        name: "trFunnelDisInput",
        offset: 8,
        doc: "Says which sources the funnel does not take.",
        fields: fields! {
            trFunnelDisInput[0, 16] = 0, control, kind.disable;
        },
    }
}
