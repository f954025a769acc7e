//! A trace port as an AXI4-Stream manager.

use tracewright_elaborate::prelude::*;
use tracewright_sim::pins::sinks::{self, Outlet};

block! {
    /// Sends the trace to an AXI4-Stream subordinate.
    ///
    /// The last beat of a flush has m_axis_tlast, for which a beat waits until the next one follows or the flush ends.
    pub AxiStream("axi_stream") of (outlet: &Outlet) {
        let beat_bits = outlet.trace_port_width as usize;
        let switch = usize::from(outlet.switches);
    }
    parameters {
        trace_port_width = beat_bits,
        switches = 1 if outlet.switches,
    }

    in trace_data: beat_bits;
    in trace_valid: 1;
    out trace_ready: 1;
    #[remark(sinks::TRACE_FLUSHED.meaning)]
    in trace_flushed: 1;
    in flush: switch;
    in enable: switch;
    in discard: switch;
    out flushed: 1;
    #[remark(sinks::AXIS_TDATA.meaning)]
    out m_axis_tdata: outlet.bus_bits() as usize;
    #[remark(sinks::AXIS_TVALID.meaning)]
    out m_axis_tvalid: 1;
    #[remark(sinks::AXIS_TLAST.meaning)]
    out m_axis_tlast: 1;
    #[remark(sinks::AXIS_TREADY.meaning)]
    in m_axis_tready: 1;
    /// the beat that waits
    reg held: beat_bits;
    /// there is one
    reg held_valid: 1;
    /// it was offered as the last one, which it then stays
    reg held_last: 1;
    /// it was offered as one that another follows, which a discard may have thrown away
    reg held_more: switch;
    /// the trace that ends was discarded
    reg is_discarded: switch;
    local is_last: 1;
    local is_offered: 1;
    param switches = outlet.switches;
}

#[kernel]
impl Logic for AxiStream {
    fn update(&mut self) {
        is_last = held_last.q | (trace_flushed & !trace_valid);
        is_offered = held_valid.q & (trace_valid | is_last);
        flushed = trace_flushed & !held_valid.q;
        if when(switches) {
            is_last = held_last.q | (trace_flushed & !trace_valid & !held_more.q);
            is_offered = held_valid.q & (trace_valid | is_last | held_more.q);
            flushed = trace_flushed & (!held_valid.q | is_discarded.q);
            held_more.d = is_offered & !is_last & !m_axis_tready;
            is_discarded.d = (flush | !enable) & (is_discarded.q | discard);
        }
        held_last.d = is_offered & is_last & !m_axis_tready;
        m_axis_tvalid = is_offered;
        m_axis_tlast = is_last;
        m_axis_tdata = resized(held.q);
        trace_ready = !held_valid.q | m_axis_tready;

        if trace_valid & trace_ready {
            held.d = trace_data;
            held_valid.d = 1;
        } else if is_offered & m_axis_tready {
            if when(switches) {
                // After a beat that another was to follow the trace ends with zeros.
                held.d = 0;
                held_valid.d = trace_flushed & !is_last;
            } else {
                held_valid.d = 0;
            }
        }
    }
}
