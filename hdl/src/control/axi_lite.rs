//! The front end of an AXI4-Lite.

use tracewright_elaborate::prelude::*;
use tracewright_sim::control::access::WORD_ADDRESS_BITS;
use tracewright_sim::pins::control;

use super::access::Access;

block! {
    /// Makes one access of registers in a cycle of the transfers on an AXI4-Lite.
    ///
    /// Address and data of a write come in any order and wait for each other; a read waits for a write of its cycle.
    pub AxiLite("axi_lite") of ();

    /// address of a write in words of 32 bits
    in s_axi_awaddr: WORD_ADDRESS_BITS;
    #[remark(control::AXI_AWVALID.meaning)]
    in s_axi_awvalid: 1;
    #[remark(control::AXI_AWREADY.meaning)]
    out s_axi_awready: 1;
    #[remark(control::AXI_WDATA.meaning)]
    in s_axi_wdata: 32;
    #[remark(control::AXI_WSTRB.meaning)]
    in s_axi_wstrb: 4;
    #[remark(control::AXI_WVALID.meaning)]
    in s_axi_wvalid: 1;
    #[remark(control::AXI_WREADY.meaning)]
    out s_axi_wready: 1;
    #[remark(control::AXI_BRESP.meaning)]
    out s_axi_bresp: 2;
    #[remark(control::AXI_BVALID.meaning)]
    out s_axi_bvalid: 1;
    #[remark(control::AXI_BREADY.meaning)]
    in s_axi_bready: 1;
    /// address of a read in words of 32 bits
    in s_axi_araddr: WORD_ADDRESS_BITS;
    #[remark(control::AXI_ARVALID.meaning)]
    in s_axi_arvalid: 1;
    #[remark(control::AXI_ARREADY.meaning)]
    out s_axi_arready: 1;
    #[remark(control::AXI_RDATA.meaning)]
    out s_axi_rdata: 32;
    #[remark(control::AXI_RRESP.meaning)]
    out s_axi_rresp: 2;
    #[remark(control::AXI_RVALID.meaning)]
    out s_axi_rvalid: 1;
    #[remark(control::AXI_RREADY.meaning)]
    in s_axi_rready: 1;
    out access: Access();
    /// the address of a write waits
    reg write_address_waits: 1;
    reg write_address: WORD_ADDRESS_BITS;
    /// the data of a write wait
    reg write_data_wait: 1;
    reg write_data: 32;
    reg write_strobes: 4;
    /// the address of a read waits
    reg read_address_waits: 1;
    reg read_address: WORD_ADDRESS_BITS;
    /// a write was answered, and the answer is not taken yet
    reg write_answered: 1;
    reg write_failed: 1;
    /// a read was answered, and the answer is not taken yet
    reg read_answered: 1;
    reg read_failed: 1;
    reg read_data: 32;
    local writes: 1;
    local reads: 1;
    /// a read ends
    local has_read: 1;
}

#[kernel]
impl Logic for AxiLite {
    fn update(&mut self) {
        writes = write_address_waits.q & write_data_wait.q & (!write_answered.q | s_axi_bready);
        reads = read_address_waits.q & !writes & (!read_answered.q | s_axi_rready);
        access.valid = writes | reads;
        access.write = writes;
        access.address = read_address.q;
        if writes {
            access.address = write_address.q;
        }
        access.written = write_data.q;
        access.strobes = write_strobes.q;
        has_read = reads & access.ready;

        s_axi_awready = !write_address_waits.q;
        if s_axi_awvalid & !write_address_waits.q {
            write_address_waits.d = 1;
            write_address.d = s_axi_awaddr;
        } else if writes {
            write_address_waits.d = 0;
        }
        s_axi_wready = !write_data_wait.q;
        if s_axi_wvalid & !write_data_wait.q {
            write_data_wait.d = 1;
            write_data.d = s_axi_wdata;
            write_strobes.d = s_axi_wstrb;
        } else if writes {
            write_data_wait.d = 0;
        }
        s_axi_arready = !read_address_waits.q;
        if s_axi_arvalid & !read_address_waits.q {
            read_address_waits.d = 1;
            read_address.d = s_axi_araddr;
        } else if has_read {
            read_address_waits.d = 0;
        }

        s_axi_bvalid = write_answered.q;
        s_axi_bresp = resized(write_failed.q, 2) << 1;
        if writes {
            write_answered.d = 1;
            write_failed.d = access.outside;
        } else if s_axi_bready {
            write_answered.d = 0;
        }
        s_axi_rvalid = read_answered.q;
        s_axi_rresp = resized(read_failed.q, 2) << 1;
        s_axi_rdata = read_data.q;
        if has_read {
            read_answered.d = 1;
            read_failed.d = access.outside;
            read_data.d = access.read;
        } else if s_axi_rready {
            read_answered.d = 0;
        }
    }
}
