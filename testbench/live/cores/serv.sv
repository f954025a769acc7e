// SERV, 32 or more cycles for an instruction. It has no input that stops it: its instruction bus is not answered.
module core (
`include "port.svh"
);
    reg         fetched, accessed;
    wire        fetch_cycle, data_cycle, store;
    wire [3:0]  lanes;
    wire [31:0] address, fetch_place;
    always @(posedge clock) begin
        fetched <= fetch_request;
        accessed <= data_request;
    end
    assign fetch_request = fetch_cycle & !fetched & !hold & !reset;
    assign fetch_address = fetch_place;
    assign data_request = data_cycle & !accessed & !reset;
    assign data_address = address;
    assign data_strobe = store ? lanes : 4'd0;

    serv_rf_top #(.RESET_PC(`MEMORY), .COMPRESSED(`COMPRESSED)) serv (
        .clk(clock), .i_rst(reset), .i_timer_irq(timer_interrupt),
        .rvfi_valid(valid), .rvfi_insn(word), .rvfi_trap(trap), .rvfi_intr(interrupt), .rvfi_pc_rdata(pc),
        .rvfi_pc_wdata(next_pc),
        .o_ibus_adr(fetch_place), .o_ibus_cyc(fetch_cycle), .i_ibus_rdt(fetch_data), .i_ibus_ack(fetched),
        .o_dbus_adr(address), .o_dbus_dat(data_written), .o_dbus_sel(lanes), .o_dbus_we(store),
        .o_dbus_cyc(data_cycle), .i_dbus_rdt(data_read), .i_dbus_ack(accessed),
        .i_ext_rd(32'd0), .i_ext_ready(1'b0)
    );
    assign compressed = serv.cpu.iscomp; // of the word that was fetched last
    assign number = 3'd0;
endmodule
