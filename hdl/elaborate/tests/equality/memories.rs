//! Memories of any shape.

use crate::bench;
use crate::harness::{Judge, compare_as, compare_with};
use tracewright_elaborate::prelude::*;
use tracewright_elaborate::{Memories, Options, Reset};

block! {
    /// Memories of any shape; `address` is kept below the depth.
    Store("store") of (depth: usize, width: usize) {
        let address_bits = depth.next_power_of_two().ilog2() as usize;
    }
    parameters { depth, width }

    in address: address_bits;
    in write: 1;
    in data: width;
    out read: width;
    out older: width;
    out newest: width;
    out late: width;
    /// one read port
    memory single: [width; depth];
    memory double: [width; depth] { reads: 2 };
    memory buffered: [width; depth] { synchronous: true };
    local place: address_bits;
    reg previous: address_bits;
    reg has_read: 1;
    param depth = depth;
}

/// What a memory of the test holds at first.
fn content(address: usize) -> u64 {
    (address as u64 + 3).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Store {
    fn filled(depth: usize, width: usize) -> Self {
        let mut store = Self::new(depth, width);
        store.single.fill(content);
        store.double.fill(content);
        store.buffered.fill(content);
        store
    }

    /// The Verilog that fills the memories as `content` does.
    fn initial(depth: usize, width: usize, wrapped: bool) -> String {
        let mut text = String::new();
        for memory in
            ["single_cells", "double_cells", "buffered_cells"].iter().filter(|_| width > 0)
        {
            let inside = if wrapped && depth > 1 { ".cells" } else { "" };
            for address in 0..depth {
                let index = if depth == 1 { String::new() } else { format!("[{address}]") };
                text.push_str(&format!(
                    "dut.{memory}{inside}{index} = {width}'h{:x};",
                    Word::new(width, content(address))
                ));
            }
        }
        text
    }
}

#[kernel]
impl Logic for Store {
    fn update(&mut self) {
        place = address;
        if resized(address, 16) >= depth {
            place = 0;
        }
        previous.d = place;
        single.read_address = place;
        single.write_enable = write;
        single.write_address = place;
        single.write_data = data;
        double.read_address[0] = previous.q;
        double.read_address[1] = place;
        double.write_enable = (write.any() && data.any()).into();
        double.write_address = previous.q;
        double.write_data = data;
        buffered.read_address = previous.q;
        buffered.write_enable = write;
        buffered.write_address = place;
        buffered.write_data = data;
        // The edges of the reset read at an address that is not known yet.
        has_read.d = 1;
        late = 0;
        if has_read.q {
            late = buffered.read_data;
        }
        read = single.read_data;
        older = double.read_data[0];
        newest = double.read_data[1] ^ data;
    }
}

bench!(Store, [address, write, data], [read, older, newest, late]);

#[test]
fn memories() {
    for (depth, width) in [(1, 7), (2, 1), (5, 40), (16, 130), (4, 0), (1, 0), (300, 3)] {
        let initial = Store::initial(depth, width, false);
        let verilog = compare_with(
            Judge::Icarus,
            Store::filled(depth, width),
            Reset::Synchronous,
            1000,
            &initial,
        );
        assert_eq!(
            verilog.storage_bits(),
            3 * depth * width + depth.next_power_of_two().ilog2() as usize + 1
        );
    }
}

#[test]
fn cells_can_be_in_modules_of_their_own() {
    for (depth, width) in [(1, 7), (2, 1), (5, 40), (16, 130), (4, 0), (300, 3)] {
        for clock_enable in [false, true] {
            let memories = Memories::Wrappers;
            let options = Options { memories, clock_enable, ..Options::new("dut_top") };
            let initial = Store::initial(depth, width, true);
            let store = Store::filled(depth, width);
            let verilog = compare_as(Judge::Icarus, store, options, 1000, &initial);
            let bits = 3 * depth * width + depth.next_power_of_two().ilog2() as usize + 1;
            assert_eq!(verilog.storage_bits(), bits);
            let names: Vec<&str> = verilog.modules.iter().map(|module| &*module.name).collect();
            let kinds = ["", "_2_reads", "_synchronous"];
            let wrappers = kinds.map(|kind| format!("dut_top_memory_{depth}x{width}{kind}"));
            let has_wrappers = depth > 1 && width > 0;
            assert_eq!(names[..names.len() - 1].len(), if has_wrappers { 3 } else { 0 });
            assert!(!has_wrappers || wrappers.iter().all(|name| names.contains(&&**name)));
        }
    }
}
