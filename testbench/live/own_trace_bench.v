// A core that drives its own trace unit: its loads and stores from 0x10010000 on reach the unit's registers over APB. The
// module around core and unit is live_minimal or live_cva6, with its macros; CVA6 says which. For this bench:
//   RING   words of the program's memory that are written to a file in the end
// SYSTEM_MEMORY says that the unit writes its ring into the program's memory.
//
// +program=FILE has words of 0x10000 to 0x2ffff in hexadecimal, where the core begins at 0x10000; +log=FILE gets a line for
// each instruction that retires, its address, and for what the program does with the unit:
//   write VALUE   trTeControl is written
//   ready         twStatus is read, and says that the unit takes blocks
// +ring=FILE gets the words from 0x24000 on. A store to 0x10000004 ends the run with a status.

module own_trace_bench;

`ifdef CVA6
    localparam BYTES = 8;
`else
    localparam BYTES = 4;
`endif
    localparam BITS = 8 * BYTES;
    localparam [31:0] MEMORY = 32'h0001_0000, EXIT = 32'h1000_0004, UNIT = 32'h1001_0000, RING_AT = 32'h0002_4000;
    localparam WORDS = 32768;

    reg clock = 1'b0;
    always #5 clock = !clock;
    reg reset = 1'b1;

    wire             fetch_request, data_request, stall, lost;
    wire [31:0]      fetch_address;
    reg  [63:0]      fetch_data;
    reg  [1:0]       fetch_error;
    wire [BITS-1:0]  data_address, data_written;
    wire [BYTES-1:0] data_strobe;
    reg  [BITS-1:0]  data_read;
    reg              data_error;
    wire [1:0]       rvfi_valid, rvfi_trap, rvfi_intr;
    wire [31:0]      rvfi_insn_0, rvfi_insn_1;
    wire [BITS-1:0]  rvfi_pc_rdata_0, rvfi_pc_rdata_1, rvfi_pc_wdata_0, rvfi_pc_wdata_1;

    // The bus of the unit, and the access of the core that it is for: one word, or the two of a wide one.
    reg             psel, penable, upper;
    reg             writes;
    reg [31:0]      address;
    reg [63:0]      written;
    reg [7:0]       strobe;
    wire            pready, pslverr;
    wire [31:0]     prdata;
    wire            pwrite = writes;
    wire [15:0]     paddr = {address[15:3], BYTES == 8 ? upper : address[2], 2'b00};
    wire [31:0]     pwdata = upper ? written[63:32] : written[31:0];
    wire [3:0]      pstrb = upper ? strobe[7:4] : strobe[3:0];
    wire [2:0]      pprot = 3'd0;

`ifdef SYSTEM_MEMORY
    // The bus by which the unit writes its ring, which takes a burst at an uneven pace.
    wire [31:0] awaddr, wdata;
    wire [7:0]  awlen;
    wire [3:0]  wstrb;
    wire        awvalid, wlast, wvalid, bready;
    reg  [31:0] burst_at;
    reg         has_burst, bvalid;
    reg  [15:0] pace;
    wire        awready = !has_burst && !bvalid && pace[0];
    wire        wready = has_burst && pace[1];
