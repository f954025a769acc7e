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
// target_coder

module nexs_target_coder (
    input  wire        clock,
    input  wire        reset,
    input  wire [31:0] target,
    input  wire        send,
    output wire [31:0] value,
    output wire        below
);

    reg  [31:0] previous_target;

    assign value = target ^ previous_target;
    assign below = 1'd0;

    always @(posedge clock) begin
        if (reset) begin
            previous_target <= 32'd0;
        end else begin
            if (send) begin
                previous_target <= target;
            end
        end
    end

endmodule
