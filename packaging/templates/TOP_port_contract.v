// Checks the port of {{ top }}_{{ port }} against what the adapter takes of it (docs/port_check.md).
// Instantiate {{ top }}_{{ port }}_contract beside {{ top }}_{{ port }}, on the same wires. Every convention has a bit of `found`,
// which rises in the cycle after the first instructions that show it and stays high until the reset, so that it can also be
// a pin of a prototype. A simulator names each convention once, with the setting for it. EXPANDED and TRAP_CHECKED are 1
// where the adapter has that setting; the convention is then none to be named.

{% set bits = address_width %}
{% set edge = "posedge clock or negedge reset_n" if pins.reset_level == 0 else "posedge clock" %}
{% set in_reset = "!reset_n" if pins.reset_level == 0 else "reset" %}
{% set enabled = " if (clock_enable)" if pins.clock_enable else "" %}
// What two instructions that follow each other show.
module {{ top }}_{{ port }}_contract_pair (
    input  wire [31:0] insn,
    input  wire is_long, // it has four bytes
    input  wire trap,
    input  wire {{ range(bits) }}pc,
{% if says_next %}
    input  wire {{ range(bits) }}said, // its next pc
{% endif %}
    input  wire {{ range(bits) }}next, // where the other one is
    input  wire next_intr,
    output wire leads, // the word can lead there
    output wire is_direct, // and says where it leads
    // From bit 0: the word of a compressed instruction is expanded; the next pc is a handler; the next pc is a predicted
    // one; an instruction with a trap has retired.
    output wire [3:0] shown
);

    wire is_jal = insn[6:0] == 7'h6f;
    wire is_branch = insn[6:0] == 7'h63;
    wire is_short_jump = (insn[1:0] == 2'b01) & (insn[14:13] == 2'b01){{ " & insn[15]" if xlen == 64 }};
    wire is_short_branch = (insn[1:0] == 2'b01) & (insn[15:14] == 2'b11);
    wire is_short_indirect = (insn[1:0] == 2'b10) & (insn[15:13] == 3'b100) & (insn[6:2] == 5'd0) & (insn[11:7] != 5'd0);
    wire is_return = (insn == 32'h00200073) | (insn == 32'h10200073) | (insn == 32'h30200073) | (insn == 32'h7b200073);
    wire is_indirect = (insn[6:0] == 7'h67) | is_short_indirect | is_return;
    wire is_jump = is_jal | is_short_jump;
    wire is_conditional = is_branch | is_short_branch;

    wire {{ range(bits) }}jal_offset =
        {{ "{{" }}{{ bits - 20 }}{insn[31]}}, insn[19:12], insn[20], insn[30:21], 1'b0};
    wire {{ range(bits) }}branch_offset =
        {{ "{{" }}{{ bits - 12 }}{insn[31]}}, insn[7], insn[30:25], insn[11:8], 1'b0};
    wire {{ range(bits) }}short_jump_offset =
        {{ "{{" }}{{ bits - 11 }}{insn[12]}}, insn[8], insn[10:9], insn[6], insn[7], insn[2], insn[11], insn[5:3], 1'b0};
    wire {{ range(bits) }}short_branch_offset =
        {{ "{{" }}{{ bits - 8 }}{insn[12]}}, insn[6:5], insn[2], insn[11:10], insn[4:3], 1'b0};
    wire {{ range(bits) }}offset =
        is_jal ? jal_offset : is_branch ? branch_offset : is_short_jump ? short_jump_offset : short_branch_offset;
    wire {{ range(bits) }}target = pc + offset;
    wire {{ range(bits) }}following = pc + (is_long ? {{ bits }}'d4 : {{ bits }}'d2);
    wire {{ range(bits) }}half = pc + {{ bits }}'d2;

    wire goes_on = !is_jump & !is_indirect;
{% if says_next %}
    wire said_leads =
        is_indirect | (goes_on & (said == following)) | ((is_jump | is_conditional) & (said == target));
    wire is_elsewhere = (said_leads & (said != next)) | leads;
{% else %}
    wire is_elsewhere = leads;
{% endif %}
    wire is_expanded = is_long & goes_on & (next == half);

    assign leads =
        is_indirect | (goes_on & (next == following)) | ((is_jump | is_conditional) & (next == target));
    assign is_direct = !is_indirect;

    // What computes, branches or jumps traps only if it cannot be fetched.
    wire never_traps = is_jump | is_conditional | (insn[6:0] == 7'h13) | (insn[6:0] == 7'h17) | (insn[6:0] == 7'h37)
        | (insn[1:0] == 2'b01);

    assign shown[0] = !trap & is_expanded;
{% if says_next %}
    assign shown[1] = !trap & is_direct & !leads & !is_expanded & (said == next);
    assign shown[2] = !trap & is_direct & leads & (said != next);
{% else %}
    assign shown[2:1] = 2'b00;
{% endif %}
    assign shown[3] = trap & is_direct & never_traps & is_elsewhere & !next_intr;

endmodule

// What the port of a core shows.
module {{ top }}_{{ port }}_contract #(
    parameter EXPANDED = {{ expanded }},
    parameter TRAP_CHECKED = {{ trap_checked }}
) (
    input  wire clock,
    input  wire {{ pins.reset }},
{% if pins.clock_enable %}
    input  wire clock_enable,
{% endif %}
{% for pin in rows %}
    input  wire {{ range(pin.bits * lanes) }}{{ pin.name }},
{% endfor %}
    // From bit 0: compressed-expanded, next-handler, next-fall-through, trap-retired, lanes-mixed
    output reg [4:0] found
);

    // The instructions of this cycle, in the order of the program.
{% for lane in lane_numbers %}
{% for pin in rows %}
{% set low = lane * pin.bits %}
    wire {{ range(pin.bits) }}{{ "lane_" if numbered }}{{ pin.what }}_{{ lane }}{{ "_now" if not numbered }} = {{ pin.name }}
        {{- "[" ~ (low + pin.bits - 1) ~ ":" ~ low ~ "]" if pin.bits > 1 else "[" ~ lane ~ "]" if lanes > 1 }};
{% endfor %}
{% endfor %}
{% if numbered %}
{% for lane in lane_numbers %}
    // How many come before that of lane {{ lane }}: the numbers of a cycle are less than four apart.
{% for other in lane_numbers if other != lane %}
    wire [2:0] from_{{ lane }}_to_{{ other }} = lane_number_{{ other }} - lane_number_{{ lane }};
{% endfor %}
    wire [2:0] rank_{{ lane }} = 3'd0
{%- for other in lane_numbers if other != lane %} + {2'b00, lane_valid_{{ other }} & from_{{ lane }}_to_{{ other }}[2]}{% endfor %};
{% for other in lane_numbers if other != lane %}
    wire _unused_from_{{ lane }}_to_{{ other }} = &{1'b0, from_{{ lane }}_to_{{ other }}[1:0]};
{% endfor %}
{% endfor %}
{% for place in lane_numbers %}
{% for lane in lane_numbers %}
    wire is_{{ lane }}_at_{{ place }} = lane_valid_{{ lane }} & (rank_{{ lane }} == 3'd{{ place }});
{% endfor %}
{% for pin in rows if pin.what != "number" %}
    wire {{ range(pin.bits) }}{{ pin.what }}_{{ place }}_now =
{%- for lane in lane_numbers %} ({{ "{" }}{{ pin.bits }}{is_{{ lane }}_at_{{ place }}}} & lane_{{ pin.what }}_{{ lane }}){{ " |" if not loop.last }}{% endfor %};
{% endfor %}
{% endfor %}
{% endif %}

    // The last instruction.
    reg is_known;
    reg [31:0] word;
    reg is_long;
    reg trap;
    reg {{ range(bits) }}pc;
    wire is_known_0 = is_known;
    wire [31:0] word_0 = word;
    wire is_long_0 = is_long;
    wire trap_0 = trap;
    wire {{ range(bits) }}pc_0 = pc;
{% if says_next %}
    reg {{ range(bits) }}said;
    wire {{ range(bits) }}said_0 = said;
{% endif %}
{% for lane in lane_numbers %}

    wire is_long_{{ lane }}_now = {{ "!compressed_" ~ lane ~ "_now" if has_compressed else "word_" ~ lane ~ "_now[1:0] == 2'b11" }};
{% if not has_trap %}
    wire trap_{{ lane }}_now = 1'b0;
{% endif %}
{% if not has_interrupt %}
    wire interrupt_{{ lane }}_now = 1'b0;
{% endif %}
    wire leads_{{ lane }};
    wire is_direct_{{ lane }};
    wire [3:0] pair_{{ lane }};

    {{ top }}_{{ port }}_contract_pair lane{{ lane }} (
        .insn (word_{{ lane }}),
        .is_long (is_long_{{ lane }}),
        .trap (trap_{{ lane }}),
        .pc (pc_{{ lane }}),
{% if says_next %}
        .said (said_{{ lane }}),
{% endif %}
        .next (pc_{{ lane }}_now),
        .next_intr (interrupt_{{ lane }}_now),
        .leads (leads_{{ lane }}),
        .is_direct (is_direct_{{ lane }}),
        .shown (pair_{{ lane }})
    );

    wire shows_{{ lane }} = is_known_{{ lane }} & valid_{{ lane }}_now;
{% if lane > 0 and not numbered %}
    // The other way round, the instructions of the lanes follow each other.
    wire is_back_{{ lane }};
    wire back_is_direct_{{ lane }};
    wire [3:0] back_pair_{{ lane }};

    {{ top }}_{{ port }}_contract_pair back{{ lane }} (
        .insn (word_{{ lane }}_now),
        .is_long (is_long_{{ lane }}_now),
        .trap (trap_{{ lane }}_now),
        .pc (pc_{{ lane }}_now),
{% if says_next %}
        .said (next_{{ lane }}_now),
{% endif %}
        .next (pc_{{ lane }}),
        .next_intr (1'b0),
        .leads (is_back_{{ lane }}),
        .is_direct (back_is_direct_{{ lane }}),
        .shown (back_pair_{{ lane }})
    );

    wire _unused_back_{{ lane }} = &{1'b0, back_pair_{{ lane }}};
    wire is_mixed_{{ lane }} = shows_{{ lane }} & valid_{{ lane - 1 }}_now & !trap_{{ lane }} & is_direct_{{ lane }} & !leads_{{ lane }}
        & !pair_{{ lane }}[0] & !trap_{{ lane }}_now & back_is_direct_{{ lane }} & is_back_{{ lane }};
{% else %}
    wire _unused_leads_{{ lane }} = &{1'b0, leads_{{ lane }}, is_direct_{{ lane }}};
    wire is_mixed_{{ lane }} = 1'b0;
{% endif %}
    wire [4:0] shown_{{ lane }} = shows_{{ lane }} ? {is_mixed_{{ lane }}, pair_{{ lane }}} : 5'd0;
    wire is_known_{{ lane + 1 }} = is_known_{{ lane }} | valid_{{ lane }}_now;
    wire [31:0] word_{{ lane + 1 }} = valid_{{ lane }}_now ? word_{{ lane }}_now : word_{{ lane }};
    wire is_long_{{ lane + 1 }} = valid_{{ lane }}_now ? is_long_{{ lane }}_now : is_long_{{ lane }};
    wire trap_{{ lane + 1 }} = valid_{{ lane }}_now ? trap_{{ lane }}_now : trap_{{ lane }};
    wire {{ range(bits) }}pc_{{ lane + 1 }} = valid_{{ lane }}_now ? pc_{{ lane }}_now : pc_{{ lane }};
{% if says_next %}
    wire {{ range(bits) }}said_{{ lane + 1 }} = valid_{{ lane }}_now ? next_{{ lane }}_now : said_{{ lane }};
{% endif %}
{% endfor %}

    wire [4:0] hidden = {1'b0, TRAP_CHECKED != 0, 2'b00, EXPANDED != 0};
    wire [4:0] shown = ({% for lane in lane_numbers %}shown_{{ lane }}{{ " | " if not loop.last }}{% endfor %}) & ~hidden;

    always @({{ edge }}) begin
        if ({{ in_reset }}) begin
            found <= 5'd0;
            is_known <= 1'b0;
            word <= 32'd0;
            is_long <= 1'b0;
            trap <= 1'b0;
            pc <= {{ bits }}'d0;
{% if says_next %}
            said <= {{ bits }}'d0;
{% endif %}
        end else{{ enabled }} begin
            found <= found | shown;
            is_known <= is_known_{{ lanes }};
            word <= word_{{ lanes }};
            is_long <= is_long_{{ lanes }};
            trap <= trap_{{ lanes }};
            pc <= pc_{{ lanes }};
{% if says_next %}
            said <= said_{{ lanes }};
{% endif %}
`ifndef FORMAL
`ifndef SYNTHESIS
            if (shown[0] & !found[0])
                $display("%m: %0t: compressed-expanded: a word of 32 bits stands for a compressed instruction before %h: set compressed = expanded, or pin", $time, {{ pc_pin }});
{% if says_next %}
            if (shown[1] & !found[1])
                $display("%m: %0t: next-handler: {{ next_pin }} is %h, to which the word cannot lead: it is taken as an interrupt", $time, {{ pc_pin }});
            if (shown[2] & !found[2])
                $display("%m: %0t: next-fall-through: {{ next_pin }} is not where the word has led, to %h: use the port retired without next", $time, {{ pc_pin }});
{% endif %}
{% if has_trap %}
            if (shown[3] & !found[3])
                $display("%m: %0t: trap-retired: an instruction with {{ trap_pin }} has retired before %h: set trap = checked", $time, {{ pc_pin }});
{% endif %}
            if (shown[4] & !found[4])
                $display("%m: %0t: lanes-mixed: the instruction of a higher lane comes first, at %h: connect the oldest to lane 0", $time, {{ pc_pin }});
`endif
`endif
        end
    end

endmodule
