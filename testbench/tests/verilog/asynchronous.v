// A register with an asynchronous reset, one without any, and a memory.
module asynchronous (
    input wire clock,
    input wire reset_n,
    input wire [63:0] data,
    input wire [11:0] address,
    input wire write,
    output reg [63:0] stored,
    output reg [63:0] unreset,
    output wire [31:0] word
);
    reg [31:0] memory [0:4095];
    assign word = memory[address];
    always @(posedge clock or negedge reset_n)
        if (!reset_n) stored <= 64'd5;
        else stored <= data;
    always @(posedge clock)
        if (write) begin
            unreset <= data;
            memory[address] <= data[31:0];
        end
endmodule
