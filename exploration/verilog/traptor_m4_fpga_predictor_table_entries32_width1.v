module traptor_m4_fpga_predictor_table_entries32_width1 (input wire clock, input wire reset, input wire clear, input wire [4:0] clear_index, input wire [0:0] clear_entry,
  input wire [4:0] index, output wire [0:0] entry, input wire learn_soon, input wire learn, input wire [0:0] learned);
  reg [0:0] cells [0:31];
  reg [0:0] raw1, raw2, l1, l2; reg [4:0] i1, i2, i3; reg f1, f2; reg d3;
  always @(posedge clock) begin
    if (!((learn|clear) & (clear ? clear_index : i2) == index)) raw1 <= cells[index]; raw2 <= raw1; i1 <= index; i2 <= i1; i3 <= i2;
    f1 <= (i1 == i2) & learn; d3 <= learn; f2 <= (i1 == i3) & d3;
    l1 <= learned; l2 <= l1;
    if (learn | clear) cells[clear ? clear_index : i2] <= clear ? clear_entry : learned;
  end
  assign entry = f1 ? l1 : f2 ? l2 : raw2;
endmodule
