//! The bundles of the compressors: one name for a signal from the pin to the table.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{Processor, Protocol};
use tracewright_sim::pins::{Interface, module};

/// Declares the bundles of the pins: each pin of a section of the table is a member.
macro_rules! declare_bundles {
    (
        {}
        clock $clock:tt
        retire { $($(#[doc = $doc:tt])* $row:ident: in $name:ident $(as $label:tt)? { $($details:tt)* })* }
        core $core:tt
        filter { $($(#[doc = $filter_doc:tt])* $filter_row:ident: in $filter_name:ident { $($filter_details:tt)* })* }
        $($section:ident $rows:tt)*
    ) => {
        bundle! {
            /// A block of instructions that retires, as the pins of a core say it (docs/hardware.md).
            pub Retire of (processor: &Processor) {
                let pins = Interface { processor: processor.clone(), ..Interface::default() };
            }
            $($(#[doc = $doc])* forward $name $(as $label)?: pins.bits(&module::$row);)*
        }

        bundle! {
            /// What is traced (docs/filters.md); the addresses of ranges have ports of their own.
            pub FilterPins of (processor: &Processor, protocol: &Protocol) {
                let (processor, protocol) = (processor.clone(), protocol.clone());
                let pins = Interface { processor, protocol, ..Interface::default() };
            }
            $($(#[doc = $filter_doc])* forward $filter_name: pins.bits(&module::$filter_row);)*
        }
    };
}

tracewright_sim::for_each_module_pin!([declare_bundles] {});

bundle! {
    /// A block of instructions with its kind decoded, as every compressor takes it.
    ///
    /// A compressor takes the block in the cycle in which `valid` is high: its user raises `valid` only while
    /// the compressor is ready.
    pub RetiredBlock of (processor: &Processor);
    /// a block is taken
    forward valid: 1;
    /// instructions of the block
    forward count: processor.retire_count_bits;
    /// byte address of the last instruction
    forward pc: processor.address_width;
    /// length of the last instruction in bytes
    forward length: 4;
    /// it is a direct jump or branch
    forward direct: 1;
    /// it is a branch, direct or indirect
    forward conditional: 1;
    /// it is an indirect jump or branch
    forward indirect: 1;
    /// an exception follows the block
    forward exception: 1;
    /// the last instruction leaves a return address
    forward call: 1;
    /// the last instruction returns to one
    forward is_return as return: 1;
    /// the flow changed
    forward taken: 1;
    /// byte address that the flow changed to, if taken
    forward target: processor.address_width;
}

bundle! {
    /// What a core knows of the execution besides its instructions (docs/hardware.md).
    pub StatePins of (protocol: &Protocol);
    /// in which the execution goes on after the block at the pins
    forward context: protocol.context_bits;
    forward privilege: protocol.privilege_bits;
    /// why the exception at the pins was taken
    forward cause: protocol.cause_bits;
}

bundle! {
    /// Words that are handed over in the cycles in which both `valid` and `ready` are high.
    pub Stream of (width: impl Count);
    forward valid: 1;
    forward word: width;
    backward ready: 1;
}

bundle! {
    /// Headers of packets, handed over as the words of a stream; without packets their width is 0 and there are none.
    pub Headers of (width: usize);
    forward valid: width.min(1);
    forward word: width;
    backward ready: width.min(1);
}

bundle! {
    /// The clear sweep after reset: while it is valid, every table writes the entry of this index.
    pub Clear of (index_bits: impl Count);
    /// the tables are being cleared
    forward valid: 1;
    /// the entry to clear, in the lower bits
    forward index: index_bits;
}

bundle! {
    /// Bits of a record on their way to the bit packer.
    pub Pieces of (width: usize);
    forward valid: 1;
    /// zero above piece_bits
    forward word: width;
    /// bits of the piece, the first one lowest
    forward bits: crate::encode::bit_packer::BitPacker::piece_count_bits(width);
    /// fill the trace word up with zeros after the piece
    forward last: 1;
    backward ready: 1;
}
