// stream-rbase-32 of Tracewright, scheme stream_cache.
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
//   stream_cache_entries = 32
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
// last_stream_predictor: index_bits = 5

module stream_rbase_32_last_stream_predictor (
    input  wire       clock,
    input  wire       reset,
    input  wire       clear,
    input  wire [4:0] clear_index,
    input  wire [4:0] index,
    input  wire       update,
    output wire [4:0] prediction // 0 is none
);

    reg  [4:0] previous_index;
    wire [4:0] entries_read_data;
    wire       entries_write_enable;
    reg  [4:0] entries_write_address;
    reg  [4:0] entries_write_data;
    reg  [4:0] entries_cells [0:31];

    assign prediction = entries_read_data;
    assign entries_write_enable = update | clear;

    always @* begin
        entries_write_address = previous_index;
        if (clear) begin
            entries_write_address = clear_index;
        end
    end

    always @* begin
        entries_write_data = index;
        if (clear) begin
            entries_write_data = 5'd0;
        end
    end

    assign entries_read_data = entries_cells[previous_index];

    always @(posedge clock) begin
        if (reset) begin
            previous_index <= 5'd0;
        end else begin
            if (update) begin
                previous_index <= index;
            end
        end
    end

    always @(posedge clock) begin
        if (entries_write_enable) begin
            entries_cells[entries_write_address] <= entries_write_data;
        end
    end

endmodule
