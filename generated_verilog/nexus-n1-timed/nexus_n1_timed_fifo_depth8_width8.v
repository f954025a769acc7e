// nexus-n1-timed of Tracewright, scheme nexus.
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
//   time_stamps = true
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// fifo: depth = 8, width = 8

module nexus_n1_timed_fifo_depth8_width8 (
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
    reg  [2:0] write_pointer;
    reg  [2:0] read_pointer;
    reg  [3:0] held;
    wire       puts;
    wire       takes;
    reg  [7:0] words_cells [0:7];

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
