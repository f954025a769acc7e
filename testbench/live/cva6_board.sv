// CVA6's parameters on the board.

package cva6_board_pkg;

    // Instructions are in memory only, and devices are neither cached nor read ahead.
    localparam ariane_pkg::ariane_cfg_t CONFIG = '{
        RASDepth:              2,
        BTBEntries:            32,
        BHTEntries:            128,
        NrNonIdempotentRules:  1,
        NonIdempotentAddrBase: {64'h1000_0000},
        NonIdempotentLength:   {64'h1000},
        NrExecuteRegionRules:  1,
        ExecuteRegionAddrBase: {64'h0},
        ExecuteRegionLength:   {64'h100_0000},
        NrCachedRegionRules:   1,
        CachedRegionAddrBase:  {64'h0},
        CachedRegionLength:    {64'h100_0000},
        AxiCompliant:          1'b1,
        SwapEndianess:         1'b0,
        DmBaseAddress:         64'h0,
        NrPMPEntries:          8
    };

endpackage
