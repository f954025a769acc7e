// Two harts with one ring that keeps the beginning of the trace: both trace until the tail of the ring is reached.
module system_testbench;
    reg clock = 0;
    reg reset = 1;
    reg psel = 0;
    reg penable = 0;
    reg pwrite = 0;
    reg [17:0] paddr = 0;
    reg [31:0] pwdata = 0;
    wire pready;
    wire [31:0] prdata;
    wire pslverr;
    reg runs = 0;
    reg first_valid = 0;
    reg second_valid = 0;
    reg [31:0] first_pc = 0;
    reg [31:0] second_pc = 0;
    reg [31:0] first_target = 32'h1000;
    reg [31:0] second_target = 32'h8000;
    wire first_stall;
    wire second_stall;
    reg [31:0] value;
    reg is_error;
    integer polls;
    integer words;

    system dut (
        .clock (clock), .reset (reset), .psel (psel), .penable (penable), .pwrite (pwrite), .paddr (paddr), .pwdata (pwdata),
        .pstrb (4'hf), .pprot (3'd0), .pready (pready), .prdata (prdata), .pslverr (pslverr),
        .first_retire_valid (first_valid), .first_retire_count (4'd3), .first_retire_pc (first_pc),
        .first_retire_length (4'd4), .first_retire_kind (3'd3), .first_retire_call (1'b0), .first_retire_return (1'b0),
        .first_retire_taken (1'b1), .first_retire_target (first_target), .first_stall (first_stall), .first_drops (),
        .first_sync_request (1'b0), .first_synchronised (), .first_buffered_words (),
        .second_retire_valid (second_valid), .second_retire_count (4'd3), .second_retire_pc (second_pc),
        .second_retire_length (4'd4), .second_retire_kind (3'd3), .second_retire_call (1'b0), .second_retire_return (1'b0),
        .second_retire_taken (1'b1), .second_retire_target (second_target), .second_stall (second_stall), .second_drops (),
        .second_sync_request (1'b0), .second_synchronised (), .second_buffered_words ()
    );

    always #5 clock = ~clock;

    // Indirect jumps to anywhere.
    always @(negedge clock) if (runs) begin
        if (!first_stall) begin
            first_valid <= 1;
            first_pc <= first_target + 8;
            first_target <= ($random & 32'hfff0) + 32'h1000;
        end
        if (!second_stall) begin
            second_valid <= 1;
            second_pc <= second_target + 8;
            second_target <= ($random & 32'hfff0) + 32'h100000;
        end
    end

    task access(input [17:0] address, input writes, input [31:0] data);
        begin
            @(negedge clock);
            {psel, penable, pwrite, paddr, pwdata} = {1'b1, 1'b0, writes, address, data};
            @(negedge clock);
            penable = 1;
            @(posedge clock);
            while (!pready) @(posedge clock);
            value = prdata;
            is_error = pslverr;
            @(negedge clock);
            {psel, penable} = 2'b00;
        end
    endtask

    initial begin
        repeat (5) @(negedge clock);
        reset = 0;
        access(18'h21000, 1, 32'h1);
        access(18'h21000, 1, 32'h103);
        access(18'h20000, 1, 32'h1);
        access(18'h20000, 1, 32'h3);
        access(18'h00000, 1, 32'h1);
        access(18'h00000, 1, 32'h67);
        access(18'h10000, 1, 32'h1);
        access(18'h10000, 1, 32'h67);
        repeat (10) @(negedge clock);
        runs = 1;
        access(18'h21000, 0, 0);
        for (polls = 0; polls < 20000 && value[1]; polls = polls + 1) access(18'h21000, 0, 0);
        repeat (300) @(negedge clock);
        access(18'h21000, 0, 0);
        $display("ring control %h", value);
        access(18'h00000, 0, 0);
        $display("first is empty %b", value[3]);
        access(18'h10000, 0, 0);
        $display("second is empty %b", value[3]);
        access(18'h30000, 0, 0);
        $display("beyond is an error %b", is_error);
        access(18'h21020, 0, 0);
        $display("has wrapped %b", value[0]);
        words = value[31:2];
        access(18'h21028, 1, 0);
        for (polls = 0; polls < words; polls = polls + 1) begin
            access(18'h21040, 0, 0);
            $display("word %h", value);
        end
        $finish;
    end
endmodule
