module traptor_m4_fpga_predictor_table_entries512_width2 (input wire clock, input wire reset, input wire clear, input wire [8:0] clear_index, input wire [1:0] clear_entry,
  input wire [8:0] index, output wire [1:0] entry, input wire learn_soon, input wire learn, input wire [1:0] learned);
  reg [1:0] cells [0:511];
  reg [1:0] raw1, raw2, l1, l2; reg [8:0] i1, i2, i3; reg f1, f2; reg d3;
  always @(posedge clock) begin
    if (!((learn|clear) & (clear ? clear_index : i2) == index)) raw1 <= cells[index]; raw2 <= raw1; i1 <= index; i2 <= i1; i3 <= i2;
    f1 <= (i1 == i2) & learn; d3 <= learn; f2 <= (i1 == i3) & d3;
    l1 <= learned; l2 <= l1;
    if (learn | clear) cells[clear ? clear_index : i2] <= clear ? clear_entry : learned;
  end
  assign entry = f1 ? l1 : f2 ? l2 : raw2;
endmodule