`endif

`ifdef CVA6
    live_cva6 system (
`else
    live_minimal system (
        .fetch_request(fetch_request), .fetch_address(fetch_address), .fetch_data(fetch_data), .fetch_error(fetch_error),
`endif
        .clock(clock), .reset(reset), .hold(psel),
        .data_request(data_request), .data_address(data_address), .data_strobe(data_strobe), .data_written(data_written),
        .data_read(data_read), .data_error(data_error), .timer_interrupt(1'b0),
        .rvfi_valid(rvfi_valid), .rvfi_insn_0(rvfi_insn_0), .rvfi_insn_1(rvfi_insn_1), .rvfi_trap(rvfi_trap),
        .rvfi_intr(rvfi_intr), .rvfi_pc_rdata_0(rvfi_pc_rdata_0), .rvfi_pc_rdata_1(rvfi_pc_rdata_1),
        .rvfi_pc_wdata_0(rvfi_pc_wdata_0), .rvfi_pc_wdata_1(rvfi_pc_wdata_1), .stall(stall), .lost(lost),
        .psel(psel), .penable(penable), .pwrite(pwrite), .paddr(paddr), .pwdata(pwdata), .pstrb(pstrb), .pprot(pprot),
        .pready(pready), .prdata(prdata), .pslverr(pslverr)
`ifdef SYSTEM_MEMORY
        , .m_axi_awaddr(awaddr), .m_axi_awlen(awlen), .m_axi_awsize(), .m_axi_awburst(), .m_axi_awcache(), .m_axi_awprot(),
        .m_axi_awvalid(awvalid), .m_axi_awready(awready), .m_axi_wdata(wdata), .m_axi_wstrb(wstrb), .m_axi_wlast(wlast),
        .m_axi_wvalid(wvalid), .m_axi_wready(wready), .m_axi_bresp(2'b00), .m_axi_bvalid(bvalid), .m_axi_bready(bready)
`endif
    );

    // Memory, and where an access goes.
    reg [31:0] memory [0:WORDS-1];

    function is_memory(input [31:0] at);
        is_memory = at >= MEMORY && at < MEMORY + 4 * WORDS;
    endfunction

    wire [31:0] at = data_address[31:0];
    wire        is_of_unit = at[31:16] == UNIT[31:16];
    wire        is_exit = (at | {29'd0, BYTES == 8, 2'd0}) == EXIT && data_strobe != 0;
    wire [14:0] fetch_index = fetch_address[16:2] - MEMORY[16:2];
    wire [14:0] index = at[16:2] - MEMORY[16:2];
    wire        upper_only = BYTES == 8 && data_strobe != 0 && data_strobe[3:0] == 4'd0;
    wire [BITS-1:0] loaded = BYTES == 8 ? {memory[index | 15'd1], memory[index]} : memory[index];

    integer log, lane;
    always @(posedge clock) begin
        fetch_data <= {memory[fetch_index + 15'd1], memory[fetch_index]};
        fetch_error <= {2{!is_memory(fetch_address)}};
        if (reset)
            {psel, penable} <= 2'b00;
        else if (psel) begin
            penable <= 1'b1;
            if (penable && pready) begin
                penable <= 1'b0;
                data_read[32 * upper +: 32] <= prdata;
                data_error <= data_error | pslverr;
                upper <= 1'b1;
                psel <= BYTES == 8 && !upper && (!writes || strobe[7:4] != 4'd0);
                if (writes && paddr == 16'd0)
                    $fwrite(log, "write %h\n", pwdata);
                if (!writes && paddr == 16'he00 && prdata[0])
                    $fwrite(log, "ready\n");
            end
        end else if (data_request) begin
            {psel, penable, upper} <= {is_of_unit, 1'b0, upper_only};
            {writes, address, written, strobe} <= {data_strobe != 0, at, 64'd0 | data_written, 8'd0 | data_strobe};
            data_read <= loaded;
            data_error <= !is_memory(at) && !is_of_unit && !is_exit;
            for (lane = 0; lane < BYTES; lane = lane + 1)
                if (data_strobe[lane] && is_memory(at))
                    memory[index + lane / 4][8 * (lane % 4) +: 8] <= data_written[8 * lane +: 8];
            if (is_exit)
                finish(data_written[BITS - 1 -: 32]);
        end
        if (!reset) begin
            if (rvfi_valid[0] && !rvfi_trap[0])
                $fwrite(log, "%h\n", rvfi_pc_rdata_0);
            if (rvfi_valid[1] && !rvfi_trap[1])
                $fwrite(log, "%h\n", rvfi_pc_rdata_1);
        end
    end

`ifdef SYSTEM_MEMORY
    wire [14:0] burst_index = burst_at[16:2] - MEMORY[16:2];

    always @(posedge clock) begin
        pace <= {pace[14:0], pace[15] ^ pace[13] ^ pace[12] ^ pace[10]};
        if (reset)
            {has_burst, bvalid, pace} <= {2'b00, 16'h5eed};
        else begin
            if (awvalid && awready)
                {has_burst, burst_at} <= {1'b1, awaddr};
            if (wvalid && wready) begin
                if (!is_memory(burst_at) || wstrb != 4'hf)
                    $display("failed: the unit writes to %h", burst_at);
                memory[burst_index] <= wdata;
                burst_at <= burst_at + 32'd4;
                {has_burst, bvalid} <= {!wlast, wlast};
            end
            if (bvalid && bready)
                bvalid <= 1'b0;
        end
    end
`endif

    reg [8*256-1:0] program_file, log_file, ring_file;
    integer         ring, word;

    task finish(input [31:0] status);
        begin
            ring = $fopen(ring_file, "w");
            for (word = 0; word < `RING; word = word + 1)
                $fwrite(ring, "%h\n", memory[(RING_AT - MEMORY) / 4 + word]);
            $fclose(ring);
            $fclose(log);
            $display("status %0d", status);
            $finish;
        end
    endtask

    initial begin
        if (!$value$plusargs("program=%s", program_file) || !$value$plusargs("log=%s", log_file)
            || !$value$plusargs("ring=%s", ring_file)) begin
            $display("failed: +program, +log, +ring");
            $finish;
        end
        $readmemh(program_file, memory);
        log = $fopen(log_file, "w");
        repeat (4) @(negedge clock);
        reset = 1'b0;
        repeat (3000000) @(negedge clock);
        $display("failed: the program does not end");
        $finish;
    end

endmodule
