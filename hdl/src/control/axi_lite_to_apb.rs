//! What makes transfers on an APB of those on an AXI4-Lite.

use tracewright_elaborate::prelude::*;
use tracewright_sim::pins::control;

block! {
    /// Makes one transfer on an APB at a time of those on an AXI4-Lite.
    ///
    /// Address and data of a write come in any order and wait for each other. A write goes before a read of its cycle, and
    /// nothing begins before the answer to the last access of its kind was taken.
    pub AxiLiteToApb("axi_lite_to_apb") of (address_bits: u32) {
        let width = address_bits as usize;
    }
    parameters {
        address_bits = width,
    }

    #[remark(control::AXI_AWADDR.meaning)]
    in s_axi_awaddr: width;
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
    #[remark(control::AXI_ARADDR.meaning)]
    in s_axi_araddr: width;
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
    #[remark(control::PSEL.meaning)]
    out psel: 1;
    #[remark(control::PENABLE.meaning)]
    out penable: 1;
    #[remark(control::PWRITE.meaning)]
    out pwrite: 1;
    #[remark(control::PADDR.meaning)]
    out paddr: width;
    #[remark(control::PWDATA.meaning)]
    out pwdata: 32;
    #[remark(control::PSTRB.meaning)]
    out pstrb: 4;
    #[remark(control::PREADY.meaning)]
    in pready: 1;
    #[remark(control::PRDATA.meaning)]
    in prdata: 32;
    #[remark(control::PSLVERR.meaning)]
    in pslverr: 1;
    /// the address of a write waits
    reg write_address_waits: 1;
    reg write_address: width;
    /// the data of a write wait
    reg write_data_wait: 1;
    reg write_data: 32;
    reg write_strobes: 4;
    /// the address of a read waits
    reg read_address_waits: 1;
    reg read_address: width;
    /// there is a transfer
    reg is_selected: 1;
    /// it is a write
    reg is_write: 1;
    /// it is the second or a later cycle of it
    reg is_enabled: 1;
    /// a write was answered, and the answer is not taken yet
    reg write_answered: 1;
    reg write_failed: 1;
    /// a read was answered, and the answer is not taken yet
    reg read_answered: 1;
    reg read_failed: 1;
    reg read_data: 32;
    local can_write: 1;
    local can_read: 1;
    local ends: 1;
    local has_written: 1;
    local has_read: 1;
}

#[kernel]
impl Logic for AxiLiteToApb {
    fn update(&mut self) {
        can_write = write_address_waits.q & write_data_wait.q & !write_answered.q;
        can_read = read_address_waits.q & !read_answered.q;
        ends = is_enabled.q & pready;
        has_written = ends & is_write.q;
        has_read = ends & !is_write.q;
        is_enabled.d = is_selected.q & !ends;
        if ends {
            is_selected.d = 0;
        }
        if !is_selected.q {
            is_selected.d = can_write | can_read;
            is_write.d = can_write;
        }
        psel = is_selected.q;
        penable = is_enabled.q;
        pwrite = is_write.q;
        paddr = read_address.q;
        if is_write.q {
            paddr = write_address.q;
        }
        pwdata = write_data.q;
        pstrb = 0;
        if is_write.q {
            pstrb = write_strobes.q;
        }

        s_axi_awready = !write_address_waits.q;
        if s_axi_awvalid & !write_address_waits.q {
            write_address_waits.d = 1;
            write_address.d = s_axi_awaddr;
        } else if has_written {
            write_address_waits.d = 0;
        }
        s_axi_wready = !write_data_wait.q;
        if s_axi_wvalid & !write_data_wait.q {
            write_data_wait.d = 1;
            write_data.d = s_axi_wdata;
            write_strobes.d = s_axi_wstrb;
        } else if has_written {
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
        if has_written {
            write_answered.d = 1;
            write_failed.d = pslverr;
        } else if s_axi_bready {
            write_answered.d = 0;
        }
        s_axi_rvalid = read_answered.q;
        s_axi_rresp = resized(read_failed.q, 2) << 1;
        s_axi_rdata = read_data.q;
        if has_read {
            read_answered.d = 1;
            read_failed.d = pslverr;
            read_data.d = prdata;
        } else if s_axi_rready {
            read_answered.d = 0;
        }
    }
}
