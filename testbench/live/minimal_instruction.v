// What an instruction computes, where it leads, whether and why it traps, and how a block of the trace ingress port that
// ends with it ends. A load or store has its answer where data_read and data_error are.
module minimal_instruction (
    input  wire [31:0] insn,
    input  wire        fetch_error,
    input  wire [31:0] pc,
    input  wire [31:0] rs1,
    input  wire [31:0] rs2,
    input  wire [1:0]  mode,
    input  wire [31:0] csr,
    input  wire        csr_is_there,
    input  wire [31:0] mepc,
    input  wire [31:0] data_read,
    input  wire        data_error,
    output wire [31:0] data_address,
    output wire [3:0]  data_strobe,
    output wire [31:0] data_written,
    output wire        writes,
    output wire        is_memory,
    output wire        is_system,
    output wire        jumps,
    output reg  [31:0] result,
    output wire [31:0] next_pc,
    output reg         trap,
    output reg  [3:0]  cause,
    output reg  [31:0] tval,
    output reg  [3:0]  itype
);

    wire [6:0] opcode = insn[6:0];
    wire [2:0] funct3 = insn[14:12];
    wire [6:0] funct7 = insn[31:25];
    wire is_lui = opcode == 7'h37, is_auipc = opcode == 7'h17;
    wire is_jal = opcode == 7'h6f, is_jalr = opcode == 7'h67, is_branch = opcode == 7'h63;
    wire is_load = opcode == 7'h03, is_store = opcode == 7'h23;
    wire is_immediate = opcode == 7'h13, is_register = opcode == 7'h33, is_fence = opcode == 7'h0f;
    assign is_system = opcode == 7'h73;
    assign is_memory = is_load | is_store;
    wire is_ecall = insn == 32'h0000_0073, is_ebreak = insn == 32'h0010_0073;
    wire is_mret = insn == 32'h3020_0073, is_wfi = insn == 32'h1050_0073;
    wire is_csr = is_system & funct3[1:0] != 2'd0;

    wire [31:0] immediate_i = {{20{insn[31]}}, insn[31:20]};
    wire [31:0] immediate_s = {{20{insn[31]}}, insn[31:25], insn[11:7]};
    wire [31:0] immediate_b = {{20{insn[31]}}, insn[7], insn[30:25], insn[11:8], 1'b0};
    wire [31:0] immediate_j = {{12{insn[31]}}, insn[19:12], insn[20], insn[30:21], 1'b0};

    // Arithmetic.
    wire [31:0] operand = is_immediate ? immediate_i : rs2;
    wire        is_less = $signed(rs1) < $signed(operand);
    wire        is_below = rs1 < operand;
    wire [31:0] shifted_right = insn[30] ? $unsigned($signed(rs1) >>> operand[4:0]) : rs1 >> operand[4:0];
    reg  [31:0] computed;
    always @(*)
        case (funct3)
            3'd0: computed = is_register & insn[30] ? rs1 - operand : rs1 + operand;
            3'd1: computed = rs1 << operand[4:0];
            3'd2: computed = {31'd0, is_less};
            3'd3: computed = {31'd0, is_below};
            3'd4: computed = rs1 ^ operand;
            3'd5: computed = shifted_right;
            3'd6: computed = rs1 | operand;
            default: computed = rs1 & operand;
        endcase

    // Memory.
    assign data_address = rs1 + (is_store ? immediate_s : immediate_i);
    assign data_strobe = is_store ? {{2{funct3[1]}}, funct3 != 3'd0, 1'b1} << data_address[1:0] : 4'd0;
    assign data_written = rs2 << {data_address[1:0], 3'd0};
    wire [31:0] aligned = data_read >> {data_address[1:0], 3'd0};
    wire        is_split = (funct3[1:0] == 2'd1 & data_address[0]) | (funct3[1:0] == 2'd2 & data_address[1:0] != 2'd0);
    reg  [31:0] loaded;
    always @(*)
        case (funct3[1:0])
            2'd0: loaded = {{24{aligned[7] & !funct3[2]}}, aligned[7:0]};
            2'd1: loaded = {{16{aligned[15] & !funct3[2]}}, aligned[15:0]};
            default: loaded = aligned;
        endcase

    // Jumps and branches.
    wire        is_condition = funct3[2] ? funct3[1] ? is_below : is_less : rs1 == rs2;
    wire        is_taken = is_branch & is_condition != funct3[0];
    wire [31:0] following = pc + 32'd4;
    wire [31:0] jalr_target = (rs1 + immediate_i) & ~32'd1;
    wire [31:0] target = is_jalr ? jalr_target : pc + (is_jal ? immediate_j : immediate_b);
    wire        is_jump = is_jal | is_jalr | is_taken;
    assign jumps = is_jump | is_mret;
    assign next_pc = is_mret ? mepc : is_jump ? target : following;

    assign writes = insn[11:7] != 5'd0
        & (is_lui | is_auipc | is_jal | is_jalr | is_load | is_immediate | is_register | is_csr);
    always @(*)
        if (is_lui)
            result = {insn[31:12], 12'd0};
        else if (is_auipc)
            result = pc + {insn[31:12], 12'd0};
        else if (is_jal | is_jalr)
            result = following;
        else if (is_load)
            result = loaded;
        else
            result = is_csr ? csr : computed;

    // Which words are instructions.
    wire shift_is_right = funct7 == 7'd0 | (funct3 == 3'd5 & funct7 == 7'h20);
    wire is_legal = is_lui | is_auipc | is_jal
        | (is_jalr & funct3 == 3'd0)
        | (is_branch & funct3[2:1] != 2'd1)
        | (is_load & funct3 != 3'd3 & funct3 < 3'd6)
        | (is_store & funct3 < 3'd3)
        | (is_immediate & (funct3[1:0] != 2'd1 | shift_is_right))
        | (is_register & (funct7 == 7'd0 | (funct7 == 7'h20 & (funct3 == 3'd0 | funct3 == 3'd5))))
        | (is_fence & funct3 < 3'd2)
        | is_ecall | is_ebreak | ((is_mret | is_wfi) & mode == 2'd3) | (is_csr & csr_is_there);

    always @(*) begin
        trap = 1'b1;
        tval = 32'd0;
        if (fetch_error) begin
            cause = 4'd1;
            tval = pc;
        end else if (!is_legal) begin
            cause = 4'd2;
            tval = insn;
        end else if (is_jump & target[1]) begin
            cause = 4'd0;
            tval = target;
        end else if (is_ebreak)
            cause = 4'd3;
        else if (is_ecall)
            cause = {2'b10, mode};
        else if (is_memory & (is_split | data_error)) begin
            cause = {1'b0, 1'b1, is_store, !is_split};
            tval = data_address;
        end else begin
            cause = 4'd0;
            trap = 1'b0;
        end
    end

    // x1 and x5 are link registers.
    wire links = insn[11:7] == 5'd1 | insn[11:7] == 5'd5;
    wire is_link = insn[19:15] == 5'd1 | insn[19:15] == 5'd5;
    always @(*)
        if (is_mret)
            itype = 4'd3;
        else if (is_branch)
            itype = is_taken ? 4'd5 : 4'd4;
        else if (is_jal)
            itype = links ? 4'd9 : insn[11:7] == 5'd0 ? 4'd11 : 4'd15;
        else if (is_jalr & links)
            itype = is_link & insn[11:7] != insn[19:15] ? 4'd12 : 4'd8;
        else if (is_jalr)
            itype = is_link ? 4'd13 : insn[11:7] == 5'd0 ? 4'd10 : 4'd14;
        else
            itype = 4'd0;

endmodule
