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
// encoder

module nexus_n1_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear,
    input  wire        retire, // a block retires; only when ready
    input  wire [3:0]  count,
    input  wire [31:0] program_counter,
    input  wire [3:0]  length,
    input  wire [2:0]  branch_kind,
    input  wire        call,
    input  wire        is_return,
    input  wire        taken,
    input  wire [31:0] target,
    input  wire        flush, // make a flush record; only when ready
    output wire        ready,
    output wire        is_empty,
    output wire        record_valid,
    output wire [53:0] record,
    input  wire        record_ready
);

    wire        indirect;
    wire        has_target;
    reg         is_exact; // a branch ends a stream of the longest length
    wire        coded; // a length of 0 and a code begin the record
    wire        ends; // a record besides a cut
    reg  [1:0]  code;
    wire        stream_detector_cut;
    wire        stream_detector_branch_ends;
    wire        stream_detector_excepts;
    wire [15:0] stream_detector_length;
    wire [29:0] target_coder_value;
    wire        target_coder_below;

    nexus_n1_stream_detector stream_detector (
        .clock       (clock),
        .reset       (reset),
        .retire      (retire),
        .count       (count),
        .branch_kind (branch_kind),
        .taken       (taken),
        .flush       (flush),
        .cut         (stream_detector_cut),
        .branch_ends (stream_detector_branch_ends),
        .excepts     (stream_detector_excepts),
        .length      (stream_detector_length)
    );

    nexus_n1_target_coder target_coder (
        .clock  (clock),
        .reset  (reset),
        .target (target),
        .send   (has_target),
        .value  (target_coder_value),
        .below  (target_coder_below)
    );

    assign ready = record_ready;
    assign is_empty = 1'd1;
    assign indirect = (branch_kind == 3'd3) | (branch_kind == 3'd4);
    assign has_target = (stream_detector_branch_ends & indirect) | stream_detector_excepts;

    always @* begin
        is_exact = 1'd0;
        if (&stream_detector_length) begin
            is_exact = stream_detector_branch_ends;
        end
    end

    assign coded = stream_detector_excepts | flush | is_exact;
    assign ends = coded | stream_detector_branch_ends;

    always @* begin
        code = 2'd1;
        if (is_exact) begin
            code = 2'd0;
        end else if (flush) begin
            code = 2'd2;
        end
    end

    assign record_valid = ends | stream_detector_cut;

    assign record = {
        target_coder_value,
        stream_detector_length,
        code,
        target_coder_below,
        has_target,
        ends & !is_exact,
        coded,
        stream_detector_cut,
        flush
    };

    wire _unused_ok = &{
        1'b0,
        clear,
        program_counter,
        length,
        call,
        is_return
    };

endmodule
