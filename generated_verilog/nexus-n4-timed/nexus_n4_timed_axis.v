// AXI4-Stream port for nexus-n4-timed of Tracewright, made by `tracewright generate`.

// Sends the trace to an AXI4-Stream subordinate
module nexus_n4_timed_axi_stream (
    input  wire        clock,
    input  wire        reset,
    input  wire [15:0] trace_data,
    input  wire        trace_valid,
    output wire        trace_ready,
    input  wire        trace_flushed, // all of the trace has left the module
    output wire        flushed,
    output wire [15:0] m_axis_tdata, // the trace, bit 0 first
    output wire        m_axis_tvalid, // there is a beat
    output wire        m_axis_tlast, // it is the last one before a flush
    input  wire        m_axis_tready // the beat is taken
);

    reg  [15:0] held; // the beat that waits
    reg         held_valid; // there is one
    reg         held_last; // it was offered as the last one, which it then stays
    wire        is_last;
    wire        is_offered;

    assign is_last = held_last | (trace_flushed & !trace_valid);
    assign is_offered = held_valid & (trace_valid | is_last);
    assign flushed = trace_flushed & !held_valid;
    assign m_axis_tvalid = is_offered;
    assign m_axis_tlast = is_last;
    assign m_axis_tdata = held;
    assign trace_ready = !held_valid | m_axis_tready;

    always @(posedge clock) begin
        if (reset) begin
            held <= 16'd0;
            held_valid <= 1'b0;
            held_last <= 1'b0;
        end else begin
            held_last <= is_offered & is_last & !m_axis_tready;
            if (trace_valid & trace_ready) begin
                held <= trace_data;
                held_valid <= 1'b1;
            end else if (is_offered & m_axis_tready) begin
                held_valid <= 1'b0;
            end
        end
    end

endmodule

// nexus-n4-timed with its trace port as an AXI4-Stream master, and AXI4-Stream clock and reset. A beat of
// trace_data is the lowest 16 of the 16 bits of m_axis_tdata; the bits above are 0. The last beat of
// a flush has m_axis_tlast, for which a beat waits until the next one follows or the flush ends; then flushed rises.
module nexus_n4_timed_axis (
    input  wire        aclk,
    input  wire        aresetn,
    input  wire        retire_valid_0,
    input  wire [3:0]  retire_count_0,
    input  wire [31:0] retire_pc_0,
    input  wire [3:0]  retire_length_0,
    input  wire [2:0]  retire_kind_0,
    input  wire        retire_call_0,
    input  wire        retire_return_0,
    input  wire        retire_taken_0,
    input  wire [31:0] retire_target_0,
    input  wire        retire_valid_1,
    input  wire [3:0]  retire_count_1,
    input  wire [31:0] retire_pc_1,
    input  wire [3:0]  retire_length_1,
    input  wire [2:0]  retire_kind_1,
    input  wire        retire_call_1,
    input  wire        retire_return_1,
    input  wire        retire_taken_1,
    input  wire [31:0] retire_target_1,
    input  wire        retire_valid_2,
    input  wire [3:0]  retire_count_2,
    input  wire [31:0] retire_pc_2,
    input  wire [3:0]  retire_length_2,
    input  wire [2:0]  retire_kind_2,
    input  wire        retire_call_2,
    input  wire        retire_return_2,
    input  wire        retire_taken_2,
    input  wire [31:0] retire_target_2,
    input  wire        retire_valid_3,
    input  wire [3:0]  retire_count_3,
    input  wire [31:0] retire_pc_3,
    input  wire [3:0]  retire_length_3,
    input  wire [2:0]  retire_kind_3,
    input  wire        retire_call_3,
    input  wire        retire_return_3,
    input  wire        retire_taken_3,
    input  wire [31:0] retire_target_3,
    output wire        stall_0,
    output wire        stall_1,
    output wire        stall_2,
    output wire        stall_3,
    input  wire        flush,
    output wire        flushed,
    output wire [4:0]  buffered_words,
    output wire [15:0] m_axis_tdata,
    output wire        m_axis_tvalid,
    output wire        m_axis_tlast,
    input  wire        m_axis_tready
);

    wire [15:0] trace_data;
    wire        trace_valid;
    wire        trace_ready;
    wire        trace_flushed;
    wire        is_offered; // the bus wants valid low from the first moment of the reset

    nexus_n4_timed_axi_stream sink (
        .clock         (aclk),
        .reset         (!aresetn),
        .trace_data    (trace_data),
        .trace_valid   (trace_valid),
        .trace_ready   (trace_ready),
        .trace_flushed (trace_flushed),
        .flushed       (flushed),
        .m_axis_tdata  (m_axis_tdata),
        .m_axis_tvalid (is_offered),
        .m_axis_tlast  (m_axis_tlast),
        .m_axis_tready (m_axis_tready)
    );

    nexus_n4_timed trace_module (
        .clock           (aclk),
        .reset           (!aresetn),
        .retire_valid_0  (retire_valid_0),
        .retire_count_0  (retire_count_0),
        .retire_pc_0     (retire_pc_0),
        .retire_length_0 (retire_length_0),
        .retire_kind_0   (retire_kind_0),
        .retire_call_0   (retire_call_0),
        .retire_return_0 (retire_return_0),
        .retire_taken_0  (retire_taken_0),
        .retire_target_0 (retire_target_0),
        .retire_valid_1  (retire_valid_1),
        .retire_count_1  (retire_count_1),
        .retire_pc_1     (retire_pc_1),
        .retire_length_1 (retire_length_1),
        .retire_kind_1   (retire_kind_1),
        .retire_call_1   (retire_call_1),
        .retire_return_1 (retire_return_1),
        .retire_taken_1  (retire_taken_1),
        .retire_target_1 (retire_target_1),
        .retire_valid_2  (retire_valid_2),
        .retire_count_2  (retire_count_2),
        .retire_pc_2     (retire_pc_2),
        .retire_length_2 (retire_length_2),
        .retire_kind_2   (retire_kind_2),
        .retire_call_2   (retire_call_2),
        .retire_return_2 (retire_return_2),
        .retire_taken_2  (retire_taken_2),
        .retire_target_2 (retire_target_2),
        .retire_valid_3  (retire_valid_3),
        .retire_count_3  (retire_count_3),
        .retire_pc_3     (retire_pc_3),
        .retire_length_3 (retire_length_3),
        .retire_kind_3   (retire_kind_3),
        .retire_call_3   (retire_call_3),
        .retire_return_3 (retire_return_3),
        .retire_taken_3  (retire_taken_3),
        .retire_target_3 (retire_target_3),
        .stall_0         (stall_0),
        .stall_1         (stall_1),
        .stall_2         (stall_2),
        .stall_3         (stall_3),
        .flush           (flush),
        .flushed         (trace_flushed),
        .trace_data      (trace_data),
        .trace_valid     (trace_valid),
        .trace_ready     (trace_ready),
        .buffered_words  (buffered_words)
    );

    assign m_axis_tvalid = aresetn & is_offered;

endmodule
