module traptor_m4_fpga_target_predictor (input wire clock, input wire reset, input wire clear, input wire [8:0] clear_index,
 input wire update_path, input wire path_taken, input wire [31:0] program_counter, input wire [3:0] length,
 input wire update, input wire indirect, input wire call, input wire is_return, input wire taken, input wire [29:0] target, // cycle 1
 output wire missed); // cycle 2, given taken indirect
  reg [17:0] ra; wire [17:0] top; wire [11:0] up;
  always @(posedge clock) ra <= program_counter[19:2] + {16'd0, length[3:2]};
  traptor_m4_fpga_return_address_stack ras(.clock(clock),.reset(reset),.clear(clear),.clear_index(clear_index),.pop(update&is_return&taken),.push(update&call&taken),.return_address(ra),.top(top));
  reg learn2, ret2, ws0, ws1, ws2, wu0, wu1; wire hit, wrong;
  always @(posedge clock) begin learn2 <= update & indirect & taken & !is_return; ret2 <= is_return;
    ws0 <= top[5:0] != target[5:0]; ws1 <= top[11:6] != target[11:6]; ws2 <= top[17:12] != target[17:12]; wu0 <= up[5:0] != target[23:18]; wu1 <= up[11:6] != target[29:24]; end
  traptor_m4_fpga_indirect_branch_target_buffer b(.clock(clock),.reset(reset),.clear(clear),.clear_index(clear_index),.update_path(update_path),.program_counter(program_counter),.taken(path_taken),.learn(learn2),.target(target[17:0]),.hit(hit),.wrong(wrong));
  traptor_m4_fpga_last_value_predictor l(.clock(clock),.reset(reset),.update(update&indirect&taken),.target_upper(target[29:18]),.predicted_upper(up));
  assign missed = wu0 | wu1 | (ret2 ? (ws0|ws1|ws2) : (!hit | wrong));
endmodule
