// A small trace module with the pins of docs/hardware.md, to test the testbench with.
//
// Every block that may change the flow makes a record of 13 bits from its pins, from the instructions
// since the last record and from a table in memory that a sweep clears after reset. Macros choose the
// port width, the reset, and one of several faults.
`ifndef TRACE_PORT_WIDTH
`define TRACE_PORT_WIDTH 1
`endif
`ifndef ADDRESS_WIDTH
`define ADDRESS_WIDTH 32
`endif
`ifndef COUNT_WIDTH
`define COUNT_WIDTH 4
`endif
`ifdef ASYNCHRONOUS
`define EDGES posedge clock or negedge reset_n
`define RESET !reset_n
`else
`define EDGES posedge clock
`define RESET reset
`endif

module toy_trace (
    input clock,
`ifdef ASYNCHRONOUS
    input reset_n,
`else
    input reset,
`endif
    input retire_valid,
    input [`COUNT_WIDTH-1:0] retire_count,
    input [`ADDRESS_WIDTH-1:0] retire_pc,
    input [3:0] retire_length,
    input [2:0] retire_kind,
    input retire_call,
    input retire_return,
    input retire_taken,
    input [`ADDRESS_WIDTH-1:0] retire_target,
    output stall,
    output [`TRACE_PORT_WIDTH-1:0] trace_data,
    output trace_valid,
    input trace_ready,
    input flush,
    output flushed,
    output [7:0] buffered_words
);
    localparam WIDTH = `TRACE_PORT_WIDTH;
    localparam WORD = WIDTH * ((8 + WIDTH - 1) / WIDTH);
    localparam IDLE = 2'd0, RECORD = 2'd1, DRAIN = 2'd2, DONE = 2'd3;

    reg [2:0] table_memory [0:63];
    reg sweeping;
    reg [5:0] sweep_index;
    reg [255:0] buffer;
    reg [8:0] fill;
    reg [6:0] phase;
    reg [3:0] instructions;
    reg [1:0] state;

`ifdef FAULT_NEVER_STARTS
    assign stall = 1'b1;
`elsif FAULT_STALL_FOLLOWS_VALID
    assign stall = sweeping | (state != IDLE) | (fill > 128) | (retire_valid & retire_pc[6]);
`else
    assign stall = sweeping | (state != IDLE) | (fill > 128);
`endif
    assign trace_valid = fill >= WIDTH;
    assign trace_data = buffer[WIDTH-1:0];
`ifdef FAULT_NEVER_FLUSHED
    assign flushed = 1'b0;
`elsif FAULT_FLUSHED_EARLY
    assign flushed = (state == DONE) | (state == RECORD);
`else
    assign flushed = state == DONE;
`endif
    assign buffered_words = fill / WORD;

`ifdef FAULT_FLUSH_DROPS_BLOCK
    wire take = retire_valid & !stall & !flush;
`else
    wire take = retire_valid & !stall;
`endif
    wire control_flow = retire_kind != 3'd0;
    wire [3:0] total = instructions + retire_count;
    wire [5:0] index = retire_pc[7:2];
    wire [2:0] visits = table_memory[index];
    wire branch = retire_kind != 3'd5;
`ifdef FAULT_EXCEPTION_CALLS
    wire call = retire_call;
`else
    wire call = branch & retire_call;
`endif
    wire is_return = branch & retire_return;
    wire taken = !branch | retire_taken;
`ifdef FAULT_UNTAKEN_TARGET
    wire [2:0] jump = retire_target[4:2];
`else
    wire [2:0] jump = taken ? retire_target[4:2] : 3'd0;
`endif
    wire [2:0] length = call ? retire_length[2:0] : 3'd0;
    wire [12:0] flow_record = {jump ^ length, is_return, call, taken, visits, total};
    wire push_flow = take & control_flow;
    wire push_flush = state == RECORD;
    wire push = push_flow | push_flush;
    wire [12:0] record = push_flush ? {9'b101010101, instructions} : flow_record;

    wire pop = trace_valid & trace_ready;
    wire [255:0] kept = pop ? buffer >> WIDTH : buffer;
    wire [8:0] kept_fill = pop ? fill - WIDTH : fill;
    wire [6:0] next_phase = (phase + 13) % WORD;
    wire [6:0] padding = (push_flush && next_phase != 0) ? WORD - next_phase : 0;

`ifndef FAULT_NO_SWEEP
    always @(posedge clock)
        if (sweeping) table_memory[sweep_index] <= 3'd0;
        else if (push_flow) table_memory[index] <= visits + 3'd1;
`else
    always @(posedge clock)
        if (push_flow) table_memory[index] <= visits + 3'd1;
`endif

    always @(`EDGES)
        if (`RESET) begin
            sweeping <= 1'b1;
            sweep_index <= 6'd0;
            buffer <= 256'd0;
            fill <= 9'd0;
            phase <= 7'd0;
            instructions <= 4'd0;
            state <= IDLE;
        end else begin
            sweep_index <= sweep_index + 6'd1;
            if (sweep_index == 6'd63) sweeping <= 1'b0;
            if (take) instructions <= control_flow ? 4'd0 : total;
            if (push_flush) instructions <= 4'd0;
            if (push) phase <= push_flush ? 7'd0 : next_phase;
            buffer <= push ? kept | ({243'd0, record} << kept_fill) : kept;
`ifdef FAULT_RARE
            if (push_flow & retire_pc[11:2] == 10'h155 & taken)
                buffer <= kept | ({243'd0, record ^ 13'h080} << kept_fill);
`endif
`ifdef FAULT_DATA_MOVES
            if (trace_valid & !trace_ready & fill == 100) buffer <= buffer ^ 256'd1;
`endif
            fill <= kept_fill + (push ? 9'd13 + padding : 9'd0);
            case (state)
                IDLE: if (flush & !sweeping) state <= RECORD;
                RECORD: state <= DRAIN;
                DRAIN: if (fill == 0) state <= DONE;
                DONE: if (!flush) state <= IDLE;
            endcase
        end
endmodule
