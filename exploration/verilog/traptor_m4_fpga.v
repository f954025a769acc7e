// traptor-m4-fpga of Tracewright, scheme traptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 79
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = true
//   reset = synchronous
//   gshare_entries = 512
//   gshare_history_bits = 9
//   pc_shift = 4
//   return_address_stack_depth = 8
//   indirect_branch_target_buffer_entries = 64
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 13
//   elided_upper_bits = 12
//   branch_count_bits = 11
//   branch_count_first_chunk = 3
//   branch_count_next_chunk = 1
//   instruction_count_bits = 17
//   instruction_count_first_chunk = 2
//   instruction_count_next_chunk = 2
//   target_first_chunk = 5
//   target_next_chunk = 5
//   outcome_bit_for_jumps = true
//   memory_style = synchronous
// traptor

module traptor_m4_fpga (
    input  wire        clock,
    input  wire        reset,
    input  wire        retire_valid, // a block retires in this clock
    input  wire [3:0]  retire_count, // its instructions
    input  wire [31:0] retire_pc, // byte address of its last instruction
    input  wire [3:0]  retire_length, // length of that in bytes
    input  wire [2:0]  retire_kind, // 0 sequential, 1 jump, 2 branch, 3 indirect, 4 both, 5 exception
    input  wire        retire_call, // it leaves a return address
    input  wire        retire_return, // it goes back to one
    input  wire        retire_taken, // the flow changed
    input  wire [31:0] retire_target, // where to, if taken
    output wire        stall, // the block of this clock is not taken
    input  wire        flush, // level: end the trace here
    output wire        flushed, // everything is out
    output wire        trace_data, // trace bits, bit 0 first
    output wire        trace_valid,
    input  wire        trace_ready,
    output wire [3:0]  buffered_words // trace words in the output FIFO
);

    wire        sequencer_is_empty;
    wire        sequencer_tracing;
    wire        sequencer_record_flush;
    wire        sequencer_flushed;
    wire        sequencer_clear;
    wire [8:0]  sequencer_clear_index;
    wire        encoder_retire;
    wire        encoder_flush;
    wire        encoder_ready;
    wire        encoder_is_empty;
    wire        encoder_record_valid;
    wire [56:0] encoder_record;
    wire        back_end_record_ready;
    wire        back_end_is_empty;
    wire        back_end_trace_data;
    wire        back_end_trace_valid;
    wire [3:0]  back_end_buffered_words;

    traptor_m4_fpga_sequencer sequencer (
        .clock        (clock),
        .reset        (reset),
        .flush        (flush),
        .ready        (encoder_ready),
        .is_empty     (sequencer_is_empty),
        .tracing      (sequencer_tracing),
        .record_flush (sequencer_record_flush),
        .flushed      (sequencer_flushed),
        .clear        (sequencer_clear),
        .clear_index  (sequencer_clear_index)
    );

    traptor_m4_fpga_encoder encoder (
        .clock           (clock),
        .reset           (reset),
        .clear           (sequencer_clear),
        .clear_index     (sequencer_clear_index),
        .retire          (encoder_retire),
        .count           (retire_count),
        .program_counter (retire_pc),
        .length          (retire_length),
        .branch_kind     (retire_kind),
        .call            (retire_call),
        .is_return       (retire_return),
        .taken           (retire_taken),
        .target          (retire_target),
        .flush           (encoder_flush),
        .ready           (encoder_ready),
        .is_empty        (encoder_is_empty),
        .record_valid    (encoder_record_valid),
        .record          (encoder_record),
        .record_ready    (back_end_record_ready)
    );

    traptor_m4_fpga_back_end back_end (
        .clock          (clock),
        .reset          (reset),
        .record_valid   (encoder_record_valid),
        .record         (encoder_record),
        .record_ready   (back_end_record_ready),
        .is_empty       (back_end_is_empty),
        .trace_data     (back_end_trace_data),
        .trace_valid    (back_end_trace_valid),
        .trace_ready    (trace_ready),
        .buffered_words (back_end_buffered_words)
    );

    assign sequencer_is_empty = encoder_is_empty & back_end_is_empty;
    assign flushed = sequencer_flushed;
    assign stall = !(sequencer_tracing & encoder_ready);
    assign encoder_flush = sequencer_record_flush & encoder_ready;
    assign encoder_retire = retire_valid & !stall;
    assign trace_valid = back_end_trace_valid;
    assign trace_data = back_end_trace_data;
    assign buffered_words = back_end_buffered_words;

endmodule
