//! The registers of a Trace Funnel.

use crate::funnel::Config;

use super::table::Access::{self, Constant, Status};
use super::table::{ANY, Component, Field, Hardware, Legal, Register, fields};

/// Type of the component in its register `Impl`.
const TRACE_FUNNEL: u32 = 8;

/// The component of a funnel.
pub fn component(config: &Config) -> Component {
    Component {
        name: "trFunnel",
        doc: "The trace funnel: the bytes of several traces in one stream, and what switches them.",
        active: "trFunnelActive",
        registers: vec![main(), implementation(), inputs(config)],
    }
}

fn main() -> Register {
    Register {
        name: "trFunnelControl",
        offset: 0,
        doc: "Switches the funnel on and off.",
        fields: fields! {
            trFunnelActive[0, 1] = 0, ANY, "0 holds every other field of this page in its reset value, which switches the \
                funnel off.";
            trFunnelEnable[1, 1] = 0, ANY, "The funnel takes bytes of its sources. Writing 0 lets what waits in it leave in \
                a whole frame; the sources wait.";
            trFunnelEmpty[3, 1] = 1, Status, "The funnel is off, and all that it took has left in a whole frame.";
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
fn inputs(config: &Config) -> Register {
    let legal = Legal::Bits((1 << config.sources) - 1);
    let control = Access::Control { legal, hardware: Hardware::Reads };
    Register {
        name: "trFunnelDisInput",
        offset: 8,
        doc: "Says which sources the funnel does not take.",
        fields: fields! {
            trFunnelDisInput[0, 16] = 0, control, "A bit for each source, that of source_data_0 lowest: nothing of it is \
                taken while the bit is 1, and it waits. Bits without a source read as 0.";
        },
    }
}
