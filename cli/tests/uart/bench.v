// A core that runs a loop with a branch of random direction, a reader of its ring, and a computer that receives what comes
// by the line. The core crashes twice: at each crash two dumps are sent, and tracing begins anew between.

module bench;
    localparam [15:0] CYCLES_PER_BIT = 16'd3;

    reg clock = 1'b0;
    always #5 clock = !clock;

    reg         reset = 1'b1;
    reg         stop = 1'b0;
    wire        ready, line, stall, lost;
    reg  [31:0] pc = 32'h10000;
    reg  [31:0] noise = 32'h1234567;
    wire        is_taken = noise[0];
    wire [31:0] next = pc == 32'h10008 & is_taken ? 32'h10010 : pc == 32'h10010 ? 32'h10000 : pc + 32'd4;
    wire [31:0] word = pc == 32'h10008 ? 32'h00b50463 : pc == 32'h10010 ? 32'hff1ff06f : 32'h00000013;
    wire        retires = ready & !stop & !stall;

    traptor_m4_rvfi_control_uart #(.CYCLES_PER_BIT (CYCLES_PER_BIT)) trace (
        .clock (clock), .reset (reset), .stop (stop), .ready (ready), .uart_tx (line),
        .rvfi_valid (retires), .rvfi_insn (word), .rvfi_trap (1'b0), .rvfi_intr (1'b0),
        .rvfi_pc_rdata (pc), .rvfi_pc_wdata (next), .stall (stall), .lost (lost),
        .drops (), .sync_request (1'b0), .synchronised (), .buffered_words ()
    );

    integer log, file, index, instructions = 0, bytes = 0;
    always @(posedge clock) begin
        if (retires) begin
            $fwrite(log, "%h\n", pc);
            pc <= next;
            noise <= {noise[30:0], noise[31] ^ noise[21] ^ noise[1] ^ noise[0]};
            instructions <= instructions + 1;
        end
        if (lost) $display("failed: lost");
    end

    // Each bit is taken in its middle.
    reg [7:0] received;
    always @(negedge line) if (!reset) begin
        repeat (CYCLES_PER_BIT / 2) @(posedge clock);
        for (index = 0; index < 8; index = index + 1) begin
            repeat (CYCLES_PER_BIT) @(posedge clock);
            received[index] = line;
        end
        repeat (CYCLES_PER_BIT) @(posedge clock);
        if (!line) $display("failed: no stop bit");
        $fwrite(file, "%c", received);
        bytes = bytes + 1;
    end

    // `stop` is high until so many bytes were received.
    task crash(input integer after, input integer both);
        begin
            while (instructions < after) @(negedge clock);
            stop = 1'b1;
            bytes = 0;
            while (bytes < both) @(negedge clock);
            stop = 1'b0;
        end
    endtask

    initial begin
        #20000000 $display("failed: too long");
        $finish(0);
    end
    initial begin
        log = $fopen("log", "w");
        file = $fopen("received1.bin", "wb");
        repeat (4) @(negedge clock);
        reset = 1'b0;
        // Too few instructions to fill the ring, then more than it has room for.
        crash(400, 260);
        $display("first %0d", instructions);
        // The dump that is being sent ends, and tracing is switched on again.
        repeat (20000) @(negedge clock);
        $fclose(file);
        file = $fopen("received2.bin", "wb");
        crash(instructions + 20000, 1300);
        $fclose(log);
        $fclose(file);
        $display("done");
        $finish(0);
    end
endmodule
