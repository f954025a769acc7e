{{ header }}// {{ name }} with a ring of {{ bytes }} bytes that is read by a serial line, without a processor or a debugger on its bus: a
// state machine does the steps of docs/control.md. It switches tracing on after the reset. While `stop` is high, tracing is off
// and the line sends the ring, again and again, as `tracewright decode --uart` reads it (docs/control.md). Once `stop` is
// low again, the dump that is being sent is ended, and tracing begins anew.

module {{ top }}_uart #(
    parameter [15:0] CYCLES_PER_BIT = 16'd217 // of the clock for a bit of the line: 115,200 bits per second at 25 MHz
) (
    input  wire clock,
    input  wire {{ reset }},
    input  wire stop, // the program has crashed, or a button is pressed
    output reg  ready, // tracing has been switched on once: the core may leave its reset
    output reg  uart_tx, // 8 data bits, no parity, one stop bit
{% for port in kept %}
    {{ port.direction }} wire {{ port.range }}{{ port.name }}{{ "," if not loop.last }}
{% endfor %}
);

    localparam [31:0] LAST_WORD = 32'd{{ bytes - 4 }};
    localparam [4:0] TRACES = 5'd7;
    localparam [4:0] FIRST_MARK = 5'd12;
    localparam [4:0] SECOND_MARK = 5'd13;
    localparam [4:0] POINTER = 5'd15;
    localparam [4:0] LENGTH = 5'd16;
    localparam [4:0] MEMORY = 5'd18;
    localparam [4:0] CHECKSUM = 5'd19;
    localparam [4:0] PAUSE = 5'd20;

    reg  [4:0] step;
    reg  [{{ count_bits }}:0] words; // of the memory that are to be sent: all of a ring that has wrapped, otherwise what was written

    // What a step does: an access of the bus, after which a bit is waited for or the word is sent, or a word of its own.
    reg         is_access;
    reg         is_write;
    reg         is_sent;
    reg         is_awaited;
    reg  [15:0] address;
    reg  [31:0] written;
    always @(*) begin
        {is_access, is_write, is_sent, is_awaited} = 4'b1000;
        address = 16'h0000;
        written = 32'd0;
        case (step)
            5'd0: {is_write, address, written} = {1'b1, 16'h1000, 32'd1};
            5'd1: {is_write, address, written} = {1'b1, 16'h1018, LAST_WORD};
            5'd2: {is_write, address, written} = {1'b1, 16'h1020, 32'd0};
            5'd3: {is_write, address, written} = {1'b1, 16'h1000, 32'd3};
            5'd4: {is_write, address, written} = {1'b1, 16'h0000, 32'h01};
            5'd5: {is_write, address, written} = {1'b1, 16'h0000, 32'h77};
            5'd6: {is_awaited, address} = {1'b1, 16'h0e00};
            TRACES: is_access = 1'b0;
            5'd8: {is_write, address, written} = {1'b1, 16'h0000, 32'h01};
            5'd9: {is_awaited, address} = {1'b1, 16'h0000};
            5'd10: {is_write, address, written} = {1'b1, 16'h1000, 32'd1};
            5'd11: {is_awaited, address} = {1'b1, 16'h1000};
            FIRST_MARK, SECOND_MARK: {is_access, is_sent} = 2'b01;
            5'd14: {is_sent, address} = {1'b1, 16'h0efc};
            POINTER: {is_sent, address} = {1'b1, 16'h1020};
            LENGTH: {is_access, is_sent} = 2'b01;
            5'd17: {is_write, address, written} = {1'b1, 16'h1028, 32'd0};
            MEMORY: {is_access, is_sent, address} = { {2{words != {{ count_bits + 1 }}'d0}}, 16'h1040};
            default: {is_access, is_sent} = 2'b01;
        endcase
    end

    // The bus.
    reg         psel;
    reg         penable;
    wire        pready;
    wire [31:0] prdata;
    wire        pslverr;
    wire        unused = pslverr;
    wire        is_answered = psel & penable & pready;
    wire        awaited_bit = step == 5'd6 ? prdata[0] : prdata[3];

    // The line: a word is four bytes, the lowest one first, each with a start bit before and a stop bit after it.
    reg  [31:0] word;
    reg  [31:0] crc;
    reg  [2:0]  bytes;  // of the word that are not sent yet
    reg  [3:0]  place;  // in the byte: 0 is the start bit, 9 the stop bit
    reg  [15:0] cycles; // of this bit that are left after this one
    reg         is_pause;
    wire        is_idle = bytes == 3'd0;
    wire        is_data = place != 4'd0 & place != 4'd9;
    wire        is_bit_over = cycles == 16'd0;
    wire        is_byte_over = is_bit_over & place == 4'd9;

    wire begins_word = is_sent & is_idle & (is_answered | !is_access);
    wire is_done = is_access ? is_answered & (!is_awaited | awaited_bit) : is_sent ? is_idle : step != TRACES | stop;
    wire repeats = step == MEMORY & words[{{ count_bits }}:1] != {{ count_bits }}'d0;

    always @(posedge clock{{ edge }}) begin
        if ({{ in_reset }}) begin
            step <= 5'd0;
            ready <= 1'b0;
            psel <= 1'b0;
            penable <= 1'b0;
            words <= {{ count_bits + 1 }}'d0;
        end else begin
            // A word is read when the one before it has left.
            psel <= is_access & !is_answered & (psel | !is_sent | is_idle);
            penable <= psel & !is_answered;
            if (is_done & !repeats) begin
                step <= step == PAUSE ? (stop ? FIRST_MARK : 5'd0) : step + 5'd1;
            end
            if (step == POINTER & is_answered) begin
                words <= prdata[0] ? {{ count_bits + 1 }}'d{{ bytes // 4 }} : {1'b0, prdata[{{ count_bits + 1 }}:2]};
            end else if (step == MEMORY & is_answered) begin
                words <= words - {{ count_bits + 1 }}'d1;
            end
            if (step == TRACES) begin
                ready <= 1'b1;
            end
        end
    end

    // From a register, so that nothing of the logic is seen on the line.
    always @(posedge clock{{ edge }}) begin
        if ({{ in_reset }}) begin
            uart_tx <= 1'b1;
        end else begin
            uart_tx <= is_idle | is_pause | place == 4'd9 | (is_data & word[0]);
        end
    end

    always @(posedge clock{{ edge }}) begin
        if ({{ in_reset }}) begin
            word <= 32'd0;
            crc <= 32'd0;
            bytes <= 3'd0;
            place <= 4'd0;
            cycles <= 16'd0;
            is_pause <= 1'b0;
        end else if (begins_word) begin
            case (step)
                FIRST_MARK: word <= 32'h{{ marks[0] }};
                SECOND_MARK: word <= 32'h{{ marks[1] }};
                LENGTH: word <= { {{ 29 - count_bits }}'d0, words, 2'd0};
                CHECKSUM: word <= ~crc;
                default: word <= prdata;
            endcase
            bytes <= 3'd4;
            place <= 4'd0;
            cycles <= CYCLES_PER_BIT - 16'd1;
            is_pause <= step == PAUSE;
        end else if (!is_idle) begin
            cycles <= is_bit_over ? CYCLES_PER_BIT - 16'd1 : cycles - 16'd1;
            if (is_bit_over) begin
                place <= is_byte_over ? 4'd0 : place + 4'd1;
                if (is_byte_over) begin
                    bytes <= bytes - 3'd1;
                end
                if (is_data) begin
                    word <= {1'b0, word[31:1]};
                    // CRC-32 of IEEE 802.3, of what comes between the mark and it.
                    crc <= {1'b0, crc[31:1]} ^ (crc[0] ^ word[0] ? 32'hedb88320 : 32'd0);
                end
            end
        end else if (step == 5'd14) begin
            crc <= 32'hffffffff;
        end
    end

    {{ top }} trace (
        .clock (clock),
        .{{ reset }} ({{ reset }}),
        .psel (psel),
        .penable (penable),
        .pwrite (is_write),
        .paddr (address),
        .pwdata (written),
        .pstrb (4'hf),
        .pprot (3'd0),
        .pready (pready),
        .prdata (prdata),
        .pslverr (pslverr),
{% for port in kept %}
        .{{ port.name }} ({{ port.name }}){{ "," if not loop.last }}
{% endfor %}
    );

endmodule
