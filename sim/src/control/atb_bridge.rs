//! The registers of the ATB bridge: a sink that sends the trace over an AMBA trace bus.

use super::table::Access::{Constant, Status};
use super::table::{ANY, Component, Field, Register, fields};

/// Type of the component in its register `Impl`.
const ATB_BRIDGE: u32 = 14;

/// The component.
pub fn component() -> Component {
    Component {
        name: "trAtbBridge",
        doc: "The ATB bridge: it sends the trace over an AMBA trace bus.",
        active: "trAtbBridgeActive",
        registers: vec![main(), implementation()],
    }
}

fn main() -> Register {
    Register {
        name: "trAtbBridgeControl",
        offset: 0,
        doc: "Switches the bridge on and off, and says whose the trace is on the bus.",
        fields: fields! {
            trAtbBridgeActive[0, 1] = 0, ANY, "0 holds every other field of this page in its reset value.";
            trAtbBridgeEnable[1, 1] = 0, ANY, "The bridge takes the trace, and tracing is off while it is 0. Writing 0 ends the \
                trace: the rest of it leaves over the bus.";
            trAtbBridgeEmpty[3, 1] = 1, Status, "Tracing is off, and the bus has taken all that was on offer.";
            trAtbBridgeID[8, 7] = 0, ANY, "The number of the source on the bus (ATID), 1 to 111, which is written before the \
                bridge is switched on. The bus has no source 0.";
        },
    }
}

fn implementation() -> Register {
    Register {
        name: "trAtbBridgeImpl",
        offset: 4,
        doc: "Says what the component is.",
        fields: fields! {
            trAtbBridgeVerMajor[0, 4] = 1, Constant, "Version 1.0 of the Trace Control Interface: 1.";
            trAtbBridgeVerMinor[4, 4] = 0, Constant, "Version 1.0 of the Trace Control Interface: 0.";
            trAtbBridgeCompType[8, 4] = ATB_BRIDGE, Constant, "The component is an ATB bridge.";
            trAtbBridgeAsyncFreq[12, 3] = 0, Constant, "It adds no synchronising packets of its own.";
        },
    }
}
