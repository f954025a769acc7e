from lib import *
D=sys.argv[1]+'/'+P
f=D+'serial_encoder.v'
s=open(f).read()
s=s.replace("input wire load, input wire [4:0] load_chunk,","input wire load, input wire next_valid, input wire [56:0] next_record,")
s=s.replace(".load_chunk(load_chunk)",".load_chunk(next_record[31:27])")
# stages from next_record
a=s.index("    always @* begin\n        stages = 4'd0;"); b=s.index("    assign pending =")
st=s[a:b].replace("record[","next_record[")
s=s[:a]+st+s[b:]
s=s.replace("    assign pending = stages & ~sent;","")
s=s.replace("wire [3:0] pending;","reg [3:0] pending; reg [3:0] last0, last1; reg [3:0] l0, l1;")
s=s.replace("sent <= 4'd0;\n            index","pending <= 4'd0;\n            index",1)
a=s.index("                    sent <= sent | current;"); b=s.index("                    end\n",a)+len("                    end\n")
s=s[:a]+"                    pending <= pending & ~current;\n"+s[b:]
# load at end of the else
s=s.replace("""                end
            end
        end
    end

endmodule""","""                end
            end
            if (load) pending <= stages;
        end
    end
    integer i;
    always @* begin
        l0 = 0; for (i=1;i<9;i=i+1) if (|(next_record[20:10] >> (3+i-1))) l0 = i;
        l1 = 0; for (i=1;i<9;i=i+1) if (|(next_record[26:10] >> (2*i))) l1 = i;
    end
    always @(posedge clock) if (load) begin last0 <= l0; last1 <= l1; end
    wire m0 = index != last0; wire m1 = index != last1;
endmodule""")
s=s.replace("more = chunks_0_more","more = m0").replace("more = chunks_1_more","more = m1")
open(f,'w').write(s)
sub(D+'back_end.v',(".load_chunk(next_record[31:27]),",".next_valid(next_valid), .next_record(next_record),"))
# chunk selectors: connect from input
for c,k in (('first3_next1_width11',0),('first2_next2_width17',1)):
    f=D+f'chunk_selector_{c}.v'; s=open(f).read()
    a=s.index("    always @* begin\n        piece = 8'd0;"); b=s.index("    always @* begin\n        piece_bits")
    import re
    body=re.sub(r"if \(\|\{[^\n]*\}\) begin","if (m) begin",s[a:b])
    s=s[:a]+body+s[b:]
    s=s.replace("    input  wire [3:0]  index,","    input  wire [3:0]  index, input wire m,",1)
    open(f,'w').write(s)
f=D+'serial_encoder.v'; s=open(f).read()
s=s.replace(".more       (chunks_0_more)",".m(m0), .more       (chunks_0_more)").replace(".more       (chunks_1_more)",".m(m1), .more       (chunks_1_more)")
open(f,'w').write(s)
