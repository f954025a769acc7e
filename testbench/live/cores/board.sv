// A core, its memory and devices, and a trace unit on its retirement port. Macros from the command line:
//   LANES, XLEN, BUS    instructions per cycle, width of addresses, width of the memory
//   MEMORY, DEVICES     addresses of 256 KiB of memory and of the devices of workloads/programs/board.h
//   ITYPE               with the trace ingress port, the width of itype
//   UNIT, PINS_...      the unit's module; its pins: PINS_RVFI, PINS_TIP, or PINS_RETIRED with those that it has
//
// +program=FILE (words of the memory in hexadecimal), +log=FILE (CSV: a row for each instruction), +bits=FILE (the
// trace, a line for each beat), +pauses=N (the sink takes a beat in one of N cycles, so that the unit stops the core
// often), +settle=N (cycles in which a core that is held comes to rest).

module board (
    input wire clock
);

    localparam WORDS = 262144 / (`BUS / 8);
    localparam INDEX = $clog2(WORDS);
    localparam LOW = $clog2(`BUS / 8);

    reg  [7:0] resetting = 8'd0;
    wire       reset = resetting != 8'hff;
    reg        over = 1'b0;
    reg        held = 1'b0; // the program has ended
    wire       stall, lost;

    // Memory and devices.
    reg  [`BUS-1:0]   memory [0:WORDS-1];
    reg  [`BUS-1:0]   fetch_data, data_read;
    wire              fetch_request, data_request;
    wire [31:0]       fetch_address, data_address;
    wire [`BUS/8-1:0] data_strobe;
    wire [`BUS-1:0]   data_written;
    wire              is_device = data_address[31:12] == 20'(`DEVICES >> 12);
    // A wide bus shows by its strobes which of its words is stored.
    wire              is_high = `BUS > 32 && data_strobe[3:0] == 4'd0;
    wire [7:0]        device = {data_address[7:LOW], LOW'(0)} + (is_high ? 8'd4 : 8'd0);
    wire [31:0]       device_word = data_written[(is_high ? 32 : 0) +: 32];
    wire              store = data_request && data_strobe != '0;
    wire              timer_store = store && is_device && device == 8'h18;
    reg  [31:0]       status = 32'd0;

    always @(posedge clock) begin
        resetting <= resetting == 8'hff ? 8'hff : resetting + 8'd1;
        if (fetch_request)
            fetch_data <= memory[fetch_address[LOW +: INDEX]];
        if (data_request) begin
            data_read <= memory[data_address[LOW +: INDEX]];
            for (int lane = 0; lane < `BUS / 8; lane++)
                if (data_strobe[lane] && !is_device)
                    memory[data_address[LOW +: INDEX]][8*lane +: 8] <= data_written[8*lane +: 8];
        end
        if (store && is_device && device == 8'h00)
            $write("%c", device_word[7:0]);
        if (store && is_device && device == 8'h04) begin
            over <= 1'b1;
            status <= device_word;
        end
    end

    // The timer counts instructions, and cycles where none retires for long: the core waits for it.
    wire [`LANES-1:0]        valid, trap, interrupt, compressed;
    wire [`LANES*`XLEN-1:0]  pc, next_pc;
    wire [`LANES*32-1:0]     word;
    wire [`LANES*3-1:0]      number;
    wire [31:0]              retired = 32'($countones(valid & ~trap));
    reg  [31:0]              left = 32'd0;
    reg  [8:0]               quiet = 9'd0;
    reg                      timer_interrupt = 1'b0;
    always @(posedge clock) begin
        quiet <= (|valid | stall) ? 9'd0 : quiet == 9'h1ff ? 9'h1ff : quiet + 9'd1;
        if (timer_store) begin
            timer_interrupt <= 1'b0;
            left <= device_word;
        end else if (left != 32'd0) begin
            if (left <= retired || quiet == 9'h1ff) begin
                timer_interrupt <= 1'b1;
                left <= 32'd0;
            end else
                left <= left - retired;
        end
    end

`ifdef PINS_TIP
    wire [`LANES*`ITYPE-1:0] itype;
    wire [`LANES*`XLEN-1:0]  iaddr;
    wire [`LANES-1:0]        iretire, ilastsize;
`endif
    core core (
`ifdef PINS_TIP
        .itype(itype), .iaddr(iaddr), .iretire(iretire), .ilastsize(ilastsize),
`endif
        .clock(clock), .reset(reset), .hold(stall | held), .timer_interrupt(timer_interrupt),
        .fetch_request(fetch_request), .fetch_address(fetch_address), .fetch_data(fetch_data),
        .data_request(data_request), .data_address(data_address), .data_strobe(data_strobe),
        .data_written(data_written), .data_read(data_read),
        .valid(valid), .pc(pc), .word(word), .trap(trap), .interrupt(interrupt), .next_pc(next_pc),
        .compressed(compressed), .number(number)
    );

    // The unit.
    reg  flush = 1'b0;
    reg  trace_ready = 1'b0;
    reg  [15:0] random = 16'd1;
    wire flushed, trace_data, trace_valid;
    `UNIT trace (
        .clock(clock), .reset(reset),
`ifdef PINS_RVFI
        .rvfi_valid(valid & {`LANES{!reset}}), .rvfi_insn(word), .rvfi_trap(trap), .rvfi_intr(interrupt),
        .rvfi_pc_rdata(pc), .rvfi_pc_wdata(next_pc),
`endif
`ifdef PINS_TIP
        .tip_itype(itype & {`LANES*`ITYPE{!reset}}), .tip_iaddr(iaddr), .tip_iretire(iretire & {`LANES{!reset}}),
        .tip_ilastsize(ilastsize),
`endif
`ifdef PINS_RETIRED
        .retired_valid(valid & {`LANES{!reset}}), .retired_pc(pc), .retired_word(word),
`endif
`ifdef PIN_TRAP
        .retired_trap(trap),
`endif
`ifdef PIN_INTERRUPT
        .retired_interrupt(interrupt),
`endif
`ifdef PIN_NEXT
        .retired_next_pc(next_pc),
`endif
`ifdef PIN_NUMBER
        .retired_number(number),
`endif
`ifdef PIN_COMPRESSED
`ifdef PINS_RVFI
        .rvfi_compressed(compressed),
`else
        .retired_compressed(compressed),
`endif
`endif
        .stall(stall), .lost(lost), .flush(flush), .flushed(flushed),
        .trace_data(trace_data), .trace_valid(trace_valid), .trace_ready(trace_ready), .buffered_words()
    );

    // What is written down.
    string  file;
    integer log, bits, settle = 4000, pauses = 1;
    initial begin
        if (!$value$plusargs("program=%s", file)) $fatal(1, "+program");
        $readmemh(file, memory);
        if (!$value$plusargs("log=%s", file)) $fatal(1, "+log");
        log = $fopen(file, "w");
        if (!$value$plusargs("bits=%s", file)) $fatal(1, "+bits");
        bits = $fopen(file, "w");
        void'($value$plusargs("settle=%d", settle));
        void'($value$plusargs("pauses=%d", pauses));
        $fwrite(log, "rvfi_order,rvfi_insn,rvfi_trap,rvfi_intr,rvfi_pc_rdata,rvfi_pc_wdata,");
        $fwrite(log, "compressed,lane,cycle,stall\n");
    end

    // The first lane that has the number looked for, if lanes are not in program order.
    function automatic int lane_of(input int place);
        lane_of = place;
`ifdef PIN_NUMBER
        for (int lane = 0; lane < `LANES; lane++)
            if (valid[lane] && number[3*lane +: 3] == 3'(32'(order) + place))
                lane_of = lane;
`endif
    endfunction

    int        rest = 0;
    longint    order = 0, cycles = 0, instructions = 0, traps = 0, interrupts = 0, stalls = 0, stall_cycles = 0;
    longint    late = 0, late_most = 0, bits_sent = 0, wide = 0, idle = 0;
    reg        was_stalled = 1'b1;
    reg        was_interrupt = 1'b0;
    always @(posedge clock) begin
        random <= {random[14:0], random[15] ^ random[13] ^ random[12] ^ random[10]};
        trace_ready <= 32'(random) % pauses == 0 || over;
        if (trace_valid && trace_ready) begin
            $fwrite(bits, "%b\n", trace_data);
            bits_sent <= bits_sent + 1;
        end
        if (!reset) begin
            cycles <= cycles + 1;
            for (int place = 0; place < `LANES; place++) begin
                automatic int lane = lane_of(place);
                if (valid[lane])
                    $fwrite(log, "%0d,%h,%0d,%0d,%h,%h,%0d,%0d,%0d,%0d\n", order + 64'(place), word[32*lane +: 32],
                        trap[lane], interrupt[lane], pc[`XLEN*lane +: `XLEN], next_pc[`XLEN*lane +: `XLEN],
                        compressed[lane], lane, cycles, stall);
            end
            order <= order + 64'($countones(valid));
            instructions <= instructions + 64'(retired);
            traps <= traps + 64'($countones(valid & trap));
            if (retired > 1)
                wide <= wide + 1;
            idle <= |valid ? 0 : idle + 1;
            if (timer_interrupt && !was_interrupt)
                interrupts <= interrupts + 1;
            was_interrupt <= timer_interrupt;
            // Of the stalls of a running program: the most instructions that retire before the core stands.
            was_stalled <= stall;
            if (!over && stall) begin
                stall_cycles <= stall_cycles + 1;
                if (!was_stalled)
                    stalls <= stalls + 1;
                late <= (was_stalled ? late : 0) + 64'(retired);
                if (64'(retired) + (was_stalled ? late : 0) > late_most)
                    late_most <= 64'(retired) + (was_stalled ? late : 0);
            end
            if (over) begin
                rest <= rest + 1;
                held <= rest > 40;
                flush <= rest > settle + 40;
            end
            if (flush && flushed || idle > 300000) begin
                $display("status=%0d cycles=%0d instructions=%0d traps=%0d interrupts=%0d stalls=%0d", $signed(status),
                    cycles, instructions, traps, interrupts, stalls);
                $display("stall_cycles=%0d late=%0d lost=%0d bits=%0d wide=%0d ended=%0d", stall_cycles, late_most,
                    lost, bits_sent, wide, over && flush && flushed);
                $fclose(log);
                $fclose(bits);
                $finish;
            end
        end
    end

endmodule
