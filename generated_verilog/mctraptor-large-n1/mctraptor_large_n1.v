// mctraptor-large-n1 of Tracewright, scheme mctraptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 64
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   gshare_entries = 4096
//   gshare_history_bits = 12
//   pc_shift = 4
//   return_address_stack_depth = 32
//   indirect_branch_target_buffer_entries = 64
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 13
//   elided_upper_bits = 12
//   branch_count_bits = 11
//   branch_count_first_chunk = 3
//   branch_count_next_chunk = 2
//   instruction_count_bits = 17
//   instruction_count_first_chunk = 2
//   instruction_count_next_chunk = 2
//   target_first_chunk = 3
//   target_next_chunk = 4
//   outcome_bit_for_jumps = false
//   memory_style = asynchronous
//   cores = 1
//   time_stamps = false
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2
// mctraptor

module mctraptor_large_n1 (
    input  wire        clock,
    input  wire        reset,
    input  wire        retire_valid_0, // a block of this core retires in this clock
    input  wire [3:0]  retire_count_0, // its instructions
    input  wire [31:0] retire_pc_0, // byte address of its last instruction
    input  wire [3:0]  retire_length_0, // length of that in bytes
    input  wire [2:0]  retire_kind_0, // 0 sequential, 1 jump, 2 branch, 3 indirect, 4 both, 5 exception
    input  wire        retire_call_0, // it leaves a return address
    input  wire        retire_return_0, // it goes back to one
    input  wire        retire_taken_0, // the flow changed
    input  wire [31:0] retire_target_0, // where to, if taken
    output wire        stall_0, // the block of this clock is not taken
    input  wire        flush, // level: end the trace here
    output wire        flushed, // everything is out
    output wire        trace_data, // trace bits, bit 0 first
    output wire        trace_valid,
    input  wire        trace_ready,
    output wire [3:0]  buffered_words // trace words in the output FIFO
);

    wire        all_ready;
    reg         all_empty;
    wire        sequencer_tracing;
    wire        sequencer_record_flush;
    wire        sequencer_flushed;
    wire        sequencer_clear;
    wire [11:0] sequencer_clear_index;
    wire        encoders_0_retire;
    wire        encoders_0_flush;
    wire        encoders_0_ready;
    wire        encoders_0_is_empty;
    wire        encoders_0_record_valid;
    wire [56:0] encoders_0_record;
    wire        merge_in_ready_0;
    wire        merge_record_valid;
    wire [60:0] merge_record;
    wire        merge_is_empty;
    wire        back_end_record_ready;
    wire        back_end_is_empty;
    wire        back_end_trace_data;
    wire        back_end_trace_valid;
    wire [3:0]  back_end_buffered_words;

    mctraptor_large_n1_sequencer sequencer (
        .clock        (clock),
        .reset        (reset),
        .flush        (flush),
        .ready        (all_ready),
        .is_empty     (all_empty),
        .tracing      (sequencer_tracing),
        .record_flush (sequencer_record_flush),
        .flushed      (sequencer_flushed),
        .clear        (sequencer_clear),
        .clear_index  (sequencer_clear_index)
    );

    mctraptor_large_n1_encoder encoders_0 (
        .clock           (clock),
        .reset           (reset),
        .clear           (sequencer_clear),
        .clear_index     (sequencer_clear_index),
        .retire          (encoders_0_retire),
        .count           (retire_count_0),
        .program_counter (retire_pc_0),
        .length          (retire_length_0),
        .branch_kind     (retire_kind_0),
        .call            (retire_call_0),
        .is_return       (retire_return_0),
        .taken           (retire_taken_0),
        .target          (retire_target_0),
        .flush           (encoders_0_flush),
        .ready           (encoders_0_ready),
        .is_empty        (encoders_0_is_empty),
        .record_valid    (encoders_0_record_valid),
        .record          (encoders_0_record),
        .record_ready    (merge_in_ready_0)
    );

    mctraptor_large_n1_merge merge (
        .clock        (clock),
        .reset        (reset),
        .in_valid_0   (encoders_0_record_valid),
        .in_record_0  (encoders_0_record),
        .in_ready_0   (merge_in_ready_0),
        .record_valid (merge_record_valid),
        .record       (merge_record),
        .record_ready (back_end_record_ready),
        .is_empty     (merge_is_empty)
    );

    mctraptor_large_n1_back_end back_end (
        .clock          (clock),
        .reset          (reset),
        .record_valid   (merge_record_valid),
        .record         (merge_record),
        .record_ready   (back_end_record_ready),
        .is_empty       (back_end_is_empty),
        .trace_data     (back_end_trace_data),
        .trace_valid    (back_end_trace_valid),
        .trace_ready    (trace_ready),
        .buffered_words (back_end_buffered_words)
    );

    assign all_ready = encoders_0_ready;

    always @* begin
        all_empty = merge_is_empty & back_end_is_empty;
        all_empty = all_empty & encoders_0_is_empty;
    end

    assign flushed = sequencer_flushed;
    assign stall_0 = !(sequencer_tracing & encoders_0_ready);
    assign encoders_0_flush = sequencer_record_flush & all_ready;
    assign encoders_0_retire = retire_valid_0 & !stall_0;
    assign trace_valid = back_end_trace_valid;
    assign trace_data = back_end_trace_data;
    assign buffered_words = back_end_buffered_words;

endmodule
