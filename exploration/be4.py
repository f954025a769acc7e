from lib import *
D=sys.argv[1]+'/'+P
f=D+'word_register_width57.v'
sub(f,("in_ready = out_ready | !held_valid","in_ready = !held_valid"),("            if (in_ready) begin\n                held_valid <= in_valid;\n","            if (held_valid) begin\n if (out_ready) held_valid <= 0; end else begin\n                held_valid <= in_valid;\n"))
