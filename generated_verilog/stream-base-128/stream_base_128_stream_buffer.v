// stream-base-128 of Tracewright, scheme stream_cache.
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
//   stream_cache_entries = 128
//   stream_cache_ways = 4
//   hash_shift = 4
//   stream_length_bits = 8
//   stream_buffer_depth = 2
//   miss_index = reserved
//   last_value_start_address = none
//   upper_address_bits = 0
//   one_length_counter = false
//   one_length_start_bits = 4
//   one_length_least_bits = 0
//   one_length_most_bits = 10
//   one_length_reset = middle
// stream_buffer: depth = 2, width = 41

module stream_base_128_stream_buffer (
    input  wire        clock,
    input  wire        reset,
    input  wire        first_valid,
    input  wire        second_valid, // never without the first
    input  wire [40:0] streams,
    output wire        in_ready,
    output wire        out_valid,
    output wire [40:0] out,
    output wire        out_first, // of two of a block
    output wire        out_second, // of two of a block
    input  wire        out_ready,
    output wire        is_empty
);

    wire [41:0] words_read_data;
    reg  [1:0]  write_pointer;
    reg  [1:0]  read_pointer;
    reg  [1:0]  waiting;
    reg         aside_valid;
    reg         second; // the first of the word is out
    wire        comes;
    wire        takes;
    reg  [41:0] words_cells [0:2];

    assign in_ready = waiting != 2'd2;
    assign out_valid = |waiting;
    assign is_empty = !out_valid & !aside_valid;
    assign comes = (first_valid | aside_valid) & in_ready;
    assign out = words_read_data[40:0];
    assign out_second = second;
    assign out_first = words_read_data[41] & !second;
    assign takes = out_ready & out_valid;
    assign words_read_data = words_cells[read_pointer];

    always @(posedge clock) begin
        if (reset) begin
            write_pointer <= 2'd0;
            read_pointer <= 2'd0;
            waiting <= 2'd0;
            aside_valid <= 1'd0;
            second <= 1'd0;
        end else begin
            if (first_valid) begin
                write_pointer <= write_pointer + 2'd1;
                if (write_pointer == 2'd2) begin
                    write_pointer <= 2'd0;
                end
            end
            if (in_ready) begin
                aside_valid <= second_valid | (first_valid & aside_valid);
            end
            if (takes) begin
                second <= out_first;
                if (!out_first) begin
                    read_pointer <= read_pointer + 2'd1;
                    if (read_pointer == 2'd2) begin
                        read_pointer <= 2'd0;
                    end
                end
            end
            if (comes > takes) begin
                waiting <= waiting + 2'd1;
            end else if (takes > comes) begin
                waiting <= waiting - 2'd1;
            end
        end
    end

    always @(posedge clock) begin
        if (first_valid) begin
            words_cells[write_pointer] <= {second_valid, streams};
        end
    end

endmodule
