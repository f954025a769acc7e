// Shows the checker of the pins one violation at a time, between good blocks. Every violation must raise its own bit.
`timescale 1ns / 1ns

module contract_testbench;
    reg clock = 0, reset = 1;
    reg valid = 0, taken = 0, stall = 0, flush = 0, flushed = 0, trace_data = 0, trace_valid = 0, trace_ready = 1;
    reg [3:0] count = 1;
    reg [2:0] kind = 0;
    reg [31:0] pc = 0, target = 0;
    wire [8:0] violations;
    integer failures = 0;

    TOP_contract contract (
        .clock (clock), .reset (reset),
        .retire_valid (valid), .retire_count (count), .retire_pc (pc), .retire_length (4'd4), .retire_kind (kind),
        .retire_call (1'b0), .retire_return (1'b0), .retire_taken (taken), .retire_target (target), .stall (stall),
        .flush (flush), .flushed (flushed),
        .trace_data (trace_data), .trace_valid (trace_valid), .trace_ready (trace_ready),
        .violations (violations)
    );

    task tick;
        begin
            #5 clock = 1;
            #5 clock = 0;
        end
    endtask

    task block(input [2:0] new_kind, input [3:0] new_count, input [31:0] new_pc, input new_taken, input [31:0] new_target);
        begin
            valid = 1;
            kind = new_kind;
            count = new_count;
            pc = new_pc;
            taken = new_taken;
            target = new_target;
            tick;
            valid = 0;
        end
    endtask

    // Ends a case: exactly these rules were broken. Then the reset forgets them.
    task expect_only(input [8*30-1:0] name, input [8:0] wanted);
        begin
            tick;
            if (violations !== wanted) begin
                $display("FAIL: %0s: violations are %b, expected %b", name, violations, wanted);
                failures = failures + 1;
            end
            reset = 1;
            valid = 0;
            stall = 0;
            flush = 0;
            flushed = 0;
            trace_valid = 0;
            trace_ready = 1;
            tick;
            if (violations !== 9'd0) begin
                $display("FAIL: %0s: violations are %b after the reset", name, violations);
                failures = failures + 1;
            end
            reset = 0;
        end
    endtask

    initial begin
        tick;
        reset = 0;

        // What is allowed.
        block(3'd5, 4'd0, 32'h1, 1'b0, 32'h8000);
        block(3'd0, 4'd1, 32'h8000, 1'b0, 32'h3);
        block(3'd2, 4'd4, 32'h8010, 1'b0, 32'h3);
        block(3'd1, 4'd1, 32'h8014, 1'b1, 32'h9000);
        block(3'd4, 4'd2, 32'h9004, 1'b1, 32'ha000);
        block(3'd3, 4'd1, 32'ha000, 1'b1, 32'hb000);
        block(3'd5, 4'd3, 32'hb008, 1'b0, 32'hc000);
        stall = 1;
        block(3'd0, 4'd2, 32'hc004, 1'b0, 32'h0);
        tick;
        block(3'd0, 4'd2, 32'hc004, 1'b0, 32'h0);
        stall = 0;
        block(3'd0, 4'd2, 32'hc004, 1'b0, 32'h0);
        block(3'd0, 4'd2, 32'hc00c, 1'b0, 32'h0);
        flush = 1;
        tick;
        trace_valid = 1;
        trace_ready = 0;
        tick;
        tick;
        trace_ready = 1;
        tick;
        trace_valid = 0;
        trace_data = 1;
        flushed = 1;
        tick;
        flush = 0;
        tick;
        flushed = 0;
        expect_only("nothing", 9'b000000000);

        stall = 1;
        block(3'd0, 4'd2, 32'hc004, 1'b0, 32'h0);
        stall = 0;
        block(3'd0, 4'd3, 32'hc004, 1'b0, 32'h0);
        expect_only("replaced", 9'b000000001);

        block(3'd6, 4'd1, 32'h8000, 1'b0, 32'h0);
        expect_only("kind 6", 9'b000000010);
        block(3'd7, 4'd1, 32'h8000, 1'b0, 32'h0);
        expect_only("kind 7", 9'b000000010);

        block(3'd1, 4'd1, 32'h8000, 1'b0, 32'h0);
        expect_only("direct jump not taken", 9'b000000100);
        block(3'd3, 4'd1, 32'h8000, 1'b0, 32'h0);
        expect_only("indirect jump not taken", 9'b000000100);

        block(3'd0, 4'd0, 32'h8000, 1'b0, 32'h0);
        expect_only("no instruction", 9'b000001000);

        block(3'd0, 4'd1, 32'h8002, 1'b0, 32'h0);
        expect_only("address", 9'b000010000);
        block(3'd2, 4'd1, 32'h8000, 1'b1, 32'h9001);
        expect_only("target", 9'b000010000);

        block(3'd2, 4'd1, 32'h8000, 1'b1, 32'h9000);
        block(3'd1, 4'd1, 32'h9004, 1'b1, 32'h9000);
        expect_only("begins elsewhere", 9'b000100000);

        flush = 1;
        tick;
        flush = 0;
        expect_only("short flush", 9'b001000000);

        trace_ready = 0;
        trace_valid = 1;
        tick;
        trace_valid = 0;
        expect_only("valid falls", 9'b010000000);
        trace_ready = 0;
        trace_valid = 1;
        tick;
        trace_data = !trace_data;
        expect_only("data changes", 9'b010000000);

        flushed = 1;
        expect_only("flushed alone", 9'b100000000);

        valid = 1'bx;
        tick;
        if (failures == 0) $display("PASS");
        $finish(0);
    end
endmodule
