// stream-ebase-32 of Tracewright, scheme stream_cache.
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
//   last_value_start_address = misses
//   upper_address_bits = 14
//   one_length_counter = true
//   one_length_start_bits = 4
//   one_length_least_bits = 0
//   one_length_most_bits = 10
//   one_length_reset = middle
// fifo: depth = 10, width = 8

module stream_ebase_32_fifo_depth10_width8 (
    input  wire       clock,
    input  wire       reset,
    input  wire       in_valid,
    input  wire [7:0] in_word,
    output wire       in_ready,
    output wire       out_valid,
    output wire [7:0] out_word,
    input  wire       out_ready,
    output wire [3:0] level // words held
);

    wire [7:0] words_read_data;
    reg  [3:0] write_pointer;
    reg  [3:0] read_pointer;
    reg  [3:0] held;
    wire       puts;
    wire       takes;
    reg  [7:0] words_cells [0:9];

    assign out_valid = |held;
    assign in_ready = held != 4'd10;
    assign puts = in_valid & in_ready;
    assign takes = out_ready & out_valid;
    assign level = held;
    assign out_word = words_read_data;
    assign words_read_data = words_cells[read_pointer];

    always @(posedge clock) begin
        if (reset) begin
            write_pointer <= 4'd0;
            read_pointer <= 4'd0;
            held <= 4'd0;
        end else begin
            if (puts) begin
                write_pointer <= write_pointer + 4'd1;
                if (write_pointer == 4'd9) begin
                    write_pointer <= 4'd0;
                end
            end
            if (takes) begin
                read_pointer <= read_pointer + 4'd1;
                if (read_pointer == 4'd9) begin
                    read_pointer <= 4'd0;
                end
            end
            if (puts > takes) begin
                held <= held + 4'd1;
            end else if (takes > puts) begin
                held <= held - 4'd1;
            end
        end
    end

    always @(posedge clock) begin
        if (puts) begin
            words_cells[write_pointer] <= in_word;
        end
    end

endmodule
