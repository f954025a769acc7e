module tracewright_fpga_wrapper (input wire clock, input wire serial, output reg folded);
reg [81:0] inputs; wire [7:0] outputs; reg [7:0] registered;
traptor_m4_fpga design (.clock(clock),.reset(inputs[0:0]),.retire_valid(inputs[1:1]),.retire_count(inputs[5:2]),.retire_pc(inputs[37:6]),.retire_length(inputs[41:38]),.retire_kind(inputs[44:42]),.retire_call(inputs[45:45]),.retire_return(inputs[46:46]),.retire_taken(inputs[47:47]),.retire_target(inputs[79:48]),.stall(outputs[0:0]),.flush(inputs[80:80]),.flushed(outputs[1:1]),.trace_data(outputs[2:2]),.trace_valid(outputs[3:3]),.trace_ready(inputs[81:81]),.buffered_words(outputs[7:4]));
always @(posedge clock) begin inputs <= {inputs, serial}; registered <= outputs; folded <= ^registered; end
endmodule
