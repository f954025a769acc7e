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
// target_difference: target_bits = 30

module nexus_n2_target_difference (
    input  wire        clock,
    input  wire        reset,
    input  wire [29:0] target, // in instruction units
    input  wire        send,
    output reg  [29:0] magnitude,
    output wire        below
);

    reg  [29:0] previous_target;
    wire [29:0] difference;

    assign difference = target - previous_target;
    assign below = difference[29];

    always @* begin
        magnitude = difference;
        if (below) begin
            magnitude = ~difference + 30'd1;
        end
    end

    always @(posedge clock) begin
        if (reset) begin
            previous_target <= 30'd0;
        end else begin
            if (send) begin
                previous_target <= target;
            end
        end
    end

endmodule
