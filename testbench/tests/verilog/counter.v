// Counts up while enabled and adds an input in the same cycle.
module counter (
    input wire clock,
    input wire reset,
    input wire enable,
    input wire [7:0] addend,
    output reg [7:0] count,
    output wire [7:0] sum
);
    assign sum = count + addend;
    always @(posedge clock)
        if (reset) count <= 8'd0;
        else if (enable) count <= count + 8'd1;
endmodule
