//! Memories of any shape.

use crate::bench;
use crate::harness::{Judge, compare_with};
use tracewright_elaborate::Reset;
use tracewright_elaborate::prelude::*;

/// Memories of any shape; `address` is kept below the depth.
#[derive(LogicBlock)]
struct Store {
    kind: Kind,
    pub domain: Domain,
    pub address: Wire<In>,
    pub write: Wire<In>,
    pub data: Wire<In>,
    pub read: Wire<Out>,
    pub older: Wire<Out>,
    pub newest: Wire<Out>,
    pub late: Wire<Out>,
    single: Memory,
    double: MultiReadMemory,
    buffered: Memory,
    place: Wire<Local>,
    previous: Reg,
    has_read: Reg,
    depth: Param,
    _address_width: usize,
}

/// What a memory of the test holds at first.
fn content(address: usize) -> u64 {
    (address as u64 + 3).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Store {
    fn new(depth: usize, width: usize) -> Self {
        let address = address_width(depth);
        let mut store = Self {
            kind: Kind::new("store", [("depth", depth), ("width", width)]),
            domain: Domain::new(),
            address: Wire::new(address),
            write: Wire::new(1),
            data: Wire::new(width),
            read: Wire::new(width),
            older: Wire::new(width),
            newest: Wire::new(width),
            late: Wire::new(width),
            single: Memory::new(depth, width).describe("one read port"),
            double: Memory::with_read_ports(depth, width, 2),
            buffered: Memory::new(depth, width).synchronous(true),
            place: Wire::new(address),
            previous: Reg::new(address, 0),
            has_read: Reg::new(1, 0),
            depth: Param::new(depth),
            _address_width: address,
        };
        store.single.fill(content);
        store.double.fill(content);
        store.buffered.fill(content);
        store
    }

    /// The Verilog that fills the memories as `content` does.
    fn initial(depth: usize, width: usize) -> String {
        let mut text = String::new();
        for memory in
            ["single_cells", "double_cells", "buffered_cells"].iter().filter(|_| width > 0)
        {
            for address in 0..depth {
                let index = if depth == 1 { String::new() } else { format!("[{address}]") };
                text.push_str(&format!(
                    "dut.{memory}{index} = {width}'h{:x};",
                    Word::new(width, content(address))
                ));
            }
        }
        text
    }
}

impl Logic for Store {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, previous, has_read);
        clock!(self, domain, single, double, buffered);
        self.place.next = self.address.val();
        if bits_to(self.address.val(), 16) >= self.depth.val() {
            self.place.next = 0.into();
        }
        self.previous.d.next = self.place.val();
        self.single.read_address.next = self.place.val();
        self.single.write_enable.next = self.write.val();
        self.single.write_address.next = self.place.val();
        self.single.write_data.next = self.data.val();
        self.double.read_address[0].next = self.previous.q.val();
        self.double.read_address[1].next = self.place.val();
        self.double.write_enable.next = (self.write.val().any() && self.data.val().any()).into();
        self.double.write_address.next = self.previous.q.val();
        self.double.write_data.next = self.data.val();
        self.buffered.read_address.next = self.previous.q.val();
        self.buffered.write_enable.next = self.write.val();
        self.buffered.write_address.next = self.place.val();
        self.buffered.write_data.next = self.data.val();
        // The edges of the reset read at an address that is not known yet.
        self.has_read.d.next = 1.into();
        self.late.next = 0.into();
        if self.has_read.q.val().any() {
            self.late.next = self.buffered.read_data.val();
        }
        self.read.next = self.single.read_data.val();
        self.older.next = self.double.read_data[0].val();
        self.newest.next = self.double.read_data[1].val() ^ self.data.val();
    }
}

bench!(Store, [address, write, data], [read, older, newest, late]);

#[test]
fn memories() {
    for (depth, width) in [(1, 7), (2, 1), (5, 40), (16, 130), (4, 0), (1, 0), (300, 3)] {
        let initial = Store::initial(depth, width);
        let verilog = compare_with(
            Judge::Icarus,
            Store::new(depth, width),
            Reset::Synchronous,
            1000,
            &initial,
        );
        assert_eq!(verilog.storage_bits(), 3 * depth * width + address_width(depth) + 1);
    }
}
