// stream-ebase-64 of Tracewright, scheme stream_cache.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 80
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   stream_cache_entries = 64
//   stream_cache_ways = 4
//   hash_shift = 4
//   stream_length_bits = 8
//   stream_buffer_depth = 2
//   miss_index = reserved
//   last_value_start_address = misses
//   upper_address_bits = 14
//   one_length_counter = true
//   one_length_start_bits = 4
//   one_length_least_bits = 0
//   one_length_most_bits = 10
//   one_length_reset = middle
// stream_detector: length_bits = 8, count_bits = 4

module stream_ebase_64_stream_detector (
    input  wire       clock,
    input  wire       reset,
    input  wire       retire,
    input  wire [3:0] count,
    input  wire [2:0] branch_kind,
    input  wire       taken,
    input  wire       flush,
    output wire       cut, // a longest stream goes first
    output reg        branch_ends,
    output wire       excepts,
    output wire [7:0] length
);

    reg  [7:0] counted; // instructions of the stream at hand
    wire       is_exception;
    reg  [8:0] total; // instructions so far, all of the block's
    reg        is_longest;

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
            total = {1'd0, counted} + {5'd0, count};
        end
    end

    always @* begin
        is_longest = 1'd0;
        if (&total[7:0]) begin
            is_longest = !branch_ends;
        end
    end

    assign cut = total[8] | is_longest;
    assign length = total[7:0] + {7'd0, cut};

    always @(posedge clock) begin
        if (reset) begin
            counted <= 8'd0;
        end else begin
            counted <= length;
            if (branch_ends || excepts || flush) begin
                counted <= 8'd0;
            end
        end
    end

endmodule
