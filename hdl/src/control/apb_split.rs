//! What is between an APB and the trace units of a system, of which each has its own part of the addresses.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::pins::control;

block! {
    /// Gives transfers on an APB to the unit that has the upper bits of their addresses.
    pub ApbSplit("apb_split") of (units: u32) {
        let count = units as usize;
        let high_bits = index_bits(units) as usize;
    }
    parameters {
        units = count,
    }

    #[remark(control::PSEL.meaning)]
    in psel: 1;
    #[remark(control::PENABLE.meaning)]
    in penable: 1;
    /// upper bits of the address
    in address_high: high_bits;
    /// a bit for each unit: the access is to it
    out unit_select: count;
    /// a bit for each unit: the access ends
    in unit_ready: count;
    /// a bit for each unit: there is no such register
    in unit_error: count;
    /// what is read of a unit
    in unit_read: 32 for _ in 0..count;
    #[remark(control::PREADY.meaning)]
    out pready: 1;
    #[remark(control::PRDATA.meaning)]
    out prdata: 32;
    #[remark(control::PSLVERR.meaning)]
    out pslverr: 1;
    local selected: count;
    param number = Word::new(high_bits, unit as u64) for unit in 0..count;
}

#[kernel]
impl Logic for ApbSplit {
    fn update(&mut self) {
        selected = 0;
        prdata = 0;
        for unit in 0..selected.width() {
            if psel && address_high == number[unit] {
                selected = selected.replace_bit(unit, true);
                prdata = unit_read[unit];
            }
        }
        unit_select = selected;
        pready = 1;
        pslverr = psel & penable;
        if selected {
            pready = (selected & unit_ready).any();
            pslverr = (selected & unit_error).any();
        }
    }
}
