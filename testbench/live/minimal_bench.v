// A test bench around the small core and a module with control registers and a RAM sink, as somebody writes it who has
// nothing but docs/control.md: its bus master does the steps of the table there. Macros say what was generated:
//   TOP       the module: ..._rvfi_control or ..._tip_control
//   TIP       the core is connected by the trace ingress port, otherwise by RVFI
//   WIDE      the core retires up to two instructions in a cycle
//   AXI       the bus is AXI4-Lite, otherwise APB
//   DROP      the module counts what it loses instead of stalling the core
//   RING      bytes of the RAM sink
//
// Files and numbers are given by plus arguments: +program=FILE (words of 0x10000 to 0x2ffff in hexadecimal), +log=FILE (a
// line for each instruction: address, word, trap, intr), +ring=FILE (the words of the sink's memory as they lie there),
// +limit=N instructions, +interrupt=N (an external interrupt at instruction N), +random_interrupts, +running (the core runs on
// while tracing is switched off), +seed=N, +settings=N (bits of trRamControl besides those that switch the sink on: 256 for a
// ring that stops).

module minimal_bench;

`ifdef WIDE
    localparam WIDTH = 2;
`else
    localparam WIDTH = 1;
`endif
    localparam [31:0] MEMORY = 32'h0001_0000;
    localparam WORDS = 32768;
    localparam [31:0] EXIT = 32'h1000_0004, TIMER = 32'h1000_0018;

    reg clock = 1'b0;
    always #5 clock = !clock;

    reg  reset = 1'b1;
    reg  core_reset = 1'b1;
    reg  halted = 1'b0;
    wire stall;
    wire lost;

    // The core.
    wire [31:0] fetch_address, data_address, data_written;
    wire        data_request;
    wire [3:0]  data_strobe;
    reg  [63:0] fetch_data;
    reg  [1:0]  fetch_error;
    reg  [31:0] data_read;
    reg         data_error;
    reg         timer_interrupt, external_interrupt;
    wire [1:0]  rvfi_valid, rvfi_trap, rvfi_intr, tip_iretire, tip_ilastsize, tip_priv;
    wire [63:0] rvfi_insn, rvfi_pc_rdata, rvfi_pc_wdata, tip_iaddr;
    wire [3:0]  rvfi_mode;
    wire [7:0]  tip_itype;
    wire [31:0] tip_cause, tip_tval;

    minimal_core #(.WIDTH(WIDTH), .RESET_ADDRESS(MEMORY), .TRAP_ADDRESS(MEMORY + 32'd4)) core (
        .clock(clock), .reset(core_reset), .stop(stall | halted),
        .timer_interrupt(timer_interrupt), .external_interrupt(external_interrupt),
        .fetch_address(fetch_address), .fetch_data(fetch_data), .fetch_error(fetch_error),
        .data_request(data_request), .data_address(data_address), .data_strobe(data_strobe),
        .data_written(data_written), .data_read(data_read), .data_error(data_error),
        .rvfi_valid(rvfi_valid), .rvfi_insn(rvfi_insn), .rvfi_trap(rvfi_trap), .rvfi_intr(rvfi_intr),
        .rvfi_mode(rvfi_mode), .rvfi_pc_rdata(rvfi_pc_rdata), .rvfi_pc_wdata(rvfi_pc_wdata),
        .tip_itype(tip_itype), .tip_iaddr(tip_iaddr), .tip_iretire(tip_iretire), .tip_ilastsize(tip_ilastsize),
        .tip_priv(tip_priv), .tip_cause(tip_cause), .tip_tval(tip_tval)
    );

    // Memory and devices.
    reg [31:0] memory [0:WORDS-1];
    reg        is_over = 1'b0;

    function is_memory(input [31:0] address);
        is_memory = address >= MEMORY && address < MEMORY + 4 * WORDS;
    endfunction

    wire [31:0] fetch_second = fetch_address + 32'd4;
    wire [14:0] fetch_index = fetch_address[16:2] - MEMORY[16:2];
    wire [14:0] second_index = fetch_second[16:2] - MEMORY[16:2];
    wire [14:0] data_index = data_address[16:2] - MEMORY[16:2];
    integer     lane;
    always @(posedge clock) begin
        fetch_data <= {memory[second_index], memory[fetch_index]};
        fetch_error <= {!is_memory(fetch_second), !is_memory(fetch_address)};
        if (data_request) begin
            data_read <= memory[data_index];
            data_error <= !is_memory(data_address) && data_address != EXIT && data_address != TIMER;
            for (lane = 0; lane < 4; lane = lane + 1)
                if (data_strobe[lane] && is_memory(data_address))
                    memory[data_index][8*lane +: 8] <= data_written[8*lane +: 8];
            if (data_strobe != 4'd0 && data_address == EXIT) begin
                is_over <= 1'b1;
                $display("status %0d", $signed(data_written));
            end
        end
    end

    // Interrupts: the timer's after a number of instructions, as on the board of the other cores, and those of this bench. A store to
    // the timer ends both.
    reg [31:0] instructions = 32'd0;
    wire [31:0] counted = instructions + {31'd0, rvfi_valid[0]} + {31'd0, rvfi_valid[1]};
    reg [31:0] deadline = 32'd0;
    integer interrupt_at = 0;
    integer seed = 0;
    reg     random_interrupts = 1'b0;
    reg     was_interrupted = 1'b0;
    always @(posedge clock)
        if (core_reset)
            {timer_interrupt, external_interrupt} <= 2'b00;
        else if (data_request && data_strobe != 4'd0 && data_address == TIMER) begin
            {timer_interrupt, external_interrupt} <= 2'b00;
            deadline <= data_written == 32'd0 ? 32'd0 : instructions + data_written;
        end else begin
            if (deadline != 32'd0 && counted >= deadline)
                timer_interrupt <= 1'b1;
            if (interrupt_at != 0 && !was_interrupted && counted >= interrupt_at)
                {external_interrupt, was_interrupted} <= 2'b11;
            if (random_interrupts && $random(seed) % 32 == 0)
                external_interrupt <= 1'b1;
        end

    // The core's own log.
    integer log, channel;
    reg     is_at_rest = 1'b0; // the program jumps to itself
    always @(posedge clock) begin
        for (channel = 0; channel < 2; channel = channel + 1)
            if (rvfi_valid[channel]) begin
                $fwrite(log, "%h %h %b %b\n", rvfi_pc_rdata[32*channel +: 32], rvfi_insn[32*channel +: 32],
                    rvfi_trap[channel], rvfi_intr[channel]);
                is_at_rest <= is_over && rvfi_pc_rdata[32*channel +: 32] == rvfi_pc_wdata[32*channel +: 32];
            end
        instructions <= counted;
    end

    // The module, and the bus. Inputs change at the falling edge of the clock; what is there after it is taken by the rising one.
    reg  [31:0] answer;
`ifdef AXI
    reg  [15:0] awaddr, araddr;
    reg         awvalid = 1'b0, wvalid = 1'b0, arvalid = 1'b0;
    reg  [31:0] wdata;
    wire        awready, wready, bvalid, arready, rvalid;
    wire [1:0]  bresp, rresp;
    wire [31:0] rdata;

    reg takes_address, takes_data;
    task write(input [15:0] address, input [31:0] data);
        begin
            {awaddr, wdata} = {address, data};
            {awvalid, wvalid} = 2'b11;
            while (awvalid || wvalid) begin
                #1 {takes_address, takes_data} = {awready, wready};
                @(negedge clock);
                if (takes_address)
                    awvalid = 1'b0;
                if (takes_data)
                    wvalid = 1'b0;
            end
            #1;
            while (!bvalid)
                @(negedge clock) #1;
            if (bresp != 2'b00)
                fail("a write is refused");
            @(negedge clock);
        end
    endtask

    task read(input [15:0] address);
        begin
            {araddr, arvalid} = {address, 1'b1};
            #1;
            while (!arready)
                @(negedge clock) #1;
            @(negedge clock) arvalid = 1'b0;
            #1;
            while (!rvalid)
                @(negedge clock) #1;
            answer = rdata;
            if (rresp != 2'b00)
                fail("a read is refused");
            @(negedge clock);
        end
    endtask
`else
    reg         psel = 1'b0, penable = 1'b0, pwrite;
    reg  [15:0] paddr;
    reg  [31:0] pwdata;
    wire        pready, pslverr;
    wire [31:0] prdata;

    task access(input is_write, input [15:0] address, input [31:0] data);
        begin
            {psel, penable, pwrite, paddr, pwdata} = {2'b10, is_write, address, data};
            @(negedge clock) penable = 1'b1;
            #1;
            while (!pready)
                @(negedge clock) #1;
            answer = prdata;
            if (pslverr)
                fail("an access is refused");
            @(negedge clock) {psel, penable} = 2'b00;
        end
    endtask

    task write(input [15:0] address, input [31:0] data);
        access(1'b1, address, data);
    endtask

    task read(input [15:0] address);
        access(1'b0, address, 32'd0);
    endtask
`endif

    `TOP trace (
        .clock(clock),
        .reset(reset),
`ifdef AXI
        .s_axi_awaddr(awaddr), .s_axi_awprot(3'd0), .s_axi_awvalid(awvalid), .s_axi_awready(awready),
        .s_axi_wdata(wdata), .s_axi_wstrb(4'hf), .s_axi_wvalid(wvalid), .s_axi_wready(wready),
        .s_axi_bresp(bresp), .s_axi_bvalid(bvalid), .s_axi_bready(1'b1),
        .s_axi_araddr(araddr), .s_axi_arprot(3'd0), .s_axi_arvalid(arvalid), .s_axi_arready(arready),
        .s_axi_rdata(rdata), .s_axi_rresp(rresp), .s_axi_rvalid(rvalid), .s_axi_rready(1'b1),
`else
        .psel(psel), .penable(penable), .pwrite(pwrite), .paddr(paddr), .pwdata(pwdata), .pstrb(4'hf), .pprot(3'd0),
        .pready(pready), .prdata(prdata), .pslverr(pslverr),
`endif
`ifdef TIP
        .tip_itype(tip_itype[4*WIDTH-1:0]), .tip_iaddr(tip_iaddr[32*WIDTH-1:0]),
        .tip_iretire(tip_iretire[WIDTH-1:0]), .tip_ilastsize(tip_ilastsize[WIDTH-1:0]),
`else
        .rvfi_valid(rvfi_valid[WIDTH-1:0]), .rvfi_insn(rvfi_insn[32*WIDTH-1:0]),
        .rvfi_trap(rvfi_trap[WIDTH-1:0]), .rvfi_intr(rvfi_intr[WIDTH-1:0]),
        .rvfi_pc_rdata(rvfi_pc_rdata[32*WIDTH-1:0]), .rvfi_pc_wdata(rvfi_pc_wdata[32*WIDTH-1:0]),
`endif
`ifndef NO_STALL
        .stall(stall), .lost(lost),
`endif
        .drops(), .sync_request(1'b0), .synchronised(), .buffered_words()
    );
`ifdef NO_STALL
    assign {stall, lost} = 2'b00;
`endif

    task fail(input [8*32-1:0] what);
        begin
            $display("failed: %0s", what);
            $finish;
        end
    endtask

    // Reads a register until a bit is 1.
    integer tries;
    task wait_for(input [15:0] address, input integer index);
        begin
            tries = 0;
            read(address);
            while (!answer[index]) begin
                tries = tries + 1;
                if (tries > 20000)
                    fail("a register does not change");
                read(address);
            end
        end
    endtask

    // The steps of docs/control.md.
    reg [8*256-1:0] program_file, log_file, ring_file;
    integer         ring, word, limit, settings;
    initial begin
        if (!$value$plusargs("program=%s", program_file) || !$value$plusargs("log=%s", log_file)
            || !$value$plusargs("ring=%s", ring_file))
            fail("+program, +log, +ring");
        limit = 1000000;
        settings = 0;
        // Each may be left out.
        tries = $value$plusargs("limit=%d", limit);
        tries = $value$plusargs("interrupt=%d", interrupt_at);
        tries = $value$plusargs("seed=%d", seed);
        tries = $value$plusargs("settings=%d", settings);
        random_interrupts = $test$plusargs("random_interrupts") != 0;
        $readmemh(program_file, memory);
        log = $fopen(log_file, "w");
        repeat (4) @(negedge clock);
        reset = 1'b0;
        @(negedge clock);

        // Wake up the sink, set it up and switch it on.
        write(16'h1000, 32'd1);
        write(16'h1018, `RING - 4);
        write(16'h1020, 32'd0);
        write(16'h1000, 32'd3 | settings);
        // Wake up the encoder, switch tracing on.
        write(16'h0000, 32'h01);
        write(16'h0000, 32'h77);
        wait_for(16'h0e00, 0);
        core_reset = 1'b0;

        while (!is_at_rest && instructions < limit)
            @(negedge clock);
        $display("instructions %0d", instructions);
        halted = $test$plusargs("running") == 0;

        // Switch tracing off, then the sink.
        write(16'h0000, 32'h01);
        wait_for(16'h0000, 3);
        write(16'h1000, 32'd1);
        wait_for(16'h1000, 3);
        read(16'h1020);
        $display("write_pointer %0d", answer);
        // The memory as it is.
        ring = $fopen(ring_file, "w");
        write(16'h1028, 32'd0);
        for (word = 0; word < `RING / 4; word = word + 1) begin
            read(16'h1040);
            $fwrite(ring, "%h\n", answer);
        end
        $fclose(ring);
        $fclose(log);
        if (lost)
            fail("an instruction was lost");
        $display("done");
        $finish;
    end

endmodule
