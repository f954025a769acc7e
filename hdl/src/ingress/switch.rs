//! When a trace module after adapters is on.

use tracewright_elaborate::prelude::*;
use tracewright_sim::ingress::switch::{Config, PATIENCE_BITS, Patience};
use tracewright_sim::pins::ingress;

block! {
    /// Switches a trace module after adapters off when what came before has left them.
    ///
    /// In front of a module that tells losses without packets, it lets the adapter hold a block in the first cycle in which
    /// the module would lose one.
    pub Switch("adapter_switch") of (config: Config) {
        let has_patience = config.patience != Patience::Endless;
        let is_waiting = config.patience == Patience::Waiting;
        let holds = usize::from(config.holds);
        let patience_bits = if has_patience { PATIENCE_BITS as usize } else { 0 };
    }

    in enable: 1;
    in discard: 1;
    in flush: 1;
    #[remark(ingress::ALL_DRAINED.meaning)]
    in all_drained: 1;
    in trace_valid: usize::from(is_waiting);
    in trace_ready: usize::from(is_waiting);
    in flushed: 1;
    #[remark(ingress::MODULE_DROPS.meaning)]
    in module_drops: holds;
    #[remark(ingress::ADAPTER_STALL.meaning)]
    in adapter_stall: holds;
    #[remark(ingress::ADAPTER_FLUSH.meaning)]
    out adapter_flush: 1;
    #[remark(ingress::MODULE_ENABLE.meaning)]
    out module_enable: 1;
    #[remark(ingress::MODULE_DISCARD.meaning)]
    out module_discard: 1;
    #[remark(ingress::MODULE_FLUSH.meaning)]
    out module_flush: 1;
    #[remark(ingress::ADAPTER_HOLDS.meaning)]
    out adapter_holds: holds;
    /// tracing was switched off, and what came before that has left the adapters
    reg is_off: 1 = 1;
    /// a discard came while an adapter held something, until the module has thrown everything away, and until the end of
    /// a flush, because the adapter goes on to give blocks to a module that would begin a packet with them
    reg discards: 1;
    /// cycles that the adapters have taken
    reg waits: patience_bits;
    /// the module would have lost a block in the cycle before
    reg has_dropped: holds;
    local drains: 1;
    /// the module is off
    local stops: 1;
    param has_patience = has_patience;
    param is_waiting = is_waiting;
    param holds = holds;
}

#[kernel]
impl Logic for Switch {
    fn update(&mut self) {
        drains = !enable & !is_off.q;
        stops = discards.q | (!enable & (is_off.q | all_drained));
        if when(has_patience) {
            stops = discards.q | (!enable & (is_off.q | all_drained | bit(waits.q.all())));
        }
        adapter_flush = flush | drains;
        module_enable = !stops;
        module_discard = discard | discards.q;
        module_flush = flush & all_drained;
        is_off.d = stops;
        discards.d = (discards.q | ((drains | flush) & discard)) & (flush | !flushed);
        if when(holds) {
            // A core that does not wait could fill the queue, so one with little room holds nothing, unless it drains.
            adapter_holds = module_drops & !has_dropped.q & (!adapter_stall | flush | drains);
            has_dropped.d = module_drops;
        }
        if when(is_waiting) {
            if !drains | (trace_valid & trace_ready) {
                waits.d = 0;
            } else if trace_valid {
                waits.d = waits.q + 1;
            }
        } else if when(has_patience) {
            waits.d = 0;
            if drains {
                waits.d = waits.q + 1;
            }
        }
    }
}
