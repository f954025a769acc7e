// stream-rbase-256 of Tracewright, scheme stream_cache.
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
//   stream_cache_entries = 256
//   stream_cache_ways = 4
//   hash_shift = 4
//   stream_length_bits = 8
//   stream_buffer_depth = 2
//   miss_index = reserved
//   last_value_start_address = every
//   upper_address_bits = 12
//   one_length_counter = true
//   one_length_start_bits = 4
//   one_length_least_bits = 0
//   one_length_most_bits = 10
//   one_length_reset = middle
// one_length_counter: start_bits = 4, least_bits = 0, most_bits = 10, resets = 1

module stream_rbase_256_one_length_counter (
    input  wire       clock,
    input  wire       reset,
    input  wire       hit, // a stream was predicted
    input  wire       ends, // another record is made
    output wire       sends,
    output wire [9:0] run, // its length less 1
    output wire [3:0] run_bits
);

    reg        running;
    reg  [9:0] count; // the run at hand less 1
    reg  [3:0] size; // of the longest run and a header bit
    reg  [3:0] monitor;
    reg  [9:0] ones; // the longest run less 1: as many ones as the size
    wire [9:0] ones_below; // one less
    wire       begins;
    wire       is_full;
    wire       went_on;
    wire       is_short;
    reg        grows;
    reg        shrinks;
    wire       steps_down;
    reg  [3:0] size_step;
    reg  [3:0] monitor_step;

    always @* begin
        ones = 10'd0;
        if (size > 4'd1) begin
            ones = 10'd1;
        end
        if (size > 4'd2) begin
            ones = {ones[9:2], 1'd1, ones[0]};
        end
        if (size > 4'd3) begin
            ones = {ones[9:3], 1'd1, ones[1:0]};
        end
        if (size > 4'd4) begin
            ones = {ones[9:4], 1'd1, ones[2:0]};
        end
        if (size > 4'd5) begin
            ones = {ones[9:5], 1'd1, ones[3:0]};
        end
        if (size > 4'd6) begin
            ones = {ones[9:6], 1'd1, ones[4:0]};
        end
        if (size > 4'd7) begin
            ones = {ones[9:7], 1'd1, ones[5:0]};
        end
        if (size > 4'd8) begin
            ones = {ones[9:8], 1'd1, ones[6:0]};
        end
        if (size > 4'd9) begin
            ones = {ones[9], 1'd1, ones[7:0]};
        end
        if (size > 4'd10) begin
            ones = {1'd1, ones[8:0]};
        end
    end

    assign ones_below = {1'd0, ones[9:1]};
    assign is_full = &(count | ~ones);
    assign went_on = hit & running & is_full;
    assign is_short = !(&(count | ~ones_below)) & !(|(count & ones & ~ones_below));
    assign sends = went_on | (ends & running);
    assign run = count;
    assign run_bits = size;
    assign begins = hit & (!running | is_full);

    always @* begin
        grows = 1'd0;
        if (monitor > 4'd11) begin
            grows = went_on;
        end
    end

    assign steps_down = ends & running & is_short;

    always @* begin
        shrinks = 1'd0;
        if (monitor < 4'd2) begin
            shrinks = steps_down;
        end
    end

    always @* begin
        size_step = 4'd0;
        if (grows && (size != 4'd11)) begin
            size_step = 4'd1;
        end
        if (shrinks && (size != 4'd1)) begin
            size_step = 4'd15;
        end
    end

    always @* begin
        monitor_step = 4'd0;
        if (went_on) begin
            monitor_step = 4'd3;
        end
        if (steps_down) begin
            monitor_step = 4'd15;
        end
    end

    always @(posedge clock) begin
        if (reset) begin
            running <= 1'd0;
            count <= 10'd0;
            size <= 4'd5;
            monitor <= 4'd8;
        end else begin
            running <= hit | (running & !ends);
            count <= count + {9'd0, hit};
            if (begins) begin
                count <= 10'd0;
            end
            size <= size + size_step;
            monitor <= monitor + monitor_step;
            if (grows || shrinks) begin
                monitor <= 4'd8;
            end
        end
    end

endmodule
