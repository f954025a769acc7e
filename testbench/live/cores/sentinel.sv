// Sentinel, a microcoded core with one bus, which is not answered while it is held.
module core (
`include "port.svh"
);
    wire        cycle, store;
    wire [29:0] place;
    wire [3:0]  lanes;
    reg         accessed;
    always @(posedge clock)
        accessed <= data_request;
    assign data_request = cycle & !accessed & !hold & !reset;
    assign data_address = {place, 2'b00};
    assign data_strobe = store ? lanes : 4'd0;
    assign fetch_request = 1'b0;
    assign fetch_address = 32'd0;

    sentinel sentinel (
        .clk(clock), .rst(reset), .irq(timer_interrupt),
        .bus__stb(cycle), .bus__adr(place), .bus__dat_w(data_written), .bus__sel(lanes), .bus__we(store),
        .bus__dat_r(data_read), .bus__ack(accessed),
        .rvfi__valid(valid), .rvfi__insn(word), .rvfi__trap(trap), .rvfi__intr(interrupt), .rvfi__pc_rdata(pc),
        .rvfi__pc_wdata(next_pc)
    );
    assign compressed = 1'b0;
    assign number = 3'd0;
endmodule
