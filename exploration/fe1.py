from lib import *
import re
D=sys.argv[1]+'/'+P
# gshare/order table, K=2
def table(name,n,w,ab):
    open(D+name+'.v','w').write(f"""module {P}{name} (input wire clock, input wire reset, input wire clear, input wire [{ab-1}:0] clear_index, input wire [{w-1}:0] clear_entry,
  input wire [{ab-1}:0] index, output wire [{w-1}:0] entry, input wire learn_soon, input wire learn, input wire [{w-1}:0] learned);
  reg [{w-1}:0] cells [0:{n-1}];
  reg [{w-1}:0] raw1, raw2, l1, l2; reg [{ab-1}:0] i1, i2, i3; reg f1, f2; reg d3;
  always @(posedge clock) begin
    raw1 <= cells[index]; raw2 <= raw1; i1 <= index; i2 <= i1; i3 <= i2;
    f1 <= (i1 == i2) & learn; d3 <= learn; f2 <= (i1 == i3) & d3;
    l1 <= learned; l2 <= l1;
    if (learn | clear) cells[clear ? clear_index : i2] <= clear ? clear_entry : learned;
  end
  assign entry = f1 ? l1 : f2 ? l2 : raw2;
endmodule
""")
table('predictor_table_entries512_width2',512,2,9)
table('predictor_table_entries32_width1',32,1,5)
f=D+'gshare.v'
sub(f,(".learn       (learn)",".learn_soon(1'b0), .learn(learn)"))
open(D+'indirect_branch_target_buffer.v','w').write(f"""module {P}indirect_branch_target_buffer (input wire clock, input wire reset, input wire clear, input wire [8:0] clear_index,
 input wire update_path, input wire [31:0] program_counter, input wire taken, input wire learn, input wire [17:0] target, // target: cycle 1
 output wire hit, output wire wrong);
  reg [12:0] path_history;
  wire [4:0] set = path_history[12:8] ^ program_counter[8:4];
  wire [7:0] tag = path_history[7:0] ^ program_counter[17:10];
  always @(posedge clock) if (reset) path_history <= 0; else if (update_path) path_history <= ({{path_history[10:0], 2'd0}} ^ program_counter[16:4]) | {{12'd0, taken}};
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
  {P}predictor_table_entries32_width1 ord(.clock(clock),.reset(reset),.clear(clear),.clear_index(clear_index[4:0]),.clear_entry(1'b0),.index(set),.entry(order),.learn_soon(1'b0),.learn(learn),.learned(u0));
  always @(posedge clock) begin
    e0 <= w0[set]; e1 <= w1[set]; s1 <= set; s2 <= s1; s3 <= s2; t1 <= tag; t2 <= t1; t3 <= t2; g2 <= target; g3 <= g2;
    m0 <= over0 ? st2w : (e0[25:18] == t1); m1 <= over1 ? st2w : (e1[25:18] == t1);
    x0 <= over0 ? sx2w : (e0[17:0] != target); x1 <= over1 ? sx2w : (e1[17:0] != target);
    ss1 <= s1 == s2; st1 <= t1 == t2; sx1 <= target != g2;
    ld0 <= lw0; ld1 <= lw1;
    if (lw0 | clear) w0[clear ? clear_index[4:0] : s2] <= clear ? 26'd0 : {{t2, g2}};
    if (lw1 | clear) w1[clear ? clear_index[4:0] : s2] <= clear ? 26'd0 : {{t2, g2}};
  end
endmodule
""")
f=D+'return_address_stack.v'
open(D+'target_predictor.v','w').write(f"""module {P}target_predictor (input wire clock, input wire reset, input wire clear, input wire [8:0] clear_index,
 input wire update_path, input wire path_taken, input wire [31:0] program_counter, input wire [3:0] length,
 input wire update, input wire indirect, input wire call, input wire is_return, input wire taken, input wire [29:0] target, // cycle 1
 output wire missed); // cycle 2, given taken indirect
  reg [17:0] ra; wire [17:0] top; wire [11:0] up;
  always @(posedge clock) ra <= program_counter[19:2] + {{16'd0, length[3:2]}};
  {P}return_address_stack ras(.clock(clock),.reset(reset),.clear(clear),.clear_index(clear_index),.pop(update&is_return&taken),.push(update&call&taken),.return_address(ra),.top(top));
  reg learn2, ret2, ws0, ws1, ws2, wu0, wu1; wire hit, wrong;
  always @(posedge clock) begin learn2 <= update & indirect & taken & !is_return; ret2 <= is_return;
    ws0 <= top[5:0] != target[5:0]; ws1 <= top[11:6] != target[11:6]; ws2 <= top[17:12] != target[17:12]; wu0 <= up[5:0] != target[23:18]; wu1 <= up[11:6] != target[29:24]; end
  {P}indirect_branch_target_buffer b(.clock(clock),.reset(reset),.clear(clear),.clear_index(clear_index),.update_path(update_path),.program_counter(program_counter),.taken(path_taken),.learn(learn2),.target(target[17:0]),.hit(hit),.wrong(wrong));
  {P}last_value_predictor l(.clock(clock),.reset(reset),.update(update&indirect&taken),.target_upper(target[29:18]),.predicted_upper(up));
  assign missed = wu0 | wu1 | (ret2 ? (ws0|ws1|ws2) : (!hit | wrong));
endmodule
""")
import os
os.remove(D+'predictor_table_entries32_width26.v'); os.remove(D+'recency.v')
f=D+'stage.v'
s=open(f).read()
s=s.replace("            held_count <= 4'd0;\n            held_target <= 30'd0;\n","").replace("            held_count <= count;\n            held_target <= target;\n","")
s=s.replace("endmodule","    always @(posedge clock) begin held_count <= count; held_target <= target; end\nendmodule")
open(f,'w').write(s)
f=D+'encoder.v'
s=open(f).read()
a=s.index("    traptor_m4_fpga_target_predictor target_predictor ("); b=s.index("    traptor_m4_fpga_record_former")
s=s[:a]+f"""    wire tmiss; wire [14:0] f2; wire [3:0] c2; wire [29:0] tg2;
    {P}target_predictor target_predictor (.clock(clock),.reset(reset),.clear(clear),.clear_index(clear_index),.update_path(target_predictor_update_path),.path_taken(taken),.program_counter(program_counter),.length(length),
     .update(target_predictor_update),.indirect(read_flags[4]),.call(read_flags[7]),.is_return(read_flags[8]),.taken(read_flags[6]),.target(read_target),.missed(tmiss));
    {P}stage compare_stage(.clock(clock),.reset(reset),.flags(read_flags),.count(read_count),.target(read_target),.later_flags(f2),.later_count(c2),.later_target(tg2));
"""+s[b:]
s=s.replace("""        .flags        (compared_flags),
        .count        (read_count),
        .target       (read_target),""","""        .flags        (compared_flags),
        .count        (c2),
        .target       (tg2),""")
