//! The pins of ports that cores have themselves, in front of the adapters of docs/integration.md.

use super::{Each, Group, Pin};
use crate::config::{Processor, Protocol};
use crate::{rvfi, tip};

/// What the pins of a RISC-V formal interface depend on.
#[derive(Clone, Debug)]
pub struct Rvfi {
    /// The adapter's parameters.
    pub config: rvfi::Config,
    /// The processor that is traced.
    pub processor: Processor,
}

/// What the pins of a trace ingress port depend on.
#[derive(Clone, Debug)]
pub struct Tip {
    /// The adapter's parameters.
    pub config: tip::Config,
    /// The hart that is traced.
    pub processor: Processor,
    /// What of its state is traced.
    pub protocol: Protocol,
}

const OF_RVFI_LANE: Pin<Rvfi> = Pin { group: Group::Ingress, each: Each::Lane, ..Pin::ROW };
const OF_TIP: Pin<Tip> = Pin { group: Group::Ingress, ..Pin::ROW };
const OF_TIP_LANE: Pin<Tip> = Pin { each: Each::Lane, ..OF_TIP };
const OF_ADAPTER: Pin<()> = Pin { group: Group::Ingress, each: Each::Core, ..Pin::ROW };

crate::pins! { RVFI of Rvfi, OF_RVFI_LANE, "rvfi_";
    /// an instruction retires in this cycle
    RVFI_VALID: in valid {}
    /// instruction word
    RVFI_INSN: in insn { width: |_| 32, width_text: "32", }
    /// the instruction ended in a trap
    RVFI_TRAP: in trap {}
    /// the instruction is the first of a handler
    RVFI_INTR: in intr {}
    /// address of the instruction
    RVFI_PC_RDATA: in pc_rdata { width: |of| of.processor.address_width, width_text: "`address_width`", }
    /// address of the next instruction
    RVFI_PC_WDATA: in pc_wdata { width: |of| of.processor.address_width, width_text: "`address_width`", }
    /// the instruction has two bytes
    RVFI_COMPRESSED: in compressed { width: |of| u32::from(of.config.compressed == rvfi::Compressed::Pin), width_text: "1", }
}

crate::pins! { RETIRED of Rvfi, OF_RVFI_LANE, "retired_";
    /// an instruction retires in this cycle
    RETIRED_VALID: in valid {}
    /// instruction word
    RETIRED_WORD: in word { width: |_| 32, width_text: "32", }
    /// the instruction trapped, and has not retired
    RETIRED_TRAP: in trap { width: |of| of.config.pins.trap.into(), width_text: "1", }
    /// the instruction is the first of a handler
    RETIRED_INTERRUPT: in interrupt { width: |of| of.config.pins.interrupt.into(), width_text: "1", }
    /// address of the instruction
    RETIRED_PC: in pc { width: |of| of.processor.address_width, width_text: "`address_width`", }
    /// address of the next instruction
    RETIRED_NEXT_PC: in next_pc {
        width: |of| if of.config.pins.next { of.processor.address_width } else { 0 }, width_text: "`address_width`",
    }
    /// the instruction has two bytes
    RETIRED_COMPRESSED: in compressed { width: |of| u32::from(of.config.compressed == rvfi::Compressed::Pin), width_text: "1", }
    /// number of the instruction in the order of the program, modulo 8
    RETIRED_NUMBER: in number { width: |of| 3 * u32::from(of.config.pins.number), width_text: "3", }
}

/// The pins of a port that shows instructions one by one.
#[derive(Clone, Copy, Debug)]
pub struct OfInstructions {
    /// An instruction retires.
    pub valid: &'static Pin<Rvfi>,
    /// Its word.
    pub word: &'static Pin<Rvfi>,
    /// It trapped.
    pub trap: &'static Pin<Rvfi>,
    /// It is the first of a handler.
    pub interrupt: &'static Pin<Rvfi>,
    /// Its address.
    pub pc: &'static Pin<Rvfi>,
    /// The address of the next one.
    pub next_pc: &'static Pin<Rvfi>,
    /// It has two bytes.
    pub compressed: &'static Pin<Rvfi>,
    /// Its number.
    pub number: &'static Pin<Rvfi>,
}

