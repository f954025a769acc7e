//! The pins on which the trace leaves a sink, and those of the funnel and of the RAM sink.

use super::{Each, Group, Interface, Pin, module};
use crate::config::index_bits;
use crate::{funnel, message_funnel, ram_sink, system_memory_sink};

/// What the pins of a sink depend on.
#[derive(Clone, Copy, Debug)]
pub struct Outlet {
    /// Width of the trace port in front of it.
    pub trace_port_width: u32,
    /// The trace is made of packets.
    pub has_packets: bool,
    /// The trace module has a clock enable.
    pub clock_enable: bool,
    /// Tracing is switched off and on, and can be discarded.
    pub switches: bool,
}

impl Outlet {
    /// That of a trace module with these pins.
    pub fn of(interface: &Interface) -> Outlet {
        Outlet {
            trace_port_width: interface.port.trace_port_width,
            has_packets: interface.bits(&module::SYNC_REQUEST) > 0,
            clock_enable: interface.port.clock_enable,
            switches: interface.bits(&module::ENABLE) > 0,
        }
    }

    /// That of a funnel of whole messages, whose bytes stay until they are taken.
    pub fn of_message_funnel() -> Outlet {
        Outlet { trace_port_width: 8, has_packets: false, clock_enable: false, switches: false }
    }

    /// Width of a bus of whole bytes.
    pub fn bus_bits(&self) -> u32 {
        self.trace_port_width.next_multiple_of(8)
    }

    /// Beats of the trace port in a beat of a bus.
    pub fn beats(&self) -> u32 {
        8_u32.div_ceil(self.trace_port_width).max(1)
    }

    /// True if beats wait in registers in front of a trace bus: to fill bytes, or because what is on offer there has to
    /// stay although the module may discard it.
    pub fn gathers(&self) -> bool {
        self.beats() > 1 || self.switches
    }

    /// Width of the number of bytes of a beat; 0 if there is only one.
    pub fn bytes_bits(&self) -> u32 {
        (self.bus_bits() / 8).ilog2()
    }
}

const OF_CLOCK: Pin<Outlet> = Pin { group: Group::Clock, ..Pin::ROW };
const OF_SINK: Pin<Outlet> = Pin { group: Group::Sink, ..Pin::ROW };

crate::pins! { SINK_SOURCE of Outlet, OF_SINK, "trace_";
    /// all of the trace has left the module
    TRACE_FLUSHED: in flushed {}
    /// the module is to end its trace
    TRACE_FLUSH: out flush { when: "a trace bus", }
}

crate::pins! { AXI_STREAM_CLOCKS of Outlet, OF_CLOCK, "a";
    /// the clock
    ACLK: in clk {}
    /// the reset, active low
    ARESETN: in resetn {}
    /// registers may change
    ACLKEN: in clken { width: |of| of.clock_enable.into(), when: "`clock_enable`", idle: 1, }
}

crate::pins! { AXI_STREAM of Outlet, OF_SINK, "m_axis_";
    /// the trace, bit 0 first
    AXIS_TDATA: out tdata { width: Outlet::bus_bits, width_text: "`trace_port_width`, filled up to whole bytes", }
    /// there is a beat
    AXIS_TVALID: out tvalid {}
    /// it is the last one before a flush
    AXIS_TLAST: out tlast {}
    /// the beat is taken
    AXIS_TREADY: in tready {}
}

crate::pins! { ATB_CLOCKS of Outlet, OF_CLOCK, "at";
    /// the clock
    ATCLK: in clk {}
    /// the reset, active low
    ATRESETN: in resetn {}
    /// registers may change
    ATCLKEN: in clken { width: |of| of.clock_enable.into(), when: "`clock_enable`", idle: 1, }
}

crate::pins! { ATB of Outlet, OF_SINK, "";
    /// the number of the source
    TRACE_ID: in trace_id { width: |_| 7, width_text: "7", }
    /// the same number, on the bus
    ATID: out atid { width: |_| 7, width_text: "7", }
    /// the trace, bit 0 first
    ATDATA: out atdata { width: Outlet::bus_bits, width_text: "`trace_port_width`, filled up to whole bytes", }
    /// bytes of the beat, less one
    ATBYTES: out atbytes { width: Outlet::bytes_bits, width_text: "enough", }
    /// there is a beat
    ATVALID: out atvalid {}
    /// the beat is taken
    ATREADY: in atready {}
    /// a packet is asked for
    SYNCREQ: in syncreq { width: |of| of.has_packets.into(), when: "`framing=packets`", }
    /// everything is to leave
    AFVALID: in afvalid {}
    /// everything has left
    AFREADY: out afready {}
}

