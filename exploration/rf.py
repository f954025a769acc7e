from lib import *
f=sys.argv[1]
s=open(f).read()
a=s.index("    always @* begin\n        crosses = 1'd0;"); b=s.index("    assign counted_instructions =")
s=s[:a]+"""    wire low_any = |total[3:0];
    wire sub = retire & control_flow & !clears;
    always @* begin
        instruction_count_top = total[17] ? !(sub & low_any) : (total[16] & !sub);
        instruction_overflow = (sub & (total[17] | total[16])) | (total[17] & !control_flow);
        overflow_first = total[17] & control_flow & (exception | low_any);
    end
"""+s[b:]
s=s.replace("    reg         crosses;\n","").replace("    wire        upper_half;\n","")
open(f,'w').write(s)