s=s.replace(".outcome         (read_flags[6])",".outcome         (f2[6])")
s=s.replace("assign gshare_learn = read_flags[0] & read_flags[3]","assign gshare_learn = f2[0] & f2[3]")
s=s.replace("assign outcome_missed = read_flags[3] & (gshare_predicted_taken ^ read_flags[6]);","assign outcome_missed = (f2[3] & (gshare_predicted_taken ^ f2[6])) | (f2[4] & f2[6] & tmiss);")
a=s.index("    assign wrong_bits ="); b=s.index("    assign compared_flags")
s=s[:a]+s[b:]
s=re.sub(r"assign compared_flags = [^;]*;","assign compared_flags = f2 | {5'd0, outcome_missed, 9'd0};",s)
s=s.replace("read_flags[0] | read_flags[1] |","read_flags[0] | read_flags[1] | f2[0] | f2[1] |")
a=s.index("    always @* begin\n        target_missed ="); b=s.index("    assign record_former_missed")
s=s[:a]+s[b:]
s=s.replace("assign record_former_missed = target_missed | record_flags[9];","assign record_former_missed = record_flags[9];")
s=s.replace("            formed <= 57'd0;\n","").replace("            formed <= record_former_record;\n","").replace("    wire _unused_ok","    always @(posedge clock) formed <= record_former_record;\n    wire _unused_ok")
open(f,'w').write(s)
