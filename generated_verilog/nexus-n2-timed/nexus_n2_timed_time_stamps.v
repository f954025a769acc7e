// nexus-n2-timed of Tracewright, scheme nexus.
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
//   time_stamps = true
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// time_stamps: time_stamp_bits = 32

module nexus_n2_timed_time_stamps (
    input  wire        clock,
    input  wire        reset,
    input  wire        tracing,
    input  wire        ready,
    input  wire        record,
    output wire [31:0] clocks,
    output wire        overflow
);

    reg  [31:0] count;
    wire        is_full;

    assign clocks = count;
    assign is_full = &count;
    assign overflow = tracing & ready & is_full & !record;

    always @(posedge clock) begin
        if (reset) begin
            count <= 32'd0;
        end else begin
            if (record || overflow) begin
                count <= 32'd0;
                if (tracing) begin
                    count <= 32'd1;
                end
            end else if (tracing && !is_full) begin
                count <= count + 32'd1;
            end
        end
    end

endmodule
