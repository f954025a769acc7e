// stream-rbase-32 of Tracewright, scheme stream_cache.
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
//   stream_cache_entries = 32
//   stream_cache_ways = 4
//   hash_shift = 4
//   stream_length_bits = 8
//   stream_buffer_depth = 2
//   miss_index = reserved
//   last_value_start_address = every
//   upper_address_bits = 12
//   one_length_counter = true
//   one_length_start_bits = 4
//   one_length_least_bits = 0
//   one_length_most_bits = 10
//   one_length_reset = middle
// stream_source

module stream_rbase_32_stream_source (
    input  wire        clock,
    input  wire        reset,
    input  wire        retire,
    input  wire [3:0]  count,
    input  wire [2:0]  branch_kind,
    input  wire        taken,
    input  wire [31:0] target,
    input  wire        flush,
    output wire        ready,
    output wire        is_empty,
    output wire        stream_valid,
    output reg  [1:0]  code, // code of the end; 3: a branch
    output wire        is_whole, // it ends with a branch or a cut
    output reg  [7:0]  length, // 0: cut
    output wire [29:0] start, // in instruction units
    output wire        inferred, // the start is
    input  wire        stream_ready
);

    wire        ends; // a stream besides a cut one
    reg  [1:0]  end_code;
    wire [1:0]  stored_code;
    wire        detector_cut;
    wire        detector_branch_ends;
    wire        detector_excepts;
    wire [7:0]  detector_length;
    wire        starts_direct;
    wire [29:0] starts_first;
    wire        starts_first_inferred;
    wire        buffer_first_valid;
    wire        buffer_second_valid;
    wire        buffer_in_ready;
    wire        buffer_out_valid;
    wire [40:0] buffer_out;
    wire        buffer_out_first;
    wire        buffer_out_second;
    wire        buffer_is_empty;
    wire [29:0] second_start_place;

    stream_rbase_32_stream_detector detector (
        .clock       (clock),
        .reset       (reset),
        .retire      (retire),
        .count       (count),
        .branch_kind (branch_kind),
        .taken       (taken),
        .flush       (flush),
        .cut         (detector_cut),
        .branch_ends (detector_branch_ends),
        .excepts     (detector_excepts),
        .length      (detector_length)
    );

    stream_rbase_32_stream_start starts (
        .clock          (clock),
        .reset          (reset),
        .cut            (detector_cut),
        .branch_ends    (detector_branch_ends),
        .excepts        (detector_excepts),
        .flush          (flush),
        .direct         (starts_direct),
        .target         (target[31:2]),
        .first          (starts_first),
        .first_inferred (starts_first_inferred)
    );

    stream_rbase_32_stream_buffer buffer (
        .clock        (clock),
        .reset        (reset),
        .first_valid  (buffer_first_valid),
        .second_valid (buffer_second_valid),
        .streams      ({starts_first_inferred, starts_first, detector_length, end_code}),
        .in_ready     (buffer_in_ready),
        .out_valid    (buffer_out_valid),
        .out          (buffer_out),
        .out_first    (buffer_out_first),
        .out_second   (buffer_out_second),
        .out_ready    (stream_ready),
        .is_empty     (buffer_is_empty)
    );

    stream_rbase_32_cut_start second_start (
        .start   (buffer_out[39:10]),
        .goes_on (buffer_out_second),
        .place   (second_start_place)
    );

    assign ready = buffer_in_ready;
    assign is_empty = buffer_is_empty;
    assign starts_direct = (branch_kind == 3'd1) | (branch_kind == 3'd2);
    assign ends = detector_branch_ends | detector_excepts | flush;

    always @* begin
        end_code = 2'd0;
        if (detector_branch_ends) begin
            end_code = 2'd3;
        end else if (detector_excepts) begin
            end_code = 2'd1;
        end else if (flush) begin
            end_code = 2'd2;
        end
    end

    assign buffer_first_valid = detector_cut | ends;
    assign buffer_second_valid = detector_cut & ends;
    assign stream_valid = buffer_out_valid;
    assign stored_code = buffer_out[1:0];

    always @* begin
        code = stored_code;
        if (buffer_out_first) begin
            code = 2'd0;
        end
    end

    assign is_whole = (code == 2'd3) | (code == 2'd0);

    always @* begin
        length = 8'd0;
        if (code != 2'd0) begin
            length = buffer_out[9:2];
        end
    end

    assign start = second_start_place;
    assign inferred = buffer_out[40] | buffer_out_second;

    wire _unused_ok = &{1'b0, target[1:0]};

endmodule