crate::pins! { CHIP_PINS of Outlet, OF_SINK, "pin_";
    /// the clock, which is taken at both edges
    PIN_CLOCK: out clock {}
    /// the trace, bit 0 first
    PIN_DATA: out data { width: |of| of.trace_port_width, width_text: "`trace_port_width`", }
    /// there is no trace
    PIN_IDLE: out idle {}
}

crate::pins! { CHIP_PERIOD of Outlet, OF_SINK, "";
    /// cycles of half a value, less one
    HALF_PERIOD: in half_period { width: |_| 7, width_text: "7", }
}

/// Width of an index of a word of the RAM sink.
fn pointer_bits(config: &ram_sink::Config) -> u32 {
    index_bits(config.words())
}

const OF_RAM_SINK: Pin<ram_sink::Config> = Pin { group: Group::Sink, ..Pin::ROW };

crate::pins! { RAM_SINK of ram_sink::Config, OF_RAM_SINK, "";
    /// level: the sink takes the trace
    RAM_ENABLE: in enable {}
    /// level: everything is as after reset, but for the memory
    RAM_CLEAR: in clear {}
    /// no bit of the trace will come before enable rises
    RAM_SOURCE_IS_EMPTY: in source_is_empty {}
    /// the sink stops when the tail of the ring is reached, and overwrites nothing
    RAM_STOP_WHEN_FULL: in stop_when_full {}
    /// the last word of the ring
    RAM_LIMIT: in limit { width: pointer_bits, width_text: "enough", }
    /// the sink asks for the end of the trace
    RAM_STOPPED: out stopped {}
    /// all that was taken is in the memory, and no more is taken
    RAM_IS_EMPTY: out is_empty {}
    /// the write pointer becomes another one
    RAM_LOAD_WRITE_POINTER: in load_write_pointer {}
    /// that one
    RAM_LOADED_WRITE_POINTER: in loaded_write_pointer { width: pointer_bits, width_text: "enough", }
    /// the word that is written next
    RAM_WRITE_POINTER: out write_pointer { width: pointer_bits, width_text: "enough", }
    /// whether the ring is full is said anew
    RAM_LOAD_WRAPPED: in load_wrapped {}
    /// it is
    RAM_LOADED_WRAPPED: in loaded_wrapped {}
    /// the last word of the ring was written
    RAM_WRAPPED: out wrapped {}
    /// the read pointer becomes another one
    RAM_LOAD_READ_POINTER: in load_read_pointer {}
    /// that one
    RAM_LOADED_READ_POINTER: in loaded_read_pointer { width: pointer_bits, width_text: "enough", }
    /// the word that is read
    RAM_READ_POINTER: out read_pointer { width: pointer_bits, width_text: "enough", }
    /// the word is read, and the next one is to come
    RAM_READ: in read {}
    /// the word that is read
    RAM_READ_WORD: out read_word { width: |_| ram_sink::WORD_BITS, width_text: "32", }
    /// it is there
    RAM_READ_READY: out read_ready {}
}

/// Width of the number of a word in the memory of the system.
fn place_bits(config: &system_memory_sink::Config) -> u32 {
    config.bus.place_bits()
}

const OF_SYSTEM_MEMORY: Pin<system_memory_sink::Config> = Pin { group: Group::Sink, ..Pin::ROW };

crate::pins! { SYSTEM_MEMORY_SINK of system_memory_sink::Config, OF_SYSTEM_MEMORY, "";
    /// level: the sink takes the trace
    MEMORY_ENABLE: in enable {}
    /// level: everything is as after reset, but for a burst on its way
    MEMORY_CLEAR: in clear {}
    /// no bit of the trace will come before enable rises
    MEMORY_SOURCE_IS_EMPTY: in source_is_empty {}
    /// the sink stops when the tail of the ring is reached, and overwrites nothing
    MEMORY_STOP_WHEN_FULL: in stop_when_full {}
    /// the first word of the ring
    MEMORY_START: in start { width: place_bits, width_text: "enough", }
    /// the last word of the ring
    MEMORY_LIMIT: in limit { width: place_bits, width_text: "enough", }
    /// the sink asks for the end of the trace
    MEMORY_STOPPED: out stopped {}
    /// all that was taken is in the memory, and no more is taken
    MEMORY_IS_EMPTY: out is_empty {}
    /// while the sink is empty, the write pointer becomes another one
    MEMORY_LOAD_WRITE_POINTER: in load_write_pointer {}
    /// that one
    MEMORY_LOADED_WRITE_POINTER: in loaded_write_pointer { width: place_bits, width_text: "enough", }
    /// the word that is written next
    MEMORY_WRITE_POINTER: out write_pointer { width: place_bits, width_text: "enough", }
    /// whether the ring is full is said anew
    MEMORY_LOAD_WRAPPED: in load_wrapped {}
    /// it is
    MEMORY_LOADED_WRAPPED: in loaded_wrapped {}
    /// the last word of the ring was written
    MEMORY_WRAPPED: out wrapped {}
    /// the response that has ended the trace; 0 without one
    MEMORY_ERROR_RESPONSE: out error_response { width: |_| 2, width_text: "2", }
}

