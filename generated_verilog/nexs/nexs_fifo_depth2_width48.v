// nexs of Tracewright, scheme nexus.
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
//   stream_length_bits = 8
//   stream_length_coding = fixed
//   stream_length_first_chunk = 8
//   stream_length_next_chunk = 8
//   target_coding = xor
//   target_first_chunk = 6
//   target_next_chunk = 6
//   target_connect_bits = 2
//   cores = 1
//   time_stamps = false
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// fifo: depth = 2, width = 48

module nexs_fifo_depth2_width48 (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid,
    input  wire [47:0] in_word,
    output wire        in_ready,
    output wire        out_valid,
    output wire [47:0] out_word,
    input  wire        out_ready,
    output wire [1:0]  level // words held
);

    wire [47:0] words_read_data;
    reg         write_pointer;
    reg         read_pointer;
    reg  [1:0]  held;
    wire        puts;
    wire        takes;
    reg  [47:0] words_cells [0:1];

    assign out_valid = |held;
    assign in_ready = held != 2'd2;
    assign puts = in_valid & in_ready;
    assign takes = out_ready & out_valid;
    assign level = held;
    assign out_word = words_read_data;
    assign words_read_data = words_cells[read_pointer];

    always @(posedge clock) begin
        if (reset) begin
            write_pointer <= 1'd0;
            read_pointer <= 1'd0;
            held <= 2'd0;
        end else begin
            if (puts) begin
                write_pointer <= write_pointer + 1'd1;
                if (write_pointer) begin
                    write_pointer <= 1'd0;
                end
            end
            if (takes) begin
                read_pointer <= read_pointer + 1'd1;
                if (read_pointer) begin
                    read_pointer <= 1'd0;
                end
            end
            if (puts > takes) begin
                held <= held + 2'd1;
            end else if (takes > puts) begin
                held <= held - 2'd1;
            end
        end
    end

    always @(posedge clock) begin
        if (puts) begin
            words_cells[write_pointer] <= in_word;
        end
    end

endmodule
