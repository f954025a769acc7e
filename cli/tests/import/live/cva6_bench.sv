// Shows CVA6's tracers what CVA6 said, from the file `words`: a line for each instruction that retired, trapped, or was
// reached when an interrupt was taken, with 1 or 0 for each of the three, its word, its address, and a cause.
//
// With `+first` it is the tracer of instructions and exceptions, which looks into the core: at an instruction that is
// decoded, issued, and committed or flushed by an exception, here in three cycles. Otherwise it is the tracer of the
// formal interface, to which CVA6 is silent about interrupts and breakpoints, and at which a system call is valid.
module cva6_bench;

    localparam logic [63:0] BREAKPOINT = 64'd3;
    localparam logic [63:0] SYSTEM_CALL = 64'd11;

    logic clock = 1'b0;
    logic is_second = !$test$plusargs("first");
    logic decodes = 1'b0;
    logic issues = 1'b0;
    logic retires = 1'b0;
    logic traps = 1'b0;
    logic interrupted = 1'b0;
    logic [31:0] word;
    logic [63:0] address, cause;

    rvfi_pkg::rvfi_instr_t [0:0] formal;
    always_comb begin
        formal = '0;
        formal[0].valid = is_second & (retires | traps & (cause == SYSTEM_CALL));
        formal[0].trap = is_second & traps & (cause != SYSTEM_CALL) & (cause != BREAKPOINT);
        formal[0].insn = word;
        formal[0].pc_rdata = address;
        formal[0].mode = riscv::PRIV_LVL_M;
        formal[0].cause = cause;
    end
    rvfi_tracer #(.NR_COMMIT_PORTS(1)) second (.clk_i(clock), .rst_ni(1'b1), .rvfi_i(formal));

    ariane_pkg::scoreboard_entry_t entry;
    always_comb begin
        entry = '0;
        entry.pc = address[riscv::VLEN-1:0];
    end
    instr_tracer_if pipeline (.clk(clock));
    instr_tracer first (.tracer_if(pipeline), .hart_id_i(64'd0));
    assign pipeline.rstn = 1'b1;
    assign pipeline.flush_unissued = 1'b0;
    assign pipeline.flush = traps | interrupted;
    assign pipeline.instruction = word;
    assign pipeline.fetch_valid = decodes;
    assign pipeline.fetch_ack = decodes;
    assign pipeline.issue_ack = issues;
    assign pipeline.issue_sbe = entry;
    assign pipeline.waddr = '0;
    assign pipeline.wdata = '0;
    assign pipeline.we_gpr = '0;
    assign pipeline.we_fpr = '0;
    assign pipeline.commit_instr[0] = entry;
    assign pipeline.commit_instr[1] = '0;
    assign pipeline.commit_ack = {1'b0, retires};
    assign pipeline.st_valid = 1'b0;
    assign pipeline.st_paddr = '0;
    assign pipeline.ld_valid = 1'b0;
    assign pipeline.ld_kill = 1'b0;
    assign pipeline.ld_paddr = '0;
    assign pipeline.resolve_branch = '0;
    always_comb begin
        pipeline.exception = '0;
        pipeline.exception.valid = traps | interrupted;
        pipeline.exception.cause = cause;
    end
    assign pipeline.priv_lvl = riscv::PRIV_LVL_M;
    assign pipeline.debug_mode = 1'b0;

    task cycle;
        #1 clock = 1'b1;
        #1 clock = 1'b0;
    endtask

    initial begin
        integer words;
        logic next_retires, next_traps, next_interrupted;
        logic [31:0] next_word;
        logic [63:0] next_address, next_cause;
        // The first tracer begins after 15 ns.
        #20;
        words = $fopen("words", "r");
        while ($fscanf(words, "%b %b %b %h %h %h", next_retires, next_traps, next_interrupted, next_word,
                       next_address, next_cause) == 6) begin
            word = next_word;
            address = next_address;
            cause = next_cause;
            decodes = 1'b1;
            cycle;
            decodes = 1'b0;
            issues = 1'b1;
            cycle;
            issues = 1'b0;
            {retires, traps, interrupted} = {next_retires, next_traps, next_interrupted};
            cycle;
            {retires, traps, interrupted} = 3'b0;
        end
        #2 $finish;
    end

endmodule
