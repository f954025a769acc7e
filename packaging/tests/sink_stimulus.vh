    // Blocks at random, flushes, and a reset every 4096 cycles. `enabled` is the clock enable of a design that has one.
    localparam CYCLES = 40000;
    localparam WIDTH = 8; // of the trace port
    localparam HAS_ENABLE = 0;

    reg clock = 0;
    reg resetn = 0;
    reg enabled = 0;
    reg flush = 0;
    reg [31:0] random = 1;
    reg [31:0] pc = 32'h8000;
    reg block = 0;
    wire stall, flushed;
    wire [31:0] target = {16'd0, random[31:18], 2'b00};
    wire [2:0] kind = random[8] ? 3'd3 : 3'd1;
    wire taken = random[8] | random[9];

    // The bits that the module inside sends, in order.
    wire inside = trace.trace_module.trace_valid & trace.trace_module.trace_ready;
    wire [WIDTH-1:0] inside_data = trace.trace_module.trace_data;
    reg sent_bits [0:(1<<20)-1];
    integer sent = 0, received = 0, flushes = 0, cycle, bit_index;
    reg previous_flushed = 0; // as the last edge saw it

    task fail(input [8*40-1:0] what);
        begin
            $display("FAIL: %0s in cycle %0d", what, cycle);
            $finish(1);
        end
    endtask

    task note_inside;
        begin
            if (inside) begin
                for (bit_index = 0; bit_index < WIDTH; bit_index = bit_index + 1)
                    sent_bits[sent + bit_index] = inside_data[bit_index];
                sent = sent + WIDTH;
            end
        end
    endtask

    // One bit has arrived.
    task receive(input value);
        begin
            if (received >= sent) fail("a bit that was not sent");
            if (sent_bits[received] !== value) fail("another bit");
            received = received + 1;
        end
    endtask

    task next_inputs;
        begin
            random = {random[30:0], random[31] ^ random[21] ^ random[1] ^ random[0]};
            enabled = !HAS_ENABLE | random[6] | random[20];
            resetn = cycle[11:0] > 3;
            if (!resetn) begin
                received = sent;
                flush = 0;
            end else begin
                if (!flush & !previous_flushed & random[7:0] == 8'd0) flush = 1;
                else if (previous_flushed & random[3]) flush = 0;
            end
            if (!stall) pc = {16'd0, random[17:4], 2'b00};
            block = random[5];
        end
    endtask

    always #5 clock = !clock;
