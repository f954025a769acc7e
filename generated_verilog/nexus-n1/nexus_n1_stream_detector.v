// nexus-n1 of Tracewright, scheme nexus.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 4
//   fifo_bits = 64
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   stream_length_bits = 16
//   stream_length_coding = chunks
//   stream_length_first_chunk = 8
//   stream_length_next_chunk = 8
//   target_coding = difference
//   target_first_chunk = 16
//   target_next_chunk = 16
//   target_connect_bits = 1
//   cores = 1
//   time_stamps = false
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// stream_detector: length_bits = 16, count_bits = 4

module nexus_n1_stream_detector (
    input  wire        clock,
    input  wire        reset,
    input  wire        retire,
    input  wire [3:0]  count,
    input  wire [2:0]  branch_kind,
    input  wire        taken,
    input  wire        flush,
    output wire        cut, // a longest stream goes first
    output reg         branch_ends,
    output wire        excepts,
    output wire [15:0] length
);

    reg  [15:0] counted; // instructions of the stream at hand
    wire        is_exception;
    reg  [16:0] total; // instructions so far, all of the block's
    reg         is_longest;

    assign is_exception = branch_kind == 3'd5;

    always @* begin
        branch_ends = 1'd0;
        if ((|branch_kind) && !is_exception) begin
            branch_ends = retire & taken;
        end
        if (branch_kind == 3'd1) begin
            branch_ends = 1'd0;
        end
    end

    assign excepts = retire & is_exception;

    always @* begin
        total = {1'd0, counted};
        if (retire) begin
            total = {1'd0, counted} + {13'd0, count};
        end
    end

    always @* begin
        is_longest = 1'd0;
        if (&total[15:0]) begin
            is_longest = !branch_ends;
        end
    end

    assign cut = total[16] | is_longest;
    assign length = total[15:0] + {15'd0, cut};

    always @(posedge clock) begin
        if (reset) begin
            counted <= 16'd0;
        end else begin
            counted <= length;
            if (branch_ends || excepts || flush) begin
                counted <= 16'd0;
            end
        end
    end

endmodule
