//! The pins by which a trace unit is controlled: buses with registers, triggers, the reader of a ring.

use super::{Group, Pin};
use crate::sinks::uart_reader::CYCLES_BITS;

const OF_BUS: Pin<()> = Pin { group: Group::Control, ..Pin::ROW };

crate::pins! { APB of (), OF_BUS, "p";
    /// an access to this slave
    PSEL: in sel {}
    /// the second and later cycles of it
    PENABLE: in enable {}
    /// it writes
    PWRITE: in write {}
    /// byte address
    PADDR: in addr { width: |()| 16, width_text: "16", }
    /// what is written
    PWDATA: in wdata { width: |()| 32, width_text: "32", }
    /// the bytes of it that are written
    PSTRB: in strb { width: |()| 4, width_text: "4", }
    /// not read
    PPROT: in prot { width: |()| 3, width_text: "3", }
    /// the access ends
    PREADY: out ready {}
    /// what is read
    PRDATA: out rdata { width: |()| 32, width_text: "32", }
    /// there is no such register
    PSLVERR: out slverr {}
}

crate::pins! { AXI_LITE of (), OF_BUS, "s_axi_";
    /// byte address of a write
    AXI_AWADDR: in awaddr { width: |()| 16, width_text: "16", }
    /// not read
    AXI_AWPROT: in awprot { width: |()| 3, width_text: "3", }
    /// there is one
    AXI_AWVALID: in awvalid {}
    /// it is taken
    AXI_AWREADY: out awready {}
    /// what is written
    AXI_WDATA: in wdata { width: |()| 32, width_text: "32", }
    /// the bytes of it that are written
    AXI_WSTRB: in wstrb { width: |()| 4, width_text: "4", }
    /// there is something
    AXI_WVALID: in wvalid {}
    /// it is taken
    AXI_WREADY: out wready {}
    /// 0, or 2: there is no such register
    AXI_BRESP: out bresp { width: |()| 2, width_text: "2", }
    /// a write has ended
    AXI_BVALID: out bvalid {}
    /// that is taken
    AXI_BREADY: in bready {}
    /// byte address of a read
    AXI_ARADDR: in araddr { width: |()| 16, width_text: "16", }
    /// not read
    AXI_ARPROT: in arprot { width: |()| 3, width_text: "3", }
    /// there is one
    AXI_ARVALID: in arvalid {}
    /// it is taken
    AXI_ARREADY: out arready {}
    /// what is read
    AXI_RDATA: out rdata { width: |()| 32, width_text: "32", }
    /// 0, or 2: there is no such register
    AXI_RRESP: out rresp { width: |()| 2, width_text: "2", }
    /// a read has ended
    AXI_RVALID: out rvalid {}
    /// that is taken
    AXI_RREADY: in rready {}
}

/// What the pins of triggers depend on.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// Triggers from outside.
    pub inputs: u32,
    /// Triggers to outside.
    pub outputs: u32,
}

const OF_TRIGGERS: Pin<Counts> = Pin { group: Group::Control, ..Pin::ROW };

crate::pins! { TRIGGERS of Counts, OF_TRIGGERS, "trigger_";
    /// a bit for each: tracing starts or stops, or a packet begins, where it rises
    TRIGGER_IN: in input as in { width: |of| of.inputs, width_text: "1 to 8", }
    /// a bit for each, high for a cycle when what it is for happens
    TRIGGER_OUT: out output as out { width: |of| of.outputs, width_text: "1 to 8", }
}

/// What the pins of a unit before a shared sink depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedSink {
    /// The sink asks for the end of the trace, as a trace bus does.
    pub flushes: bool,
}

const OF_SHARED_SINK: Pin<SharedSink> = Pin { group: Group::Control, ..Pin::ROW };

crate::pins! { SHARED_SINK of SharedSink, OF_SHARED_SINK, "";
    /// level: the sink takes the trace, and tracing is off while it does not
    SINK_ENABLE: in sink_enable {}
    /// what is in the module is discarded
    SOURCE_DISCARDS: out source_discards {}
    /// no bit of the trace will come before tracing is on
    SOURCE_IS_EMPTY: out source_is_empty {}
    /// level: all of the trace is to leave
    SINK_FLUSH: in sink_flush { width: |of| of.flushes.into(), when: "a trace bus", }
}

crate::pins! { UART of (), OF_BUS, "";
    /// level: send the ring
    UART_STOP: in stop {}
    /// the module takes blocks
    UART_READY: out ready {}
    /// the serial line
    UART_TX: out uart_tx {}
}

crate::pins! { UART_PERIOD of (), OF_BUS, "";
    /// cycles of a bit of the serial line
    CYCLES_PER_BIT: in cycles_per_bit { width: |()| CYCLES_BITS, width_text: "16", }
}
