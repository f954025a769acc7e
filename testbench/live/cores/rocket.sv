// Rocket (the configuration LitexConfig of its package: RV64IMAC, one small core), program and devices after its
// MMIO port. The clock of the whole system is stopped. The port is that of its CSR file, shown from the program's
// first instruction on: what is in its boot ROM is left out.
module core (
`include "port.svh"
);
    wire        core_clock, running, request;
    reg         begun;
    hold_clock hold_clock (.clock(clock), .reset(reset), .hold(hold), .core_clock(core_clock), .running(running));
    assign fetch_request = 1'b0;
    assign fetch_address = 32'd0;
    assign data_request = request & running;

    wire        ar_ready, ar_valid, aw_ready, aw_valid, w_ready, w_valid, w_last;
    wire        b_ready, b_valid, r_ready, r_valid, r_last;
    wire [3:0]  ar_id, aw_id, id;
    wire [30:0] ar_address, aw_address;
    wire [7:0]  ar_length, w_strobe;
    wire [63:0] w_data, r_data;
    axi_memory memory (
        .clock(core_clock), .reset(reset), .ar_valid(ar_valid), .ar_ready(ar_ready), .ar_address({1'b0, ar_address}),
        .ar_length(ar_length), .ar_id(ar_id), .r_valid(r_valid), .r_ready(r_ready), .r_data(r_data), .r_last(r_last),
        .aw_valid(aw_valid), .aw_ready(aw_ready), .aw_address({1'b0, aw_address}), .aw_id(aw_id), .w_valid(w_valid),
        .w_ready(w_ready), .w_data(w_data), .w_strobe(w_strobe), .w_last(w_last), .b_valid(b_valid), .b_ready(b_ready),
        .id(id), .request(request), .address(data_address), .strobe(data_strobe), .written(data_written),
        .read(data_read)
    );

    ExampleRocketSystem rocket (
        .clock(core_clock), .reset(reset),
        .mem_axi4_0_aw_ready(1'b0), .mem_axi4_0_w_ready(1'b0), .mem_axi4_0_b_valid(1'b0), .mem_axi4_0_b_bits_id(4'd0),
        .mem_axi4_0_b_bits_resp(2'd0), .mem_axi4_0_ar_ready(1'b0), .mem_axi4_0_r_valid(1'b0),
        .mem_axi4_0_r_bits_id(4'd0), .mem_axi4_0_r_bits_data(64'd0), .mem_axi4_0_r_bits_resp(2'd0),
        .mem_axi4_0_r_bits_last(1'b0),
        .mmio_axi4_0_aw_ready(aw_ready), .mmio_axi4_0_aw_valid(aw_valid), .mmio_axi4_0_aw_bits_id(aw_id),
        .mmio_axi4_0_aw_bits_addr(aw_address), .mmio_axi4_0_w_ready(w_ready), .mmio_axi4_0_w_valid(w_valid),
        .mmio_axi4_0_w_bits_data(w_data), .mmio_axi4_0_w_bits_strb(w_strobe), .mmio_axi4_0_w_bits_last(w_last),
        .mmio_axi4_0_b_ready(b_ready), .mmio_axi4_0_b_valid(b_valid), .mmio_axi4_0_b_bits_id(id),
        .mmio_axi4_0_b_bits_resp(2'd0), .mmio_axi4_0_ar_ready(ar_ready), .mmio_axi4_0_ar_valid(ar_valid),
        .mmio_axi4_0_ar_bits_id(ar_id), .mmio_axi4_0_ar_bits_addr(ar_address), .mmio_axi4_0_ar_bits_len(ar_length),
        .mmio_axi4_0_r_ready(r_ready), .mmio_axi4_0_r_valid(r_valid), .mmio_axi4_0_r_bits_id(id),
        .mmio_axi4_0_r_bits_data(r_data), .mmio_axi4_0_r_bits_resp(2'd0), .mmio_axi4_0_r_bits_last(r_last),
        .l2_frontend_bus_axi4_0_aw_valid(1'b0), .l2_frontend_bus_axi4_0_w_valid(1'b0),
        .l2_frontend_bus_axi4_0_b_ready(1'b0), .l2_frontend_bus_axi4_0_ar_valid(1'b0),
        .l2_frontend_bus_axi4_0_r_ready(1'b0),
        .resetctrl_hartIsInReset_0(reset), .debug_clock(core_clock), .debug_reset(reset),
        .debug_clockeddmi_dmi_req_valid(1'b0), .debug_clockeddmi_dmi_resp_ready(1'b0),
        .debug_clockeddmi_dmiClock(core_clock), .debug_clockeddmi_dmiReset(reset), .debug_dmactiveAck(1'b0),
        .interrupts(8'd0)
    );
    `define CSR rocket.tile_prci_domain.tile_reset_domain_tile.core.csr
    wire [33:0] address = `CSR.io_trace_0_iaddr;
    wire        first = address == 34'(`MEMORY);
    wire        shown = `CSR.io_trace_0_valid & running & !reset;
    always @(posedge clock)
        begun <= !reset & (begun | (shown & first));
    assign valid = shown & (begun | first);
    assign pc = {{30{address[33]}}, address};
    assign word = `CSR.io_trace_0_insn;
    assign trap = `CSR.io_trace_0_exception;
    assign {interrupt, compressed} = 2'b00;
    assign next_pc = 64'd0;
    assign number = 3'd0;
endmodule
