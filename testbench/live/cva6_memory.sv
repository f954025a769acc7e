// AXI4 on a memory that answers in the next cycle: one transaction at a time, without atomic operations. Exclusive
// accesses keep the address of the last exclusive read.

module cva6_memory (
    input  wire               clock,
    input  wire               reset,
    input  ariane_axi::req_t  request,
    output ariane_axi::resp_t response,
    output wire               data_request,
    output wire [63:0]        data_address,
    output wire [7:0]         data_strobe,
    output wire [63:0]        data_written,
    input  wire [63:0]        data_read,
    input  wire               data_error
);

    typedef enum logic [2:0] {IDLE, ASK, READ, WRITE, DONE} state_t;

    state_t      state;
    logic [63:0] address;
    logic [7:0]  beats;
    logic [3:0]  id;
    logic        exclusive;
    logic        reserved;
    logic [60:0] reservation;
    logic        failed;

    wire read_begins = state == IDLE & request.ar_valid;
    wire write_begins = state == IDLE & !request.ar_valid & request.aw_valid;
    wire read_beat = state == READ & request.r_ready;
    wire write_beat = state == WRITE & request.w_valid;
    wire holds = reserved & reservation == address[63:3];
    wire written = write_beat & (!exclusive | holds);

    assign data_request = state == ASK | read_beat & beats != 0 | written;
    assign data_address = read_beat ? address + 64'd8 : address;
    assign data_strobe = state == WRITE ? request.w.strb : 8'd0;
    assign data_written = request.w.data;

    always_comb begin
        response = '0;
        response.ar_ready = read_begins;
        response.aw_ready = write_begins;
        response.w_ready = state == WRITE;
        response.r_valid = state == READ;
        response.r.id = id;
        response.r.data = data_read;
        response.r.last = beats == 0;
        response.r.resp = data_error ? axi_pkg::RESP_SLVERR : {1'b0, exclusive};
        response.b_valid = state == DONE;
        response.b.id = id;
        response.b.resp = failed ? axi_pkg::RESP_SLVERR : {1'b0, exclusive};
    end

    always_ff @(posedge clock)
        if (reset) begin
            state <= IDLE;
            reserved <= 1'b0;
        end else
            case (state)
                IDLE: begin
                    address <= read_begins ? {request.ar.addr[63:3], 3'd0} : {request.aw.addr[63:3], 3'd0};
                    beats <= read_begins ? request.ar.len : request.aw.len;
                    id <= read_begins ? request.ar.id : request.aw.id;
                    exclusive <= read_begins ? request.ar.lock : request.aw.lock;
                    // An atomic operation would be lost.
                    failed <= request.aw.atop != 0;
                    if (read_begins)
                        state <= ASK;
                    else if (write_begins)
                        state <= WRITE;
                end
                ASK: begin
                    state <= READ;
                    if (exclusive) begin
                        reserved <= 1'b1;
                        reservation <= address[63:3];
                    end
                end
                READ:
                    if (read_beat) begin
                        address <= address + 64'd8;
                        beats <= beats - 8'd1;
                        if (beats == 0)
                            state <= IDLE;
                    end
                WRITE:
                    if (write_beat) begin
                        address <= address + 64'd8;
                        if (exclusive) begin
                            exclusive <= holds;
                            reserved <= 1'b0;
                        end
                        if (request.w.last)
                            state <= DONE;
                    end
                default:
                    if (request.b_ready)
                        state <= IDLE;
            endcase

endmodule
