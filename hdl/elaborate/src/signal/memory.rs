use super::offer::{Marker, Offer, Reads, offer};
use super::wire::Wire;
use crate::simulate::{edge, power_up};
use crate::word::Word;
use rust_hdl::core::prelude::{Block, In, Logic, Out, Probe};

/// The width of an address into `depth` entries: 0 for one entry, 9 for 512.
pub(crate) fn address_width(depth: usize) -> usize {
    depth.max(1).next_power_of_two().trailing_zeros() as usize
}

/// The write port and the cells, shared by both memories.
#[derive(Clone, Debug)]
struct Cells {
    depth: usize,
    width: usize,
    // Empty until the first simulated cycle: elaborating a large memory should cost nothing.
    words: Vec<Word>,
    seen: u64,
}

impl Cells {
    fn new(depth: usize, width: usize) -> Self {
        Self { depth, width, words: Vec::new(), seen: 0 }
    }

    fn read(&self, address: &Word) -> Word {
        self.words.get(address.index()).cloned().unwrap_or_else(|| Word::zero(self.width))
    }

    /// Writes at a clock edge, once `before` has seen the cells as they were.
    fn clocked(&mut self, [enable, address, data]: [&Wire<In>; 3], mut before: impl FnMut(&Self)) {
        if self.words.is_empty() {
            self.words = power_up(self.depth, self.width);
        }
        let cycle = edge().cycle;
        if cycle != self.seen {
            self.seen = cycle;
            before(self);
            if enable.val().any()
                && let Some(word) = self.words.get_mut(address.val().index())
            {
                *word = data.val();
            }
        }
    }

    fn fill(&mut self, value: impl FnMut(usize) -> u64) {
        self.words = (0..self.depth).map(value).map(|value| Word::new(self.width, value)).collect();
    }
}

macro_rules! memory {
    ($(#[$documentation:meta])* $name:ident, $address:ty, $data:ty, $reads:expr, $read:expr) => {
        $(#[$documentation])*
        #[derive(Clone, Debug)]
        pub struct $name {
            /// Which entry to read.
            pub read_address: $address,
            /// The entry, before the write of the cycle of its address.
            pub read_data: $data,
            /// Whether the clock edge writes.
            pub write_enable: Wire<In>,
            /// Which entry to write.
            pub write_address: Wire<In>,
            /// What to write.
            pub write_data: Wire<In>,
            cells: Cells,
            synchronous: bool,
            cleared: Option<u64>,
            description: String,
        }

        impl $name {
            /// Reads through a register, as block RAM and SRAM macros do: what the edge finds at
            /// `read_address`, before the write of that edge, is in `read_data` after it.
            pub fn synchronous(mut self, synchronous: bool) -> Self {
                self.synchronous = synchronous;
                self
            }

            /// A cleared entry is `value`, where the block or one around it has an input `memory_sweep`.
            pub fn cleared(mut self, value: u64) -> Self {
                self.cleared = Some(value);
                self
            }

            /// Adds one line that the Verilog carries beside the declaration.
            pub fn describe(mut self, description: impl Into<String>) -> Self {
                self.description = description.into();
                self
            }

            /// The number of entries.
            pub fn depth(&self) -> usize {
                self.cells.depth
            }

            /// The number of bits of an entry.
            pub fn width(&self) -> usize {
                self.cells.width
            }

            /// Sets the entries for simulation, in place of the simulator's random power-up pattern.
            pub fn fill(&mut self, value: impl FnMut(usize) -> u64) {
                self.cells.fill(value);
            }
        }

        impl Logic for $name {
            fn update(&mut self) {
                let synchronous = self.synchronous;
                let write = [&self.write_enable, &self.write_address, &self.write_data];
                let (addresses, mut data) = (&self.read_address, &mut self.read_data);
                let read: fn(&Cells, &$address, &mut $data) = $read;
                self.cells.clocked(write, |cells| {
                    if synchronous {
                        read(cells, addresses, &mut data);
                    }
                });
                if !synchronous {
                    read(&self.cells, addresses, data);
                }
            }
        }

        impl Block for $name {
            fn connect_all(&mut self) {}

            fn update_all(&mut self) {
                self.read_address.update_all();
                self.update();
                self.read_data.update_all();
                self.write_enable.update_all();
                self.write_address.update_all();
                self.write_data.update_all();
            }

            fn has_changed(&self) -> bool {
                self.read_address.has_changed()
                    || self.read_data.has_changed()
                    || self.write_enable.has_changed()
                    || self.write_address.has_changed()
                    || self.write_data.has_changed()
            }

            fn accept(&self, name: &str, probe: &mut dyn Probe) {
                let reads: fn(&Self) -> Reads = $reads;
                let offered = Offer::Memory {
                    depth: self.depth(),
                    width: self.width(),
                    reads: reads(self),
                    synchronous: self.synchronous,
                    cleared: self.cleared,
                    description: self.description.clone(),
                };
                offer(name, &Marker, offered, probe);
            }
        }
    };
}

memory! {
    /// A memory that is read in the same cycle (unless [`synchronous`](Self::synchronous)) and written at
    /// the clock edge.
    ///
    /// It has no reset: the simulator fills it with a pattern made from its seed, as power-up would. A depth of 1
    /// has an address of no bits. A read beyond the depth is undefined in the Verilog; a write there is ignored.
    Memory, Wire<In>, Wire<Out>, |_| Reads::One,
    |cells, address, data| data.next = cells.read(&address.val())
}

memory! {
    /// A [`Memory`] with several read ports: `read_address[port]` and `read_data[port]`.
    MultiReadMemory, Vec<Wire<In>>, Vec<Wire<Out>>, |memory| Reads::Many(memory.read_address.len()),
    |cells, addresses, data| {
        for (address, data) in addresses.iter().zip(data) {
            data.next = cells.read(&address.val());
        }
    }
}

impl Memory {
    /// A memory of `depth` entries of `width` bits.
    pub fn new(depth: usize, width: usize) -> Self {
        let address = address_width(depth);
        Self {
            read_address: Wire::new(address),
            read_data: Wire::new(width),
            write_enable: Wire::new(1),
            write_address: Wire::new(address),
            write_data: Wire::new(width),
            cells: Cells::new(depth, width),
            synchronous: false,
            cleared: None,
            description: String::new(),
        }
    }

    /// A memory of `depth` entries of `width` bits with `ports` read ports.
    pub fn with_read_ports(depth: usize, width: usize, ports: usize) -> MultiReadMemory {
        let address = address_width(depth);
        MultiReadMemory {
            read_address: (0..ports).map(|_| Wire::new(address)).collect(),
            read_data: (0..ports).map(|_| Wire::new(width)).collect(),
            write_enable: Wire::new(1),
            write_address: Wire::new(address),
            write_data: Wire::new(width),
            cells: Cells::new(depth, width),
            synchronous: false,
            cleared: None,
            description: String::new(),
        }
    }
}
