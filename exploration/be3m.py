from lib import *
D=sys.argv[1]+'/traptor_m4_'
f=D+'serial_encoder.v'
s=open(f).read()
a=s.index("    always @* begin\n        piece = 8'd0;"); b=s.index("    always @* begin\n        more = 1'd0;")
s=s[:a]+"""    always @* begin
        piece = ({8{active[5]}} & chunks_0_piece) | ({8{active[6]}} & chunks_1_piece) | ({8{active[8]}} & differences_0_piece)
          | ({8{active[0]|active[1]}} & 8'd136) | ({8{active[2]}} & 8'd72) | ({8{active[3]}} & 8'd8) | {7'd0, active[7] & value_5};
        piece_bits = ({4{active[5]}} & chunks_0_piece_bits) | ({4{active[6]}} & chunks_1_piece_bits) | ({4{active[8]}} & differences_0_piece_bits)
          | ({4{active[0]|active[1]|active[2]|active[3]}} & 4'd8) | ({4{active[4]}} & 4'd4) | {3'd0, active[7]};
    end
"""+s[b:]
open(f,'w').write(s)
f=D+'serial_difference.v'
s=open(f).read()
a=s.index("    always @* begin\n        digit = difference;"); b=s.index("    assign is_sent =")
s=s[:a]+"""    wire shown = sending & is_sent;
    always @* begin
        digit = difference;
        is_full = &digit;
        piece = {1'b0, shown & !goes_on & below, shown & goes_on, digit & {5{shown}}};
    end
"""+s[b:]
a=s.index("    always @* begin\n        piece_bits = 4'd0;"); b=s.index("    assign at_last =")
s=s[:a]+"""
    always @* begin
        piece_bits = shown ? (goes_on ? 4'd6 : 4'd7) : 4'd0;
    end
"""+s[b:]
open(f,'w').write(s)
