// A FIFO keeps every word, in order, and says rightly whether it has a word and whether it has room. Any word can be
// the marked one, so what holds for it holds for all.
//
// RESERVE words may come after in_ready has fallen, as the contract of such a FIFO says. The last four assertions are
// about its registers: with them the others follow by induction.
module proof (
    input                     clock,
    input                     reset,
    input                     in_valid,
    input  [`FIFO_in_word-1:0] in_word,
    input                     out_ready,
    input                     marks
);

    localparam WIDTH = `FIFO_in_word;
    localparam ALL = `DEPTH + `RESERVE;

    wire                           in_ready;
    wire                           out_valid;
    wire [WIDTH-1:0]               out_word;
    wire [`FIFO_write_pointer-1:0] write_pointer;
    wire [`FIFO_read_pointer-1:0]  read_pointer;
    wire [ALL*WIDTH-1:0]           cells;

    `FIFO dut (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (in_valid),
        .in_word   (in_word),
        .in_ready  (in_ready),
        .out_valid (out_valid),
        .out_word  (out_word),
        .out_ready (out_ready)
    );

    reg             started = 1'b0;
    reg [7:0]       held;
    reg [7:0]       late;
    reg             marked;
    reg [7:0]       ahead;
    reg [WIDTH-1:0] value;

    wire       puts = in_valid && (in_ready || `RESERVE > 0);
    wire       takes = out_valid && out_ready;
    wire [7:0] write_at = read_pointer + held;
    wire [7:0] marked_at = read_pointer + ahead;
    wire [7:0] marked_cell = marked_at >= ALL ? marked_at - ALL : marked_at;

    always @(posedge clock) begin
        started <= 1'b1;
        held <= held + puts - takes;
        late <= in_ready ? 8'd0 : late + puts;
        if (!marked && marks && puts) begin
            marked <= 1'b1;
            ahead <= held - takes;
            value <= in_word;
        end else if (marked && takes) begin
            marked <= ahead != 0;
            ahead <= ahead - 8'd1;
        end
        if (reset) begin
            held <= 8'd0;
            late <= 8'd0;
            marked <= 1'b0;
        end
    end

    integer cell;
    always @* begin
        assume (started || reset);
        assume (`RESERVE == 0 || !in_valid || in_ready || late < `RESERVE);
        if (started) begin
            assert (in_ready == (held < `DEPTH));
            assert (out_valid == (held != 0));
            assert (!marked || ahead != 0 || out_word == value);
            assert (held <= ALL && late <= `RESERVE && (in_ready || held <= `DEPTH + late));
            assert (!marked || ahead < held);
            assert (read_pointer < ALL && write_pointer == (write_at >= ALL ? write_at - ALL : write_at));
            for (cell = 0; cell < ALL; cell = cell + 1) begin
                assert (!marked || marked_cell != cell || cells[cell*WIDTH +: WIDTH] == value);
            end
        end
    end

`ifdef FIFO_held
    wire [`FIFO_held-1:0] dut_held;

    always @* begin
        if (started) assert (dut_held == held);
    end
`endif

endmodule
