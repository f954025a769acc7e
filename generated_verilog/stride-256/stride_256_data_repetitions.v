// stride-256 of Tracewright, scheme data_stride.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 79
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   stride_cache_entries = 256
//   stride_cache_ways = 1
//   stride_cache_tagged = false
//   tag_bits = 0
//   pc_shift = 2
//   stride_bits = 8
//   data_repetitions = true
//   pattern_bits = 8
//   repetition_count_bits = 8
//   data_address_buffer_depth = 8
// data_repetitions: pattern_bits = 8, count_bits = 8

module stride_256_data_repetitions (
    input  wire       clock,
    input  wire       reset,
    input  wire       access,
    input  wire       hit,
    input  wire       flush, // never together with an access
    output reg        over, // a repetition is over
    output wire [7:0] pattern,
    output wire [7:0] repetition_count,
    output wire [6:0] partial_pattern,
    output wire [2:0] partial_count
);

    reg  [7:0] repeating;
    reg  [7:0] count;
    reg  [6:0] open;
    reg  [2:0] accesses;
    wire [7:0] whole; // what is open, with this access
    reg        complete;
    reg        repeats; // the pattern came again, and there is room to count it

    assign whole = {1'd0, open} | ({7'd0, hit} << accesses);

    always @* begin
        complete = 1'd0;
        if (accesses == 3'd7) begin
            complete = access;
        end
    end

    always @* begin
        repeats = 1'd0;
        if ((whole == repeating) && !(&count)) begin
            repeats = 1'd1;
        end
    end

    assign pattern = repeating;
    assign repetition_count = count;
    assign partial_pattern = open;
    assign partial_count = accesses;

    always @* begin
        over = 1'd0;
        if (|count) begin
            over = flush | (complete & !repeats);
        end
    end

    always @(posedge clock) begin
        if (reset) begin
            repeating <= 8'd0;
            count <= 8'd0;
            open <= 7'd0;
            accesses <= 3'd0;
        end else begin
            if (access) begin
                open <= whole[6:0];
                accesses <= accesses + 3'd1;
            end
            if (complete) begin
                open <= 7'd0;
                accesses <= 3'd0;
                if (repeats) begin
                    count <= count + 8'd1;
                end else begin
                    repeating <= whole;
                    count <= 8'd1;
                end
            end
            if (flush) begin
                count <= 8'd0;
                open <= 7'd0;
                accesses <= 3'd0;
            end
        end
    end

endmodule
