// The cores' modules are called core; `systems` gives this one and that of each core a name of its own.
//
// +program0=FILE (words of the memory in hexadecimal) and +log0=FILE (CSV: a row for each instruction) are those of hart 0.

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

    core core (
        .clock(clock), .reset(reset), .hold(hold | stall | rest > 13'd40), .timer_interrupt(timer_interrupt),
        .fetch_request(fetch_request), .fetch_address(fetch_address), .fetch_data(fetch_data),
        .data_request(data_request), .data_address(data_address), .data_strobe(data_strobe),
        .data_written(data_written), .data_read(data_read),
        .valid(valid), .pc(pc), .word(word), .trap(trap), .interrupt(interrupt), .next_pc(next_pc),
        .compressed(), .number()
    );

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
