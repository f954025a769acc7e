from lib import *
D=sys.argv[1]+'/'+P
f=D+'serial_difference.v'
s=open(f).read()
a=s.index("    always @* begin\n        previous_chunk = 5'd0;"); b=s.index("    wire [2:0] next") if "    wire [2:0] next" in s else s.index("    reg [4:0] next_chunk")
s=s[:a]+"""
    wire [2:0] read_index = (load | at_end) ? 3'd0 : index + 3'd1;
    always @(posedge clock) if (load | step) previous_chunk <= is_known ? previous_read_data : 5'd0;
"""+s[b:]
s=s.replace("previous_read_data = previous_cells[address]","previous_read_data = previous_cells[read_index]")
open(f,'w').write(s)
