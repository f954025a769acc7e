// etrace-base-fpga with four pins, to place and route it alone: its inputs come from a shift register, its outputs
// go through registers into one pin, so that every path begins and ends at a register.

module etrace_base_fpga_icestorm (
    input  wire clock,
    input  wire reset,
    input  wire serial_in,
    output reg  serial_out
);

    reg  [80:0] inputs;
    wire [7:0] outputs;
    reg  [7:0] captured;

    always @(posedge clock) begin
        inputs     <= {inputs[79:0], serial_in};
        captured   <= outputs;
        serial_out <= ^captured;
    end

    etrace_base_fpga trace_module (
        .clock (clock),
        .reset (reset),
        .retire_valid (inputs[0 +: 1]),
        .retire_count (inputs[1 +: 4]),
        .retire_pc (inputs[5 +: 32]),
        .retire_length (inputs[37 +: 4]),
        .retire_kind (inputs[41 +: 3]),
        .retire_call (inputs[44 +: 1]),
        .retire_return (inputs[45 +: 1]),
        .retire_taken (inputs[46 +: 1]),
        .retire_target (inputs[47 +: 32]),
        .stall (outputs[0 +: 1]),
        .flush (inputs[79 +: 1]),
        .flushed (outputs[1 +: 1]),
        .trace_data (outputs[2 +: 1]),
        .trace_valid (outputs[3 +: 1]),
        .trace_ready (inputs[80 +: 1]),
        .buffered_words (outputs[4 +: 4])
    );

endmodule
