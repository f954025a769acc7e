// Checks the pins of {{ top }} against the rules of docs/hardware.md. Instantiate {{ top }}_contract beside {{ top }}, on the
// same wires. Every rule has a bit of `violations`, which rises in the cycle after the first violation and stays high
// until the reset, so that it can also be a pin of a prototype. A simulator also prints every violation; with STOP = 1 it
// stops there. If FORMAL is defined, the rules for the core are assumptions, and the rules for the module are assertions.

{% set is_data = pins.valid == "data_valid" %}
{% set core_rules = 1 if is_data else 6 %}
{% set edge = "posedge clock or negedge reset_n" if pins.reset_level == 0 else "posedge clock" %}
{% set in_reset = "!reset_n" if pins.reset_level == 0 else "reset" %}
{% set enabled = " if (clock_enable)" if pins.clock_enable else "" %}
{% macro range(width) %}{{ "[" ~ (width - 1) ~ ":0] " if width > 1 else "" }}{% endmacro %}
{% macro pins_of(suffix, stall) %}
    input  wire {{ pins.valid }}{{ suffix }},
{% for pin in pins.fields %}
    input  wire {{ range(pin.width) }}{{ pin.name }}{{ suffix }},
{% endfor %}
    input  wire {{ stall }}{{ suffix }},
{% endmacro %}
// The rules for one core.
module {{ top }}_contract_core #(
    parameter STOP = 0
) (
    input  wire clock,
    input  wire {{ pins.reset }},
{% if pins.clock_enable %}
    input  wire clock_enable,
{% endif %}
{{ pins_of("", "stall") }}    output reg {{ range(core_rules) }}violations
);

    // What was shown and not taken.
    reg waits;
    reg [{{ pins.field_bits - 1 }}:0] waiting;
    wire [{{ pins.field_bits - 1 }}:0] shown = {
{% for pin in pins.fields | reverse %}
        {{ pin.name }}{{ "," if not loop.last }}
{% endfor %}
    };

    wire is_replaced = {{ pins.valid }} & waits & (shown != waiting);
{% if is_data %}
    wire broken = is_replaced;
{% else %}

    // Where the next block begins, if the last one says so.
    reg is_known;
    reg {{ range(address_width) }}start;

    wire is_jump = (retire_kind == 3'd1) | (retire_kind == 3'd3);
    wire is_conditional = (retire_kind == 3'd2) | (retire_kind == 3'd4);
    wire is_exception = retire_kind == 3'd5;
    wire diverts = is_exception | is_jump | (is_conditional & retire_taken);
    wire is_single = retire_count == {{ count_bits }}'d1;
    wire is_empty = retire_count == {{ count_bits }}'d0;

    wire is_reserved = retire_valid & (retire_kind[2:1] == 2'b11);
    wire is_not_taken = retire_valid & is_jump & !retire_taken;
    wire has_no_instruction = retire_valid & is_empty & !is_exception;
{% if alignment > 0 %}
    wire is_misaligned = retire_valid & (
        (!is_empty & (retire_pc[{{ alignment - 1 }}:0] != {{ alignment }}'d0)) | (diverts & (retire_target[{{ alignment - 1 }}:0] != {{ alignment }}'d0)));
{% else %}
    wire is_misaligned = 1'b0; // an instruction may begin at every byte
{% endif %}
    // A core may show sequential blocks without their addresses, which the module does not read.
    wire begins_elsewhere = retire_valid & is_known & is_single & (retire_kind != 3'd0) & (retire_pc != start);

    wire [{{ core_rules - 1 }}:0] broken =
        {begins_elsewhere, is_misaligned, has_no_instruction, is_not_taken, is_reserved, is_replaced};
{% endif %}

    always @({{ edge }}) begin
        if ({{ in_reset }}) begin
            violations <= {{ core_rules }}'d0;
            waits <= 1'b0;
            waiting <= {{ pins.field_bits }}'d0;
{% if not is_data %}
            is_known <= 1'b0;
            start <= {{ address_width }}'d0;
{% endif %}
        end else{{ enabled }} begin
            violations <= violations | broken;
            if ({{ pins.valid }}) begin
                waits <= stall;
                waiting <= shown;
            end
{% if not is_data %}
            if (retire_valid & !stall) begin
                is_known <= diverts;
                start <= retire_target;
            end
{% endif %}
`ifndef FORMAL
`ifndef SYNTHESIS
            if ({{ pins.valid }} !== 1'b0 & {{ pins.valid }} !== 1'b1)
                $display("%m: %0t: {{ pins.valid }} is unknown", $time);
            if (is_replaced)
                $display("%m: %0t: the {{ "access" if is_data else "block" }} that was stalled has been replaced", $time);
{% if not is_data %}
            if (is_reserved)
                $display("%m: %0t: retire_kind %0d is reserved", $time, retire_kind);
            if (is_not_taken)
                $display("%m: %0t: a jump (retire_kind %0d) is not taken", $time, retire_kind);
            if (has_no_instruction)
                $display("%m: %0t: retire_count is 0 for a block of kind %0d", $time, retire_kind);
            if (is_misaligned)
                $display("%m: %0t: retire_pc %h or retire_target %h is no instruction's address", $time, retire_pc, retire_target);
            if (begins_elsewhere)
                $display("%m: %0t: retire_pc is %h, but the last block led to %h", $time, retire_pc, start);
{% endif %}
            if (STOP != 0 & broken != {{ core_rules }}'d0)
                $stop;
`endif
`endif
        end
    end

`ifdef FORMAL
    always @(posedge clock) begin
        if (!({{ in_reset }}){{ " & clock_enable" if pins.clock_enable }})
            assume(broken == {{ core_rules }}'d0);
    end
`endif

endmodule

// The rules for all cores, for the flush and for the module itself.
module {{ top }}_contract #(
    parameter STOP = 0
) (
    input  wire clock,
    input  wire {{ pins.reset }},
{% if pins.clock_enable %}
    input  wire clock_enable,
{% endif %}
{% for suffix in pins.suffixes %}
{{ pins_of(suffix, "stall" if pins.has_stall else "drops") }}{% endfor %}
{% for pin in pins.ruled %}
    input  wire {{ range(pin.width) }}{{ pin.name }},
{% endfor %}
    // From bit 0, for {{ "every core in turn" if cores > 1 else "the core" }}: a stalled {{ "access" if is_data else "block" }} is replaced{{ "" if is_data else "; a reserved kind; a jump that is not taken; no" }}
{% if not is_data %}
    // instruction without an exception; an address that is not aligned; a block that begins elsewhere
{% endif %}
    // Then: flush falls before flushed rises; trace_valid falls or trace_data changes before the beat is taken; flushed
    // is high without flush.
    output wire [{{ core_rules * cores + 2 }}:0] violations
);

{% for suffix in pins.suffixes %}
    {{ top }}_contract_core #(.STOP (STOP)) core{{ suffix }} (
        .clock (clock),
        .{{ pins.reset }} ({{ pins.reset }}),
{% if pins.clock_enable %}
        .clock_enable (clock_enable),
{% endif %}
        .{{ pins.valid }} ({{ pins.valid }}{{ suffix }}),
{% for pin in pins.fields %}
        .{{ pin.name }} ({{ pin.name }}{{ suffix }}),
{% endfor %}
        .stall ({{ "stall" ~ suffix if pins.has_stall else "1'b0" }}),
        .violations (violations[{{ core_rules * (loop.index0 + 1) - 1 }}{{ ":" ~ core_rules * loop.index0 if core_rules > 1 }}])
    );

{% endfor %}
{% if not pins.has_stall %}
    // A block that is lost has retired, too.
    wire _unused_ok = &{1'b0{% for suffix in pins.suffixes %}, drops{{ suffix }}{% endfor %}};

{% endif %}
{% set ends = "ends" if pins.switches else "flush" %}
{% if pins.switches %}
    // A trace ends where tracing is switched off, too.
    wire ends = flush | !enable;
{% endif %}
    reg flush_waits;
    reg flush_before;
    reg beat_waits;
    reg {{ range(pins.trace_width) }}beat;
    reg [2:0] shared_violations;

    wire is_withdrawn = flush_waits & !{{ ends }} & !flushed;
    wire beat_changes = beat_waits & (!trace_valid | (trace_data != beat));
    wire is_flushed_alone = flushed & !{{ ends }} & !flush_before;
    wire [2:0] broken = {is_flushed_alone, beat_changes, is_withdrawn};

    assign violations[{{ core_rules * cores + 2 }}:{{ core_rules * cores }}] = shared_violations;

    always @({{ edge }}) begin
        if ({{ in_reset }}) begin
            flush_waits <= 1'b0;
            flush_before <= 1'b0;
            beat_waits <= 1'b0;
            beat <= {{ pins.trace_width }}'d0;
            shared_violations <= 3'd0;
        end else{{ enabled }} begin
            flush_waits <= {{ ends }} & !flushed;
            flush_before <= {{ ends }};
            beat_waits <= trace_valid & !trace_ready{{ " & !discard" if pins.switches }};
            beat <= trace_data;
            shared_violations <= shared_violations | broken;
`ifndef FORMAL
`ifndef SYNTHESIS
            if (is_withdrawn)
                $display("%m: %0t: flush has fallen before flushed rose", $time);
            if (beat_changes)
                $display("%m: %0t: a beat has changed before it was taken", $time);
            if (is_flushed_alone)
                $display("%m: %0t: flushed is high without flush", $time);
            if (STOP != 0 & broken != 3'd0)
                $stop;
`endif
`endif
        end
    end

`ifdef FORMAL
    always @(posedge clock) begin
        if (!({{ in_reset }}){{ " & clock_enable" if pins.clock_enable }}) begin
            assume(!is_withdrawn);
            assert(!beat_changes);
            assert(!is_flushed_alone);
        end
    end
`endif

endmodule
