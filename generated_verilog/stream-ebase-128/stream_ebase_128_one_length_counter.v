// stream-ebase-128 of Tracewright, scheme stream_cache.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 80
//   record_queue_depth = 2
//   encoder = serial
//   reset = synchronous
//   stream_cache_entries = 128
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
//   one_length_most_bits = 20
//   one_length_reset = middle
// one_length_counter: start_bits = 4, least_bits = 0, most_bits = 20, resets = 1

module stream_ebase_128_one_length_counter (
    input  wire        clock,
    input  wire        reset,
    input  wire        hit, // a stream was predicted
    input  wire        ends, // another record is made
    output wire        sends,
    output wire [19:0] run, // its length less 1
    output wire [4:0]  run_bits
);

    reg         running;
    reg  [19:0] count; // the run at hand less 1
    reg  [4:0]  size;
    reg  [19:0] longest; // as many ones as the size
    reg  [3:0]  monitor;
    wire        is_full;
    wire        went_on;
    wire        is_short;
    reg         grows;
    reg         shrinks;

    assign is_full = count == longest;
    assign went_on = hit & running & is_full;
    assign is_short = count < {1'd0, longest[19:1]};
    assign sends = went_on | (ends & running);
    assign run = count;
    assign run_bits = size;

    always @* begin
        grows = 1'd0;
        if (monitor > 4'd11) begin
            grows = went_on;
        end
    end

    always @* begin
        shrinks = 1'd0;
        if (monitor < 4'd2) begin
            shrinks = ends & running & is_short;
        end
    end

    always @(posedge clock) begin
        if (reset) begin
            running <= 1'd0;
            count <= 20'd0;
            size <= 5'd4;
            longest <= 20'd15;
            monitor <= 4'd8;
        end else begin
            if (hit) begin
                running <= 1'd1;
                count <= count + 20'd1;
                if (!running || is_full) begin
                    count <= 20'd0;
                end
            end else if (ends) begin
                running <= 1'd0;
            end
            if (grows) begin
                monitor <= 4'd15;
                if (size != 5'd20) begin
                    size <= size + 5'd1;
                    longest <= {longest[18:0], 1'd1};
                end
            end else if (shrinks) begin
                monitor <= 4'd0;
                if (size != 5'd0) begin
                    size <= size - 5'd1;
                    longest <= {1'd0, longest[19:1]};
                end
            end else if (went_on) begin
                monitor <= monitor + 4'd3;
            end else if (ends && running && is_short) begin
                monitor <= monitor - 4'd1;
            end
            if (grows || shrinks) begin
                monitor <= 4'd8;
            end
        end
    end

endmodule
