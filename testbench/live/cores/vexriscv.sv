// VexRiscv (the variant IMAC of its package). The write-back stage is the port: the word there is expanded, and its
// lowest two bits are 3 for a compressed one, too. It runs from its caches for any time when its buses are not
// answered, so its clock is stopped.
module core (
`include "port.svh"
);
    wire        fetch_strobe, data_strobe_bus, store;
    wire [29:0] fetch_place, data_place;
    wire [3:0]  lanes;
    reg         fetched, accessed;
    wire        core_clock, running;
    hold_clock hold_clock (.clock(clock), .reset(reset), .hold(hold), .core_clock(core_clock), .running(running));
    always @(posedge core_clock) begin
        fetched <= fetch_request;
        accessed <= data_request;
    end
    assign fetch_request = fetch_strobe & !fetched & running & !reset;
    assign fetch_address = {fetch_place, 2'b00};
    assign data_request = data_strobe_bus & !accessed & running & !reset;
    assign data_address = {data_place, 2'b00};
    assign data_strobe = store ? lanes : 4'd0;

    VexRiscv vexriscv (
        .externalResetVector(`MEMORY), .timerInterrupt(timer_interrupt), .softwareInterrupt(1'b0),
        .externalInterruptArray(32'd0),
        .iBusWishbone_STB(fetch_strobe), .iBusWishbone_ACK(fetched), .iBusWishbone_ADR(fetch_place),
        .iBusWishbone_DAT_MISO(fetch_data), .iBusWishbone_ERR(1'b0),
        .dBusWishbone_STB(data_strobe_bus), .dBusWishbone_ACK(accessed), .dBusWishbone_WE(store),
        .dBusWishbone_ADR(data_place), .dBusWishbone_DAT_MISO(data_read), .dBusWishbone_DAT_MOSI(data_written),
        .dBusWishbone_SEL(lanes), .dBusWishbone_ERR(1'b0),
        .clk(core_clock), .reset(reset)
    );
    assign valid = vexriscv.lastStageIsFiring & running;
    assign pc = vexriscv.lastStagePc;
    assign word = vexriscv.lastStageInstruction;
    assign {trap, interrupt, compressed} = 3'b000;
    assign next_pc = 32'd0;
    assign number = 3'd0;
endmodule
