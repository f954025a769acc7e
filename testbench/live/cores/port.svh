// The pins of every module `core`: a core in a wrapper that a board can run. LANES and XLEN come from the command line.
    input  wire                     clock,
    input  wire                     reset,
    input  wire                     hold,            // do not retire: stall of the trace unit, and the board's own
    input  wire                     timer_interrupt,
    // Both memory ports take a request in any cycle and answer in the next one.
    output wire                     fetch_request,
    output wire [31:0]              fetch_address,
    input  wire [`BUS-1:0]          fetch_data,
    output wire                     data_request,
    output wire [31:0]              data_address,
    output wire [`BUS/8-1:0]        data_strobe,     // bytes that are stored; 0: a load
    output wire [`BUS-1:0]          data_written,
    input  wire [`BUS-1:0]          data_read,
`ifdef PINS_TIP
    // The trace ingress port, for the unit; what follows is then for the log alone.
    output wire [`LANES*`ITYPE-1:0] itype,
    output wire [`LANES*`XLEN-1:0]  iaddr,
    output wire [`LANES-1:0]        iretire,
    output wire [`LANES-1:0]        ilastsize,
`endif
    // What retires, lane 0 lowest.
    output wire [`LANES-1:0]        valid,
    output wire [`LANES*`XLEN-1:0]  pc,
    output wire [`LANES*32-1:0]     word,
    output wire [`LANES-1:0]        trap,            // it trapped and has not retired
    output wire [`LANES-1:0]        interrupt,       // first of a handler
    output wire [`LANES*`XLEN-1:0]  next_pc,
    output wire [`LANES-1:0]        compressed,
    output wire [`LANES*3-1:0]      number           // place in program order, modulo 8
