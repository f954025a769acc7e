// The small core of this project by its trace ingress port.
module core (
`include "port.svh"
);
    wire [1:0]  committed, trapped, first, retires, sizes;
    wire [63:0] words, addresses, next, starts;
    wire [7:0]  types;
    wire [3:0]  strobe;
    minimal_core #(.WIDTH(1), .RESET_ADDRESS(`MEMORY), .TRAP_ADDRESS(`MEMORY + 32'h10)) minimal (
        .clock(clock), .reset(reset), .stop(hold), .timer_interrupt(timer_interrupt), .external_interrupt(1'b0),
        .fetch_address(fetch_address), .fetch_data({32'd0, fetch_data}), .fetch_error(2'b00),
        .data_request(data_request), .data_address(data_address), .data_strobe(strobe), .data_written(data_written),
        .data_read(data_read), .data_error(1'b0),
        .rvfi_valid(committed), .rvfi_insn(words), .rvfi_trap(trapped), .rvfi_intr(first), .rvfi_mode(),
        .rvfi_pc_rdata(addresses), .rvfi_pc_wdata(next),
        .tip_itype(types), .tip_iaddr(starts), .tip_iretire(retires), .tip_ilastsize(sizes), .tip_priv(), .tip_cause(),
        .tip_tval()
    );
    assign fetch_request = 1'b1;
    assign data_strobe = strobe;
    assign itype = types[3:0];
    assign iaddr = starts[31:0];
    assign iretire = retires[0];
    assign ilastsize = sizes[0];
    assign valid = committed[0] & !reset;
    assign word = words[31:0];
    assign trap = trapped[0];
    assign interrupt = first[0];
    assign pc = addresses[31:0];
    assign next_pc = next[31:0];
    assign compressed = 1'b0;
    assign number = 3'd0;
endmodule
