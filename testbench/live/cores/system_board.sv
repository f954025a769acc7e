// Two cores, each with a memory and devices of its own, before one trace system, whose registers a debugger of this file drives.
// Macros from the command line:
//   SYSTEM                  the system's module, whose harts are called first and second and have the pins of RVFI
//   CORE_0, CORE_1          the cores' modules
//   LANES_0, XLEN_0, BUS_0  of the first core what LANES, XLEN and BUS are in board.sv; the same of the second one
//   SINK_ON                 what switches the sink on by its control register; not there where it has none
//   SINK_RING, SINK_ATB, SINK_STREAM   what takes the trace
//
// +program0=FILE, +program1=FILE (words of the memories in hexadecimal), +log0=FILE, +log1=FILE (CSV: a row for each
// instruction), +ring=FILE (words of the ring, or bytes of the port, in hexadecimal), +rests=N (a hart or both are off in the funnel
// by turns of N cycles; 0: none is).

// A core with its memory and devices, and what it retires.
module hart #(
    parameter NUMBER = 0,
    parameter LANES = 1,
    parameter XLEN = 32,
    parameter BUS = 32
) (
    input  wire        clock,
    input  wire        reset,
    input  wire        hold,
    input  wire        stall,
    output wire [LANES-1:0]      valid,
    output wire [LANES-1:0]      trap,
    output wire [LANES-1:0]      interrupt,
    output wire [LANES*XLEN-1:0] pc,
    output wire [LANES*XLEN-1:0] next_pc,
    output wire [LANES*32-1:0]   word,
    output reg         over = 1'b0, // the program has ended, and the core stands
    output reg  [31:0] status = 32'd0,
    output reg  [31:0] instructions = 32'd0
);
    localparam WORDS = 262144 / (BUS / 8);
    localparam INDEX = $clog2(WORDS);
    localparam LOW = $clog2(BUS / 8);

    reg  [BUS-1:0]   memory [0:WORDS-1];
    reg  [BUS-1:0]   fetch_data, data_read;
    wire              fetch_request, data_request;
    wire [31:0]       fetch_address, data_address;
    wire [BUS/8-1:0] data_strobe;
    wire [BUS-1:0]   data_written;
    wire              is_device = data_address[31:12] == 20'(`DEVICES >> 12);
    wire              store = data_request && data_strobe != '0;
    // A wide bus shows by its strobes which of its words is stored.
    wire              is_high = BUS > 32 && data_strobe[3:0] == 4'd0;
    wire [7:0]        device = {data_address[7:LOW], LOW'(0)} + (is_high ? 8'd4 : 8'd0);
    wire [31:0]       device_word = data_written[(is_high ? 32 : 0) +: 32];
    reg               has_ended = 1'b0;
    reg  [12:0]       rest = 13'd0;
    reg  [31:0]       left = 32'd0;
    reg  [8:0]        quiet = 9'd0;
    reg               timer_interrupt = 1'b0;
    wire [31:0]       retires = 32'($countones(valid & ~trap));

    always @(posedge clock) begin
        if (fetch_request)
            fetch_data <= memory[fetch_address[LOW +: INDEX]];
        if (data_request) begin
            data_read <= memory[data_address[LOW +: INDEX]];
            for (int lane = 0; lane < BUS / 8; lane++)
                if (data_strobe[lane] && !is_device)
                    memory[data_address[LOW +: INDEX]][8*lane +: 8] <= data_written[8*lane +: 8];
        end
        if (store && is_device && device == 8'h04) begin
            has_ended <= 1'b1;
            status <= device_word;
        end
        // The timer counts instructions, and cycles where none retires for long: the core waits for it.
        quiet <= (|valid | stall | hold) ? 9'd0 : quiet == 9'h1ff ? 9'h1ff : quiet + 9'd1;
        if (store && is_device && device == 8'h18) begin
            timer_interrupt <= 1'b0;
            left <= device_word;
        end else if (left != 32'd0) begin
            if (left <= retires || quiet == 9'h1ff) begin
                timer_interrupt <= 1'b1;
                left <= 32'd0;
            end else
                left <= left - retires;
        end
        if (has_ended && rest != 13'h1fff)
            rest <= rest + 13'd1;
        over <= rest == 13'h1fff;
        instructions <= instructions + retires;
    end

    generate
        if (NUMBER == 0) begin : first
            `CORE_0 core (
                .clock(clock), .reset(reset), .hold(hold | stall | rest > 13'd40), .timer_interrupt(timer_interrupt),
                .fetch_request(fetch_request), .fetch_address(fetch_address), .fetch_data(fetch_data),
                .data_request(data_request), .data_address(data_address), .data_strobe(data_strobe),
                .data_written(data_written), .data_read(data_read),
                .valid(valid), .pc(pc), .word(word), .trap(trap), .interrupt(interrupt), .next_pc(next_pc),
                .compressed(), .number()
            );
        end else begin : second
            `CORE_1 core (
                .clock(clock), .reset(reset), .hold(hold | stall | rest > 13'd40), .timer_interrupt(timer_interrupt),
                .fetch_request(fetch_request), .fetch_address(fetch_address), .fetch_data(fetch_data),
                .data_request(data_request), .data_address(data_address), .data_strobe(data_strobe),
                .data_written(data_written), .data_read(data_read),
                .valid(valid), .pc(pc), .word(word), .trap(trap), .interrupt(interrupt), .next_pc(next_pc),
                .compressed(), .number()
            );
        end
    endgenerate

    string  file;
    integer log;
    initial begin
        if (!$value$plusargs($sformatf("program%0d=%%s", NUMBER), file)) $fatal(1, "+program");
        $readmemh(file, memory);
        if (!$value$plusargs($sformatf("log%0d=%%s", NUMBER), file)) $fatal(1, "+log");
        log = $fopen(file, "w");
        $fwrite(log, "rvfi_trap,rvfi_pc_rdata\n");
    end
    always @(posedge clock)
        for (int lane = 0; lane < LANES; lane++)
            if (valid[lane] && !reset)
                $fwrite(log, "%0d,%h\n", trap[lane], pc[XLEN*lane +: XLEN]);
    final $fclose(log);
endmodule

module board (
    input wire clock
);
    reg  [7:0] resetting = 8'd0;
    wire       reset = resetting != 8'hff;
    always @(posedge clock)
        resetting <= resetting == 8'hff ? 8'hff : resetting + 8'd1;

    reg         hold = 1'b1;
    wire [1:0]  stall, lost, over;
    wire [63:0] status, instructions;
    wire [`LANES_0-1:0]          first_valid, first_trap, first_interrupt;
    wire [`LANES_0*`XLEN_0-1:0]  first_pc, first_next;
    wire [`LANES_0*32-1:0]       first_word;
    wire [`LANES_1-1:0]          second_valid, second_trap, second_interrupt;
    wire [`LANES_1*`XLEN_1-1:0]  second_pc, second_next;
    wire [`LANES_1*32-1:0]       second_word;
    hart #(.NUMBER(0), .LANES(`LANES_0), .XLEN(`XLEN_0), .BUS(`BUS_0)) first (
        .clock(clock), .reset(reset), .hold(hold), .stall(stall[0]), .valid(first_valid), .trap(first_trap),
        .interrupt(first_interrupt), .pc(first_pc), .next_pc(first_next), .word(first_word), .over(over[0]),
        .status(status[31:0]), .instructions(instructions[31:0])
    );
    hart #(.NUMBER(1), .LANES(`LANES_1), .XLEN(`XLEN_1), .BUS(`BUS_1)) second (
        .clock(clock), .reset(reset), .hold(hold), .stall(stall[1]), .valid(second_valid), .trap(second_trap),
        .interrupt(second_interrupt), .pc(second_pc), .next_pc(second_next), .word(second_word), .over(over[1]),
        .status(status[63:32]), .instructions(instructions[63:32])
    );

    reg         psel = 1'b0, penable = 1'b0, pwrite = 1'b0;
    reg  [17:0] paddr = 18'd0;
    reg  [31:0] pwdata = 32'd0;
    wire        pready, pslverr;
    wire [31:0] prdata;
    `SYSTEM trace (
        .clock(clock), .reset(reset),
        .psel(psel), .penable(penable), .pwrite(pwrite), .paddr(paddr), .pwdata(pwdata), .pstrb(4'hf), .pprot(3'd0),
        .pready(pready), .prdata(prdata), .pslverr(pslverr),
`ifdef SINK_STREAM
        .m_axis_tdata(beat), .m_axis_tvalid(beat_valid), .m_axis_tlast(), .m_axis_tready(beat_ready),
`endif
`ifdef SINK_ATB
        .atid(), .atdata(beat), .atvalid(beat_valid), .atready(beat_ready), .afvalid(1'b0), .afready(),
`endif
        .first_rvfi_valid(first_valid & {`LANES_0{!reset}}), .first_rvfi_insn(first_word), .first_rvfi_trap(first_trap),
        .first_rvfi_intr(first_interrupt), .first_rvfi_pc_rdata(first_pc), .first_rvfi_pc_wdata(first_next),
        .first_stall(stall[0]), .first_lost(lost[0]), .first_drops(), .first_sync_request(1'b0), .first_synchronised(),
        .first_buffered_words(),
        .second_rvfi_valid(second_valid & {`LANES_1{!reset}}), .second_rvfi_insn(second_word), .second_rvfi_trap(second_trap),
        .second_rvfi_intr(second_interrupt), .second_rvfi_pc_rdata(second_pc), .second_rvfi_pc_wdata(second_next),
        .second_stall(stall[1]), .second_lost(lost[1]), .second_drops(), .second_sync_request(1'b0),
        .second_synchronised(), .second_buffered_words()
    );

    // What takes the bytes of a port is not always ready.
    reg  [15:0] random = 16'd1;
    wire [7:0]  beat;
    wire        beat_valid;
    reg         beat_ready = 1'b0;
`ifdef SINK_RING
    assign {beat, beat_valid} = 9'd0;
`endif
    always @(posedge clock) begin
        random <= {random[14:0], random[15] ^ random[13] ^ random[12] ^ random[10]};
        beat_ready <= random[2:0] != 3'd0;
        if (beat_valid && beat_ready)
            $fwrite(ring, "%h\n", beat);
    end

    // What the debugger does, one step after the other: the address, what is written or waited for, and which bits are.
    localparam [1:0] WRITE = 2'd0, WAIT = 2'd1, RUN = 2'd2, READ = 2'd3;
    reg  [5:0]  step = 6'd0;
    reg  [1:0]  kind;
    reg  [17:0] address;
    reg  [31:0] value, mask;
    always @* begin
        {kind, address, value, mask} = {WRITE, 18'd0, 32'd0, 32'd0};
        case (step)
            0: {address, value} = {18'h21000, 32'h1};
            1: {address, value} = {18'h21000, `SINK_ON};
            2: {address, value} = {18'h20000, 32'h1};
            3: {address, value} = {18'h20000, 32'h3};
            4: {address, value} = {18'h00000, 32'h1};
            5: {address, value} = {18'h00000, 32'h77};
            6: {address, value} = {18'h10000, 32'h1};
            7: {address, value} = {18'h10000, 32'h77};
            8: {kind, address, value, mask} = {WAIT, 18'h00e00, 32'h1, 32'h1};
            9: {kind, address, value, mask} = {WAIT, 18'h10e00, 32'h1, 32'h1};
            // The cores run, and are off in the funnel by turns.
            10: {kind, address, value} = {RUN, 18'h20008, turn};
            11: {address, value} = {18'h20008, 32'h0};
            12: {address, value} = {18'h00000, 32'h1};
            13: {kind, address, value, mask} = {WAIT, 18'h00000, 32'h8, 32'h8};
            14: {address, value} = {18'h10000, 32'h1};
            15: {kind, address, value, mask} = {WAIT, 18'h10000, 32'h8, 32'h8};
            16: {address, value} = {18'h20000, 32'h1};
            17: {kind, address, value, mask} = {WAIT, 18'h20000, 32'h8, 32'h8};
            18: {address, value} = {18'h21000, 32'h1};
            19: {kind, address, value, mask} = {WAIT, 18'h21000, 32'h8, 32'h8};
            20: {kind, address} = {WAIT, 18'h21020};
            21: {address, value} = {18'h21028, 32'h0};
            22: {kind, address} = {READ, 18'h21040};
            default: ;
        endcase
    end

    integer     rests = 0, waited = 0, ring;
    reg  [31:0] turn = 32'd0, pointer = 32'd0, words = 32'd0, found;
    reg         was_lost = 1'b0;
    longint     cycles = 0;
    string      file;
    initial begin
        void'($value$plusargs("rests=%d", rests));
        if (!$value$plusargs("ring=%s", file)) $fatal(1, "+ring");
        ring = $fopen(file, "w");
    end

`ifdef SINK_RING
    wire is_last = 1'b0;
`else
    wire is_last = step == 6'd20; // what the sink holds is still taken
`endif
    wire is_due = rests != 0 && waited >= rests;
    wire accesses = !is_last && (kind != RUN || &over || is_due);
`ifdef SINK_RING
    wire is_over = kind == READ && words == pointer[31:2];
`else
    wire is_over = is_last && waited > 1000;
`endif
    // Steps that not every sink has.
`ifdef SINK_STREAM
    wire is_skipped = step < 2 || step == 18 || step == 19;
`else
    wire is_skipped = 1'b0;
`endif
    always @(posedge clock) if (!reset) begin
        cycles <= cycles + 1;
        was_lost <= was_lost | (|lost);
        hold <= step < 10;
        waited <= waited + 1;
        if (!psel && is_skipped) begin
            step <= step + 6'd1;
            waited <= 0;
        end else if (!psel && kind == RUN && &over)
            step <= 6'd11;
        else if (!psel && is_over) begin
            $display("status=%0d second_status=%0d cycles=%0d instructions=%0d second_instructions=%0d", status[31:0],
                status[63:32], cycles, instructions[31:0], instructions[63:32]);
            $display("pointer=%0d lost=%0d ended=1", pointer, was_lost);
            $fclose(ring);
            $finish;
        end else if (!psel && accesses) begin
            {psel, pwrite} <= {1'b1, kind == WRITE || kind == RUN};
            {paddr, pwdata} <= {address, value};
        end else if (psel && !penable)
            penable <= 1'b1;
        else if (psel && pready) begin
            {psel, penable} <= 2'b00;
            if (pslverr) $fatal(1, "the access to %h is an error", paddr);
            case (kind)
                WRITE: begin
                    step <= step + 6'd1;
                    waited <= 0;
                end
                WAIT: begin
                    if (step == 20) pointer <= prdata;
                    if ((prdata & mask) == value) begin
                        step <= step + 6'd1;
                        waited <= 0;
                    end
                end
                RUN: begin
                    turn <= turn == 32'd3 ? 32'd0 : turn + 32'd1;
                    waited <= 0;
                end
                READ: begin
                    $fwrite(ring, "%h\n", prdata);
                    words <= words + 32'd1;
                end
            endcase
        end
    end
endmodule
