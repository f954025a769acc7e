//! A trace port as a source on an AMBA trace bus.

use tracewright_elaborate::prelude::*;
use tracewright_sim::pins::sinks::{self, Outlet};

block! {
    /// Sends the trace as a source on an AMBA trace bus (ATB).
    ///
    /// What flush asks for is answered by flushed, and what afvalid asks for by afready.
    pub TraceBus("trace_bus") of (outlet: &Outlet) {
        let beat_bits = outlet.trace_port_width as usize;
        let bus_bits = outlet.bus_bits() as usize;
        let bytes_bits = outlet.bytes_bits() as usize;
        let beats = outlet.beats() as usize;
        let switch = usize::from(outlet.switches);
        let gathers = outlet.gathers();
        let gathered_bits = if gathers { bus_bits } else { 0 };
        let count_bits = if gathers { beats.ilog2() as usize + 1 } else { 0 };
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
    #[remark(sinks::TRACE_FLUSH.meaning)]
    out trace_flush: 1;
    in flush: 1;
    in enable: switch;
    in discard: switch;
    out flushed: 1;
    #[remark(sinks::TRACE_ID.meaning)]
    in trace_id: sinks::TRACE_ID.bits(outlet);
    #[remark(sinks::ATID.meaning)]
    out atid: sinks::ATID.bits(outlet);
    #[remark(sinks::ATDATA.meaning)]
    out atdata: bus_bits;
    #[remark(sinks::ATBYTES.meaning)]
    out atbytes: bytes_bits;
    #[remark(sinks::ATVALID.meaning)]
    out atvalid: 1;
    #[remark(sinks::ATREADY.meaning)]
    in atready: 1;
    #[remark(sinks::AFVALID.meaning)]
    in afvalid: 1;
    #[remark(sinks::AFREADY.meaning)]
    out afready: 1;
    /// the user asked for the end of the trace in the cycle before
    reg asked: 1;
    /// the trace that ends was discarded
    reg is_discarded: switch;
    /// the beats of what is on offer, the first one lowest
    reg gathered: gathered_bits;
    reg count: count_bits;
    /// the user asks for the end of the trace
    local asks: 1;
    local is_whole: usize::from(gathers);
    /// beats that wait if no other one comes
    local kept: count_bits;
    local all_taken: 1;
    param switches = outlet.switches;
    param gathers = gathers;
    param is_narrow = beats > 1;
    param drops = outlet.switches && beats > 1;
    param beats = beats;
    param beat_bits = beat_bits;
    param rest = bus_bits - beat_bits;
    param has_bytes = bytes_bits > 0;
    param last_byte = Word::new(bytes_bits.max(1), u64::from(outlet.bus_bits()) / 8 - 1);
}

#[kernel]
impl Logic for TraceBus {
    fn update(&mut self) {
        atid = trace_id;
        if when(has_bytes) {
            atbytes = last_byte;
        }
        trace_flush = flush | afvalid;
        asks = flush;
        if when(switches) {
            asks = flush | !enable;
            is_discarded.d = asks & (is_discarded.q | discard);
        }
        asked.d = asks;

        if when(gathers) {
            is_whole = count.q == beats;
            all_taken = trace_flushed & !is_whole;
            atdata = gathered.q;
            atvalid = is_whole;
            trace_ready = !is_whole | atready;
            kept = count.q;
            if is_whole & atready {
                kept = 0;
            }
            if when(drops) {
                if trace_flushed & !is_whole {
                    kept = 0;
                }
            }
            count.d = kept;
            if trace_valid & trace_ready {
                if when(is_narrow) {
                    count.d = kept + 1;
                    gathered.d = (resized(trace_data) << rest) | (gathered.q >> beat_bits);
                } else {
                    count.d = 1;
                    gathered.d = trace_data;
                }
            }
        } else {
            all_taken = trace_flushed;
            atdata = trace_data;
            atvalid = trace_valid;
            trace_ready = atready;
        }

        afready = afvalid & all_taken;
        flushed = (asks | asked.q) & all_taken;
        if when(switches) {
            flushed = (asks | asked.q) & (all_taken | (trace_flushed & is_discarded.q));
        }
    }
}
