import re,sys,glob
d=sys.argv[1]; top=sys.argv[2]
s=open(f"{d}/{top}.v").read()
hdr=s[s.index('module '+top):]; hdr=hdr[:hdr.index(');')]
ni=no=0; con=".clock(clock)"
for m in re.finditer(r'(input|output)\s+(?:wire|reg)\s*(?:\[(\d+):0\])?\s*(\w+)',hdr):
    if m[3]=='clock': continue
    w=int(m[2] or 0)+1
    if m[1]=='input': con+=f",.{m[3]}(inputs[{ni+w-1}:{ni}])"; ni+=w
    else: con+=f",.{m[3]}(outputs[{no+w-1}:{no}])"; no+=w
open(f"{d}/wrapper.v","w").write(f"""module tracewright_fpga_wrapper (input wire clock, input wire serial, output reg folded);
reg [{ni-1}:0] inputs; wire [{no-1}:0] outputs; reg [{no-1}:0] registered;
{top} design ({con});
always @(posedge clock) begin inputs <= {{inputs, serial}}; registered <= outputs; folded <= ^registered; end
endmodule
""")
