// nexus-n1 of Tracewright, scheme nexus.
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
//   time_stamps = false
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// trace_port: port_width = 4, word_bits = 8

module nexus_n1_trace_port (
    input  wire       clock,
    input  wire       reset,
    input  wire       word_valid,
    input  wire [7:0] word,
    output reg        word_ready,
    output wire       trace_valid,
    output reg  [3:0] trace_data,
    input  wire       trace_ready
);

    reg  beat;

    assign trace_valid = word_valid;

    always @* begin
        trace_data = word[3:0];
        if (!beat) begin
            trace_data = word[3:0];
        end
        if (beat) begin
            trace_data = word[7:4];
        end
    end

    always @* begin
        word_ready = 1'd0;
        if (word_valid && trace_ready) begin
            if (beat) begin
                word_ready = 1'd1;
            end
        end
    end

    always @(posedge clock) begin
        if (reset) begin
            beat <= 1'd0;
        end else begin
            if (word_valid && trace_ready) begin
                beat <= beat + 1'd1;
                if (beat) begin
                    beat <= 1'd0;
                end
            end
        end
    end

endmodule
