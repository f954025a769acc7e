// Checks the RISC-V formal interface in front of {{ top }}_rvfi against what the adapter takes of it (docs/port_check.md).
// Instantiate {{ top }}_rvfi_contract beside {{ top }}_rvfi, on the same wires. Every convention has a bit of `found`, which
// rises in the cycle after the first instructions that show it and stays high until the reset, so that it can also be a
// pin of a prototype. A simulator names each convention once, with the setting for it. With EXPANDED = 1 or
// TRAP_CHECKED = 1 the adapter has that setting, and the convention is none to be named.

{% set bits = address_width %}
{% set edge = "posedge clock or negedge reset_n" if pins.reset_level == 0 else "posedge clock" %}
{% set in_reset = "!reset_n" if pins.reset_level == 0 else "reset" %}
{% set enabled = " if (clock_enable)" if pins.clock_enable else "" %}
// What two instructions that follow each other show.
module {{ top }}_rvfi_contract_pair (
    input  wire [31:0] insn,
    input  wire trap,
    input  wire {{ range(bits) }}pc,
    input  wire {{ range(bits) }}said, // its next pc
    input  wire {{ range(bits) }}next, // where the other one is
    input  wire next_intr,
    output wire leads, // the word can lead there
    output wire is_direct, // and says where it leads
    // From bit 0: the word of a compressed instruction is expanded; the next pc is a handler; the next pc is a predicted
    // one; an instruction with a trap has retired.
    output wire [3:0] shown
);

    wire is_long = insn[1:0] == 2'b11;
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
    wire said_leads =
        is_indirect | (goes_on & (said == following)) | ((is_jump | is_conditional) & (said == target));
    wire is_expanded = is_long & goes_on & (next == half);

    assign leads =
        is_indirect | (goes_on & (next == following)) | ((is_jump | is_conditional) & (next == target));
    assign is_direct = !is_indirect;

    // What computes, branches or jumps traps only if it cannot be fetched.
    wire never_traps = is_jump | is_conditional | (insn[6:0] == 7'h13) | (insn[6:0] == 7'h17) | (insn[6:0] == 7'h37)
        | (insn[1:0] == 2'b01);
    wire is_elsewhere = (said_leads & (said != next)) | leads;

    assign shown[0] = !trap & is_expanded;
    assign shown[1] = !trap & is_direct & !leads & !is_expanded & (said == next);
    assign shown[2] = !trap & is_direct & leads & (said != next);
    assign shown[3] = trap & is_direct & never_traps & is_elsewhere & !next_intr;

endmodule

// What the port of a core shows.
module {{ top }}_rvfi_contract #(
    parameter EXPANDED = 0,
    parameter TRAP_CHECKED = 0
) (
    input  wire clock,
    input  wire {{ pins.reset }},
{% if pins.clock_enable %}
    input  wire clock_enable,
{% endif %}
    input  wire {{ range(lanes) }}rvfi_valid,
    input  wire {{ range(32 * lanes) }}rvfi_insn,
    input  wire {{ range(lanes) }}rvfi_trap,
    input  wire {{ range(lanes) }}rvfi_intr,
    input  wire {{ range(bits * lanes) }}rvfi_pc_rdata,
    input  wire {{ range(bits * lanes) }}rvfi_pc_wdata,
    // From bit 0: compressed-expanded, next-handler, next-fall-through, trap-retired, lanes-mixed
    output reg [4:0] found
);

    // The last instruction.
    reg is_known;
    reg [31:0] insn;
    reg trap;
    reg {{ range(bits) }}pc;
    reg {{ range(bits) }}said;

    wire is_known_0 = is_known;
    wire [31:0] insn_0 = insn;
    wire trap_0 = trap;
    wire {{ range(bits) }}pc_0 = pc;
    wire {{ range(bits) }}said_0 = said;
{% for lane in lane_numbers %}
{% set low = lane * bits %}
{% set bit = "[" ~ lane ~ "]" if lanes > 1 else "" %}

    wire {{ range(bits) }}pc_of_{{ lane }} = rvfi_pc_rdata[{{ low + bits - 1 }}:{{ low }}];
    wire leads_{{ lane }};
    wire is_direct_{{ lane }};
    wire [3:0] pair_{{ lane }};

    {{ top }}_rvfi_contract_pair lane{{ lane }} (
        .insn (insn_{{ lane }}),
        .trap (trap_{{ lane }}),
        .pc (pc_{{ lane }}),
        .said (said_{{ lane }}),
        .next (pc_of_{{ lane }}),
        .next_intr (rvfi_intr{{ bit }}),
        .leads (leads_{{ lane }}),
        .is_direct (is_direct_{{ lane }}),
        .shown (pair_{{ lane }})
    );

    wire shows_{{ lane }} = is_known_{{ lane }} & rvfi_valid{{ bit }};
{% if lane > 0 %}
    // The other way round, the instructions of the lanes follow each other.
    wire is_back_{{ lane }};
    wire back_is_direct_{{ lane }};
    wire [3:0] back_pair_{{ lane }};

    {{ top }}_rvfi_contract_pair back{{ lane }} (
        .insn (rvfi_insn[{{ 32 * lane + 31 }}:{{ 32 * lane }}]),
        .trap (rvfi_trap{{ bit }}),
        .pc (pc_of_{{ lane }}),
        .said (rvfi_pc_wdata[{{ low + bits - 1 }}:{{ low }}]),
        .next (pc_{{ lane }}),
        .next_intr (1'b0),
        .leads (is_back_{{ lane }}),
        .is_direct (back_is_direct_{{ lane }}),
        .shown (back_pair_{{ lane }})
    );

    wire _unused_back_{{ lane }} = &{1'b0, back_pair_{{ lane }}};
    wire is_mixed_{{ lane }} = shows_{{ lane }} & rvfi_valid[{{ lane - 1 }}] & !trap_{{ lane }} & is_direct_{{ lane }} & !leads_{{ lane }}
        & !pair_{{ lane }}[0] & !rvfi_trap{{ bit }} & back_is_direct_{{ lane }} & is_back_{{ lane }};
{% else %}
    wire _unused_leads_{{ lane }} = &{1'b0, leads_{{ lane }}, is_direct_{{ lane }}};
    wire is_mixed_{{ lane }} = 1'b0;
{% endif %}
    wire [4:0] shown_{{ lane }} = shows_{{ lane }} ? {is_mixed_{{ lane }}, pair_{{ lane }}} : 5'd0;
    wire is_known_{{ lane + 1 }} = is_known_{{ lane }} | rvfi_valid{{ bit }};
    wire [31:0] insn_{{ lane + 1 }} = rvfi_valid{{ bit }} ? rvfi_insn[{{ 32 * lane + 31 }}:{{ 32 * lane }}] : insn_{{ lane }};
    wire trap_{{ lane + 1 }} = rvfi_valid{{ bit }} ? rvfi_trap{{ bit }} : trap_{{ lane }};
    wire {{ range(bits) }}pc_{{ lane + 1 }} = rvfi_valid{{ bit }} ? pc_of_{{ lane }} : pc_{{ lane }};
    wire {{ range(bits) }}said_{{ lane + 1 }} =
        rvfi_valid{{ bit }} ? rvfi_pc_wdata[{{ low + bits - 1 }}:{{ low }}] : said_{{ lane }};
{% endfor %}

    wire [4:0] hidden = {1'b0, TRAP_CHECKED != 0, 2'b00, EXPANDED != 0};
    wire [4:0] shown = ({% for lane in lane_numbers %}shown_{{ lane }}{{ " | " if not loop.last }}{% endfor %}) & ~hidden;

    always @({{ edge }}) begin
        if ({{ in_reset }}) begin
            found <= 5'd0;
            is_known <= 1'b0;
            insn <= 32'd0;
            trap <= 1'b0;
            pc <= {{ bits }}'d0;
            said <= {{ bits }}'d0;
        end else{{ enabled }} begin
            found <= found | shown;
            is_known <= is_known_{{ lanes }};
            insn <= insn_{{ lanes }};
            trap <= trap_{{ lanes }};
            pc <= pc_{{ lanes }};
            said <= said_{{ lanes }};
`ifndef FORMAL
`ifndef SYNTHESIS
            if (shown[0] & !found[0])
                $display("%m: %0t: compressed-expanded: a word of 32 bits stands for a compressed instruction before %h: set compressed = expanded, or pin", $time, rvfi_pc_rdata);
            if (shown[1] & !found[1])
                $display("%m: %0t: next-handler: rvfi_pc_wdata is %h, to which the word cannot lead: it is taken as an interrupt", $time, rvfi_pc_rdata);
            if (shown[2] & !found[2])
                $display("%m: %0t: next-fall-through: rvfi_pc_wdata is not where the word has led, to %h: use the port retired without next", $time, rvfi_pc_rdata);
            if (shown[3] & !found[3])
                $display("%m: %0t: trap-retired: an instruction with rvfi_trap has retired before %h: set trap = checked", $time, rvfi_pc_rdata);
            if (shown[4] & !found[4])
                $display("%m: %0t: lanes-mixed: the instruction of a higher lane comes first, at %h: connect the oldest to lane 0", $time, rvfi_pc_rdata);
`endif
`endif
        end
    end

endmodule
