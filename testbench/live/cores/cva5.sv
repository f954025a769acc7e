// CVA5 without caches and predictor, two retirement ports. Its instruction bus is not answered; what it has fetched
// still retires. The port is inside: a retired instruction has a number, by which its address and word are found.
module core (
`include "port.svh"
);
    wire        fetch_cycle, data_cycle, store;
    wire [29:0] fetch_place, data_place;
    wire [3:0]  lanes;
    reg         fetched, accessed;
    always @(posedge clock) begin
        fetched <= fetch_request;
        accessed <= data_request;
    end
    assign fetch_request = fetch_cycle & !fetched & !hold & !reset;
    assign fetch_address = {fetch_place, 2'b00};
    assign data_request = data_cycle & !accessed & !reset;
    assign data_address = {data_place, 2'b00};
    assign data_strobe = store ? lanes : 4'd0;

    litex_wrapper #(.LITEX_VARIANT(0), .RESET_VEC(`MEMORY)) cva5 (
        .clk(clock), .rst(reset), .litex_interrupt({14'd0, timer_interrupt, 1'b0}),
        .ibus_adr(fetch_place), .ibus_stb(fetch_cycle), .ibus_dat_r(fetch_data), .ibus_ack(fetched), .ibus_err(1'b0),
        .dbus_adr(data_place), .dbus_dat_w(data_written), .dbus_sel(lanes), .dbus_stb(data_cycle), .dbus_we(store),
        .dbus_dat_r(data_read), .dbus_ack(accessed), .dbus_err(1'b0), .idbus_dat_r(32'd0), .idbus_ack(1'b0),
        .idbus_err(1'b0)
    );
    for (genvar lane = 0; lane < 2; lane++) begin : ports
        assign valid[lane] = cva5.cpu.id_block.retire_port_valid[lane];
        assign pc[32*lane +: 32] = cva5.cpu.id_block.pc_table[cva5.cpu.id_block.retire_ids[lane]];
        assign word[32*lane +: 32] = cva5.cpu.id_block.instruction_table[cva5.cpu.id_block.retire_ids[lane]];
    end
    assign {trap, interrupt, compressed} = 6'd0;
    assign next_pc = 64'd0;
    assign number = 6'd0;
endmodule
