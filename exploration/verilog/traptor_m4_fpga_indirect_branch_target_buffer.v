module traptor_m4_fpga_indirect_branch_target_buffer (input wire clock, input wire reset, input wire clear, input wire [8:0] clear_index,
 input wire update_path, input wire [31:0] program_counter, input wire taken, input wire learn, input wire [17:0] target, // target: cycle 1
 output wire hit, output wire wrong);
  reg [12:0] path_history;
  wire [4:0] set = path_history[12:8] ^ program_counter[8:4];
  wire [7:0] tag = path_history[7:0] ^ program_counter[17:10];
  always @(posedge clock) if (reset) path_history <= 0; else if (update_path) path_history <= ({path_history[10:0], 2'd0} ^ program_counter[16:4]) | {12'd0, taken};
  reg [25:0] w0 [0:31]; reg [25:0] w1 [0:31];
  reg [25:0] e0, e1; reg [4:0] s1, s2, s3; reg [7:0] t1,t2,t3; reg [17:0] g2,g3;
  reg m0,m1,x0,x1, ss1, st1, sx1; reg ld0, ld1;
  wire over0 = ld0 & ss2w, over1 = ld1 & ss2w;
  wire ss2w = s1 == s3; wire st2w = t1 == t3; wire sx2w = target != g3;
  wire M0 = (ld0 & ss1) ? st1 : m0; wire M1 = (ld1 & ss1) ? st1 : m1;
  wire X0 = (ld0 & ss1) ? sx1 : x0; wire X1 = (ld1 & ss1) ? sx1 : x1;
  assign hit = M0 | M1; assign wrong = M0 ? X0 : X1;
  wire order;
  wire u0 = M0 | (!M1 & !order); wire u1 = !M0 & (M1 | order);
  wire lw0 = learn & u0, lw1 = learn & u1;
  traptor_m4_fpga_predictor_table_entries32_width1 ord(.clock(clock),.reset(reset),.clear(clear),.clear_index(clear_index[4:0]),.clear_entry(1'b0),.index(set),.entry(order),.learn_soon(1'b0),.learn(learn),.learned(u0));
  always @(posedge clock) begin
    e0 <= w0[set]; e1 <= w1[set]; s1 <= set; s2 <= s1; s3 <= s2; t1 <= tag; t2 <= t1; t3 <= t2; g2 <= target; g3 <= g2;
    m0 <= over0 ? st2w : (e0[25:18] == t1); m1 <= over1 ? st2w : (e1[25:18] == t1);
    x0 <= over0 ? sx2w : (e0[17:0] != target); x1 <= over1 ? sx2w : (e1[17:0] != target);
    ss1 <= s1 == s2; st1 <= t1 == t2; sx1 <= target != g2;
    ld0 <= lw0; ld1 <= lw1;
    if (lw0 | clear) w0[clear ? clear_index[4:0] : s2] <= clear ? 26'd0 : {t2, g2};
    if (lw1 | clear) w1[clear ? clear_index[4:0] : s2] <= clear ? 26'd0 : {t2, g2};
  end
endmodule
