// AXI4 on the board's memory, which answers in the next cycle: one transaction at a time, without exclusive accesses.
module axi_memory #(
    parameter ID = 4
) (
    input  wire          clock,
    input  wire          reset,
    input  wire          ar_valid,
    output wire          ar_ready,
    input  wire [31:0]   ar_address,
    input  wire [7:0]    ar_length,
    input  wire [ID-1:0] ar_id,
    output wire          r_valid,
    input  wire          r_ready,
    output wire [63:0]   r_data,
    output wire          r_last,
    input  wire          aw_valid,
    output wire          aw_ready,
    input  wire [31:0]   aw_address,
    input  wire [ID-1:0] aw_id,
    input  wire          w_valid,
    output wire          w_ready,
    input  wire [63:0]   w_data,
    input  wire [7:0]    w_strobe,
    input  wire          w_last,
    output wire          b_valid,
    input  wire          b_ready,
    output reg  [ID-1:0] id,
    output wire          request,
    output wire [31:0]   address,
    output wire [7:0]    strobe,
    output wire [63:0]   written,
    input  wire [63:0]   read
);
    localparam [2:0] IDLE = 3'd0, ASK = 3'd1, READ = 3'd2, WRITE = 3'd3, DONE = 3'd4;
    reg [2:0]  state;
    reg [31:0] place;
    reg [7:0]  left;

    assign ar_ready = state == IDLE;
    assign aw_ready = state == IDLE & !ar_valid;
    assign r_valid = state == READ;
    assign r_data = read;
    assign r_last = left == 8'd0;
    assign w_ready = state == WRITE;
    assign b_valid = state == DONE;
    assign request = state == ASK | (state == READ & r_ready & !r_last) | (state == WRITE & w_valid);
    assign address = state == READ ? place + 32'd8 : place;
    assign strobe = state == WRITE ? w_strobe : 8'd0;
    assign written = w_data;

    always @(posedge clock)
        if (reset)
            state <= IDLE;
        else
            case (state)
                IDLE: begin
                    place <= ar_valid ? ar_address : aw_address;
                    left <= ar_length;
                    id <= ar_valid ? ar_id : aw_id;
                    state <= ar_valid ? ASK : aw_valid ? WRITE : IDLE;
                end
                ASK: state <= READ;
                READ:
                    if (r_ready) begin
                        place <= place + 32'd8;
                        left <= left - 8'd1;
                        if (r_last)
                            state <= IDLE;
                    end
                WRITE:
                    if (w_valid) begin
                        place <= place + 32'd8;
                        if (w_last)
                            state <= DONE;
                    end
                default:
                    if (b_ready)
                        state <= IDLE;
            endcase
endmodule
