import sys
sys.argv=[sys.argv[0],*sys.argv[1:]]
from lib import *
d=sys.argv[1]; mode=sys.argv[2]
P='traptor_m4_'
f=f'{d}/{P}indirect_branch_target_buffer.v'
s=open(f).read()
a=s.index("    always @* begin\n        matching = 2'd0;"); b=s.index("    assign hit =")
s=s[:a]+"""    wire m0 = ways_0_entry[25:18] == tag; wire m1 = ways_1_entry[25:18] == tag;
    always @* begin
        matching = {m1 & !m0, m0};
        predicted_target = m0 ? ways_0_entry[17:0] : ways_1_entry[17:0];
    end
"""+s[b:]
s=s.replace("assign hit = |matching","assign hit = m0 | m1")
if mode=='B':
    s=s.replace("output reg  [17:0] predicted_target","input wire [17:0] actual, output wire wrong")
    s=s.replace("        predicted_target = m0 ? ways_0_entry[17:0] : ways_1_entry[17:0];\n","")
    s=s.replace("    assign hit =","    assign wrong = m0 ? (ways_0_entry[17:0] != actual) : (ways_1_entry[17:0] != actual);\n    assign hit =")
open(f,'w').write(s)
if mode=='B':
    f=f'{d}/{P}target_predictor.v'; s=open(f).read()
    import re
    a=s.index("    always @* begin\n        lower ="); b=s.index("    always @* begin\n        predicted =")
    s=s[:a]+"    wire bw; assign wrong = (use_stack ? return_address_stack_top != target[17:0] : (bw | !indirect_branch_target_buffer_hit)) | last_value_predictor_predicted_upper != target[29:18];\n"+s[b:]
    s=s.replace("    assign predicted_target = {last_value_predictor_predicted_upper, lower};\n","").replace("output wire [29:0] predicted_target","output wire wrong")
    s=re.sub(r"\.predicted_target\s*\(\w+\)",".actual(target[17:0]),.wrong(bw)",s)
    open(f,'w').write(s)
    f=f'{d}/{P}encoder.v'; s=open(f).read()
    s=re.sub(r"\.predicted_target\s*\(target_predictor_predicted_target\)",".wrong(tw)",s)
    a=s.index("    assign wrong_bits ="); b=s.index("    assign wrong_part_0")
    print(s[s.index("assign ready"):])
    open(f,'w').write(s)
if mode=='B':
    f=f'{d}/{P}encoder.v'; s=open(f).read()
    a=s.index("    assign wrong_bits ="); b=s.index("    assign record_flags =")
    s=s[:a]+"    wire tw; assign compared_flags = read_flags | {5'd0, outcome_missed | (flags[4] & flags[6] & tw), 9'd0};\n"+s[b:]
    a=s.index("    always @* begin\n        target_missed ="); b=s.index("    assign record_valid")
    s=s[:a]+"    assign record_former_missed = record_flags[9];\n"+s[b:]
    open(f,'w').write(s)
