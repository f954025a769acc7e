// stride-32 of Tracewright, scheme data_stride.
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
//   stride_cache_entries = 32
//   stride_cache_ways = 1
//   stride_cache_tagged = false
//   tag_bits = 0
//   pc_shift = 2
//   stride_bits = 8
//   data_repetitions = true
//   pattern_bits = 8
//   repetition_count_bits = 8
//   data_address_buffer_depth = 8
// fifo: depth = 8, width = 37

module stride_32_fifo_depth8_width37 (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid,
    input  wire [36:0] in_word,
    output wire        in_ready,
    output wire        out_valid,
    output wire [36:0] out_word,
    input  wire        out_ready,
    output wire [3:0]  level // words held
);

    wire [36:0] words_read_data;
    reg  [2:0]  write_pointer;
    reg  [2:0]  read_pointer;
    reg  [3:0]  held;
    wire        puts;
    wire        takes;
    reg  [36:0] words_cells [0:7];

    assign out_valid = |held;
    assign in_ready = held != 4'd8;
    assign puts = in_valid & in_ready;
    assign takes = out_ready & out_valid;
    assign level = held;
    assign out_word = words_read_data;
    assign words_read_data = words_cells[read_pointer];

    always @(posedge clock) begin
        if (reset) begin
            write_pointer <= 3'd0;
            read_pointer <= 3'd0;
            held <= 4'd0;
        end else begin
            if (puts) begin
                write_pointer <= write_pointer + 3'd1;
                if (write_pointer == 3'd7) begin
                    write_pointer <= 3'd0;
                end
            end
            if (takes) begin
                read_pointer <= read_pointer + 3'd1;
                if (read_pointer == 3'd7) begin
                    read_pointer <= 3'd0;
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