crate::pins! { SYSTEM_MEMORY of system_memory_sink::Config, OF_SYSTEM_MEMORY, "m_axi_";
    /// byte address of a burst
    MEMORY_AWADDR: out awaddr { width: |of| of.bus.address_bits, width_text: "32 to 64", }
    /// beats of the burst, less one
    MEMORY_AWLEN: out awlen { width: |_| 8, width_text: "8", }
    /// bytes of a beat: 2 for four, 3 for eight
    MEMORY_AWSIZE: out awsize { width: |_| 3, width_text: "3", }
    /// 1: addresses grow
    MEMORY_AWBURST: out awburst { width: |_| 2, width_text: "2", }
    /// 3: normal memory that is not cached; a write may wait in a buffer
    MEMORY_AWCACHE: out awcache { width: |_| 4, width_text: "4", }
    /// 0: unprivileged secure data
    MEMORY_AWPROT: out awprot { width: |_| 3, width_text: "3", }
    /// there is a burst
    MEMORY_AWVALID: out awvalid {}
    /// its address is taken
    MEMORY_AWREADY: in awready {}
    /// what is written
    MEMORY_WDATA: out wdata { width: |of| of.bus.data_bits, width_text: "32 or 64", }
    /// the bytes of it that are written: all
    MEMORY_WSTRB: out wstrb { width: |of| of.bus.word_bytes(), width_text: "4 or 8", }
    /// it is the last beat of its burst
    MEMORY_WLAST: out wlast {}
    /// there is a beat
    MEMORY_WVALID: out wvalid {}
    /// it is taken
    MEMORY_WREADY: in wready {}
    /// 0, or 2 or 3 for an error
    MEMORY_BRESP: in bresp { width: |_| 2, width_text: "2", }
    /// a burst has ended
    MEMORY_BVALID: in bvalid {}
    /// that is taken
    MEMORY_BREADY: out bready {}
}

const OF_SOURCE: Pin<funnel::Config> = Pin { group: Group::Trace, each: Each::Source, ..Pin::ROW };

crate::pins! { SOURCE of funnel::Config, OF_SOURCE, "source_";
    /// the next byte of a source
    SOURCE_DATA: in data { width: |_| 8, width_text: "8", }
    /// there is one
    SOURCE_VALID: in valid {}
    /// it is taken
    SOURCE_READY: out ready {}
}

const OF_MESSAGE_FUNNEL: Pin<message_funnel::Config> = Pin { group: Group::Trace, ..Pin::ROW };

crate::pins! { MESSAGE_FUNNEL of message_funnel::Config, OF_MESSAGE_FUNNEL, "";
    /// level: messages begin
    FUNNEL_ENABLE: in enable {}
    /// a bit for each source: no message of it begins
    FUNNEL_DISABLED: in disabled { width: |of| of.sources, width_text: "enough", }
    /// a bit for each source: it discards what is in it, and the rest of a message does not come
    FUNNEL_DISCARDS: in discards { width: |of| of.sources, width_text: "enough", }
    /// a bit for each source: all of its trace has left it
    FUNNEL_SOURCE_IS_EMPTY: in source_is_empty { width: |of| of.sources, width_text: "enough", }
    /// nothing is in the funnel, and no message is open
    FUNNEL_IS_EMPTY: out is_empty {}
    /// nothing is in it or in a source that it takes
    FUNNEL_ALL_HAS_LEFT: out all_has_left {}
}

const OF_COMBINED: Pin = Pin { group: Group::Level, ..Pin::ROW };

crate::pins! { COMBINED of Interface, OF_COMBINED, "data_";
    /// trace words of data addresses in their output FIFO
    DATA_BUFFERED_WORDS: out buffered_words { width: |of| of.port.level_bits(), width_text: "enough", }
}
