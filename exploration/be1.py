from lib import *
D=sys.argv[1]+'/'+P
f=D+'serial_difference.v'
s=open(f).read()
a=s.index("    always @* begin\n        target_chunk = part_0;"); b=s.index("    assign part_0")
s=s[:a]+"""    wire [2:0] next_index = restart ? 3'd0 : index + 3'd1;
    reg [4:0] next_chunk;
    always @* begin
        next_chunk = part_0;
        case (index)
        3'd0: next_chunk = part_1;
        3'd1: next_chunk = part_2;
        3'd2: next_chunk = part_3;
        3'd3: next_chunk = part_4;
        3'd4: next_chunk = part_5;
        default: next_chunk = part_0;
        endcase
    end
    always @(posedge clock) if (load) target_chunk <= load_chunk; else if (step) target_chunk <= next_chunk;
"""+s[b:]
s=s.replace("    input  wire        step,","    input wire load, input wire [4:0] load_chunk,\n    input  wire        step,",1)
s=s.replace("wire [2:0] next_index = restart ? 3'd0 : index + 3'd1;","")
open(f,'w').write(s)
sub(D+'serial_encoder.v',("    input  wire [56:0] record,","    input  wire [56:0] record, input wire load, input wire [4:0] load_chunk,"),(".step       (",".load(load), .load_chunk(load_chunk), .step       ("))
sub(D+'back_end.v',("serial_encoder (","serial_encoder (.load(record_register_in_ready), .load_chunk(next_record[31:27]),"))
for w in ('57','13'):
    f=D+f'word_register_width{w}.v'
    sub(f,(f"            held <= {w}'d0;\n",""),("                held <= in_word;\n",""),("endmodule","    always @(posedge clock) if (in_ready) held <= in_word;\nendmodule"))
