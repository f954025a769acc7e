// nexus-n2 of Tracewright, scheme nexus.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 8
//   fifo_bits = 128
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
//   cores = 2
//   time_stamps = false
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// sequencer: clear_bits = 0

module nexus_n2_sequencer (
    input  wire clock,
    input  wire reset,
    input  wire flush, // level: end the trace here
    input  wire ready,
    input  wire is_empty,
    output wire tracing,
    output wire record_flush,
    output wire flushed,
    output wire clear
);

    reg        clearing;
    reg  [1:0] state;

    assign clear = clearing;
    assign tracing = (state == 2'd0) & !clearing;
    assign record_flush = state == 2'd1;
    assign flushed = state == 2'd3;

    always @(posedge clock) begin
        if (reset) begin
            clearing <= 1'd1;
            state <= 2'd0;
        end else begin
            if (clearing) begin
                clearing <= 1'd0;
            end
            if (state == 2'd0) begin
                if (flush && !clearing) begin
                    state <= 2'd1;
                end
            end else if (state == 2'd1) begin
                if (ready) begin
                    state <= 2'd2;
                end
            end else if (state == 2'd2) begin
                if (is_empty) begin
                    state <= 2'd3;
                end
            end else if (!flush) begin
                state <= 2'd0;
            end
        end
    end

endmodule