impl OfInstructions {
    /// Those of a port.
    pub fn of(port: rvfi::Port) -> OfInstructions {
        match port {
            rvfi::Port::Rvfi => OfInstructions {
                valid: &RVFI_VALID,
                word: &RVFI_INSN,
                trap: &RVFI_TRAP,
                interrupt: &RVFI_INTR,
                pc: &RVFI_PC_RDATA,
                next_pc: &RVFI_PC_WDATA,
                compressed: &RVFI_COMPRESSED,
                number: &RETIRED_NUMBER,
            },
            rvfi::Port::Retired => OfInstructions {
                valid: &RETIRED_VALID,
                word: &RETIRED_WORD,
                trap: &RETIRED_TRAP,
                interrupt: &RETIRED_INTERRUPT,
                pc: &RETIRED_PC,
                next_pc: &RETIRED_NEXT_PC,
                compressed: &RETIRED_COMPRESSED,
                number: &RETIRED_NUMBER,
            },
        }
    }
}

crate::pins! { TIP of Tip, OF_TIP_LANE, "tip_";
    /// how the block of this cycle ends
    TIP_ITYPE: in itype { width: |of| of.config.itype_bits, width_text: "3 or 4", }
    /// code of an exception or interrupt
    TIP_CAUSE: in cause {
        each: Each::Module, width: |of| of.protocol.cause_bits.saturating_sub(1), width_text: "`cause_bits` - 1",
    }
    /// privilege level of the block
    TIP_PRIV: in level as priv { each: Each::Module, width: |of| of.protocol.privilege_bits, width_text: "`privilege_bits`", }
    /// context of the block
    TIP_CONTEXT: in context { each: Each::Module, width: |of| of.protocol.context_bits, width_text: "`context_bits`", }
    /// address of the first instruction of the block
    TIP_IADDR: in iaddr { width: |of| of.processor.address_width, width_text: "`address_width`", }
    /// half-words of the block, or that an instruction retires
    TIP_IRETIRE: in iretire {
        width: |of| of.config.iretire_bits(&of.processor), width_text: "1, or `retire_count_bits` + 1",
    }
    /// the last instruction has four bytes, not two
    TIP_ILASTSIZE: in ilastsize {}
    /// instructions of the block
    TIP_ICOUNT: in icount { width: |of| of.config.icount_bits(&of.processor), width_text: "`retire_count_bits`", }
}

crate::pins! { ADAPTER of (), OF_ADAPTER, "";
    /// sticky: something was lost because the queue was full
    LOST: out lost {}
}

const OF_SWITCH: Pin<()> = Pin { group: Group::Ingress, ..Pin::ROW };

crate::pins! { SWITCH of (), OF_SWITCH, "";
    /// the adapters are to drain
    ADAPTER_FLUSH: out adapter_flush {}
    /// the trace module is on
    MODULE_ENABLE: out module_enable {}
    /// the trace module is to throw away what it has
    MODULE_DISCARD: out module_discard {}
    /// the trace module is to end its trace
    MODULE_FLUSH: out module_flush {}
    /// all adapters have drained
    ALL_DRAINED: in all_drained {}
    /// the trace module loses a block of this cycle
    MODULE_DROPS: in module_drops {}
    /// the adapter wants the core to stop
    ADAPTER_STALL: in adapter_stall {}
    /// the adapter holds its block, and the trace module is shown none
    ADAPTER_HOLDS: out adapter_holds {}
}

/// True if `name` is that of a pin of a port that cores have themselves, of all lanes beside each other.
pub fn is_of_a_port(name: &str) -> bool {
    let of_instructions = RVFI.iter().chain(RETIRED).any(|pin| pin.name == name);
    of_instructions || TIP.iter().any(|pin| pin.name == name)
}
