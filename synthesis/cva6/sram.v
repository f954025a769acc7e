// A memory of CVA6's caches, of which the package has only what simulators read: one port, a registered address for reads, a
// bit of `be_i` for each byte.

module tc_sram_wrapper #(
    parameter NumWords    = 1024,
    parameter DataWidth   = 128,
    parameter ByteWidth   = 8,
    parameter NumPorts    = 1,
    parameter Latency     = 1,
    parameter SimInit     = "none",
    parameter PrintSimCfg = 0
) (
    input  wire                        clk_i,
    input  wire                        rst_ni,
    input  wire                        req_i,
    input  wire                        we_i,
    input  wire [$clog2(NumWords)-1:0] addr_i,
    input  wire [DataWidth-1:0]        wdata_i,
    input  wire [DataWidth/8-1:0]      be_i,
    output wire [DataWidth-1:0]        rdata_o
);

    reg [DataWidth-1:0]        words [0:NumWords-1];
    reg [$clog2(NumWords)-1:0] address;
    integer                    i;

    always @(posedge clk_i)
        if (req_i & !we_i)
            address <= addr_i;

    always @(posedge clk_i)
        for (i = 0; i < DataWidth / 8; i = i + 1)
            if (req_i & we_i & be_i[i])
                words[addr_i][8*i +: 8] <= wdata_i[8*i +: 8];

    assign rdata_o = words[address];

endmodule
