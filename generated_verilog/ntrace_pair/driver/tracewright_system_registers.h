/* Registers of ntrace_pair, written by `tracewright generate`: offsets in bytes from the base address of the trace system, and
 * of each field its bits, its lowest bit and its value after reset. docs/control.md of Tracewright says how they are used. */
#ifndef TRACEWRIGHT_SYSTEM_REGISTERS_H
#define TRACEWRIGHT_SYSTEM_REGISTERS_H

/* Hart a: its encoder, and its source in the trace. */
#define TW_A_BASE 0x00000u
#define TW_A_SOURCE 0u

/* Hart b: its encoder, and its source in the trace. */
#define TW_B_BASE 0x10000u
#define TW_B_SOURCE 1u

/* The funnel. */
#define TW_FUNNEL_BASE 0x20000u

/* The sink. */
#define TW_SINK_BASE 0x21000u

/* The trace encoder: the trace module and what switches it. */

#define TW_A_trTeControl 0x0000u
#define TW_A_trTeActive_MASK 0x00000001u
#define TW_A_trTeActive_SHIFT 0
#define TW_A_trTeActive_RESET 0x0u
#define TW_A_trTeEnable_MASK 0x00000002u
#define TW_A_trTeEnable_SHIFT 1
#define TW_A_trTeEnable_RESET 0x0u
#define TW_A_trTeInstTracing_MASK 0x00000004u
#define TW_A_trTeInstTracing_SHIFT 2
#define TW_A_trTeInstTracing_RESET 0x0u
#define TW_A_trTeEmpty_MASK 0x00000008u
#define TW_A_trTeEmpty_SHIFT 3
#define TW_A_trTeEmpty_RESET 0x1u
#define TW_A_trTeInstMode_MASK 0x00000070u
#define TW_A_trTeInstMode_SHIFT 4
#define TW_A_trTeInstMode_RESET 0x6u
#define TW_A_trTeInstStallOrOverflow_MASK 0x00001000u
#define TW_A_trTeInstStallOrOverflow_SHIFT 12
#define TW_A_trTeInstStallOrOverflow_RESET 0x0u
#define TW_A_trTeInstStallEna_MASK 0x00002000u
#define TW_A_trTeInstStallEna_SHIFT 13
#define TW_A_trTeInstStallEna_RESET 0x1u
#define TW_A_trTeInhibitSrc_MASK 0x00008000u
#define TW_A_trTeInhibitSrc_SHIFT 15
#define TW_A_trTeInhibitSrc_RESET 0x0u
#define TW_A_trTeInstSyncMode_MASK 0x00030000u
#define TW_A_trTeInstSyncMode_SHIFT 16
#define TW_A_trTeInstSyncMode_RESET 0x0u
#define TW_A_trTeInstSyncMax_MASK 0x00f00000u
#define TW_A_trTeInstSyncMax_SHIFT 20
#define TW_A_trTeInstSyncMax_RESET 0x0u
#define TW_A_trTeFormat_MASK 0x07000000u
#define TW_A_trTeFormat_SHIFT 24
#define TW_A_trTeFormat_RESET 0x1u

#define TW_A_trTeImpl 0x0004u
#define TW_A_trTeVerMajor_MASK 0x0000000fu
#define TW_A_trTeVerMajor_SHIFT 0
#define TW_A_trTeVerMajor_RESET 0x1u
#define TW_A_trTeVerMinor_MASK 0x000000f0u
#define TW_A_trTeVerMinor_SHIFT 4
#define TW_A_trTeVerMinor_RESET 0x0u
#define TW_A_trTeCompType_MASK 0x00000f00u
#define TW_A_trTeCompType_SHIFT 8
#define TW_A_trTeCompType_RESET 0x1u
#define TW_A_trTeProtocolMajor_MASK 0x000f0000u
#define TW_A_trTeProtocolMajor_SHIFT 16
#define TW_A_trTeProtocolMajor_RESET 0x1u
#define TW_A_trTeProtocolMinor_MASK 0x00f00000u
#define TW_A_trTeProtocolMinor_SHIFT 20
#define TW_A_trTeProtocolMinor_RESET 0x0u

#define TW_A_trTeInstFeatures 0x0008u
#define TW_A_trTeInstNoAddrDiff_MASK 0x00000001u
#define TW_A_trTeInstNoAddrDiff_SHIFT 0
#define TW_A_trTeInstNoAddrDiff_RESET 0x0u
#define TW_A_trTeInstNoTrapAddr_MASK 0x00000002u
#define TW_A_trTeInstNoTrapAddr_SHIFT 1
#define TW_A_trTeInstNoTrapAddr_RESET 0x0u
#define TW_A_trTeInstEnSequentialJump_MASK 0x00000004u
#define TW_A_trTeInstEnSequentialJump_SHIFT 2
#define TW_A_trTeInstEnSequentialJump_RESET 0x0u
#define TW_A_trTeInstEnImplicitReturn_MASK 0x00000008u
#define TW_A_trTeInstEnImplicitReturn_SHIFT 3
#define TW_A_trTeInstEnImplicitReturn_RESET 0x0u
#define TW_A_trTeInstEnBranchPrediction_MASK 0x00000010u
#define TW_A_trTeInstEnBranchPrediction_SHIFT 4
#define TW_A_trTeInstEnBranchPrediction_RESET 0x0u
#define TW_A_trTeInstEnJumpTargetCache_MASK 0x00000020u
#define TW_A_trTeInstEnJumpTargetCache_SHIFT 5
#define TW_A_trTeInstEnJumpTargetCache_RESET 0x0u
#define TW_A_trTeInstImplicitReturnMode_MASK 0x000000c0u
#define TW_A_trTeInstImplicitReturnMode_SHIFT 6
#define TW_A_trTeInstImplicitReturnMode_RESET 0x0u
#define TW_A_trTeInstEnRepeatedHistory_MASK 0x00000100u
#define TW_A_trTeInstEnRepeatedHistory_SHIFT 8
#define TW_A_trTeInstEnRepeatedHistory_RESET 0x0u
#define TW_A_trTeInstEnAllJumps_MASK 0x00000200u
#define TW_A_trTeInstEnAllJumps_SHIFT 9
#define TW_A_trTeInstEnAllJumps_RESET 0x0u
#define TW_A_trTeInstExtendAddrMSB_MASK 0x00000400u
#define TW_A_trTeInstExtendAddrMSB_SHIFT 10
#define TW_A_trTeInstExtendAddrMSB_RESET 0x0u
#define TW_A_trTeSrcID_MASK 0x0fff0000u
#define TW_A_trTeSrcID_SHIFT 16
#define TW_A_trTeSrcID_RESET 0x0u
#define TW_A_trTeSrcBits_MASK 0xf0000000u
#define TW_A_trTeSrcBits_SHIFT 28
#define TW_A_trTeSrcBits_RESET 0x6u

#define TW_A_twStatus 0x0e00u
#define TW_A_twTakesBlocks_MASK 0x00000001u
#define TW_A_twTakesBlocks_SHIFT 0
#define TW_A_twTakesBlocks_RESET 0x0u

#define TW_A_twFingerprint 0x0efcu
#define TW_A_twFingerprint_MASK 0xffffffffu
#define TW_A_twFingerprint_SHIFT 0
#define TW_A_twFingerprint_RESET 0x2ba6f917u

/* The trace encoder: the trace module and what switches it. */

#define TW_B_trTeControl 0x10000u
#define TW_B_trTeActive_MASK 0x00000001u
#define TW_B_trTeActive_SHIFT 0
#define TW_B_trTeActive_RESET 0x0u
#define TW_B_trTeEnable_MASK 0x00000002u
#define TW_B_trTeEnable_SHIFT 1
#define TW_B_trTeEnable_RESET 0x0u
#define TW_B_trTeInstTracing_MASK 0x00000004u
#define TW_B_trTeInstTracing_SHIFT 2
#define TW_B_trTeInstTracing_RESET 0x0u
#define TW_B_trTeEmpty_MASK 0x00000008u
#define TW_B_trTeEmpty_SHIFT 3
#define TW_B_trTeEmpty_RESET 0x1u
#define TW_B_trTeInstMode_MASK 0x00000070u
#define TW_B_trTeInstMode_SHIFT 4
#define TW_B_trTeInstMode_RESET 0x6u
#define TW_B_trTeInstStallOrOverflow_MASK 0x00001000u
#define TW_B_trTeInstStallOrOverflow_SHIFT 12
#define TW_B_trTeInstStallOrOverflow_RESET 0x0u
#define TW_B_trTeInstStallEna_MASK 0x00002000u
#define TW_B_trTeInstStallEna_SHIFT 13
#define TW_B_trTeInstStallEna_RESET 0x1u
#define TW_B_trTeInhibitSrc_MASK 0x00008000u
#define TW_B_trTeInhibitSrc_SHIFT 15
#define TW_B_trTeInhibitSrc_RESET 0x0u
#define TW_B_trTeInstSyncMode_MASK 0x00030000u
#define TW_B_trTeInstSyncMode_SHIFT 16
#define TW_B_trTeInstSyncMode_RESET 0x0u
#define TW_B_trTeInstSyncMax_MASK 0x00f00000u
#define TW_B_trTeInstSyncMax_SHIFT 20
#define TW_B_trTeInstSyncMax_RESET 0x0u
#define TW_B_trTeFormat_MASK 0x07000000u
#define TW_B_trTeFormat_SHIFT 24
#define TW_B_trTeFormat_RESET 0x1u

#define TW_B_trTeImpl 0x10004u
#define TW_B_trTeVerMajor_MASK 0x0000000fu
#define TW_B_trTeVerMajor_SHIFT 0
#define TW_B_trTeVerMajor_RESET 0x1u
#define TW_B_trTeVerMinor_MASK 0x000000f0u
#define TW_B_trTeVerMinor_SHIFT 4
#define TW_B_trTeVerMinor_RESET 0x0u
#define TW_B_trTeCompType_MASK 0x00000f00u
#define TW_B_trTeCompType_SHIFT 8
#define TW_B_trTeCompType_RESET 0x1u
#define TW_B_trTeProtocolMajor_MASK 0x000f0000u
#define TW_B_trTeProtocolMajor_SHIFT 16
#define TW_B_trTeProtocolMajor_RESET 0x1u
#define TW_B_trTeProtocolMinor_MASK 0x00f00000u
#define TW_B_trTeProtocolMinor_SHIFT 20
#define TW_B_trTeProtocolMinor_RESET 0x0u

#define TW_B_trTeInstFeatures 0x10008u
#define TW_B_trTeInstNoAddrDiff_MASK 0x00000001u
#define TW_B_trTeInstNoAddrDiff_SHIFT 0
#define TW_B_trTeInstNoAddrDiff_RESET 0x0u
#define TW_B_trTeInstNoTrapAddr_MASK 0x00000002u
#define TW_B_trTeInstNoTrapAddr_SHIFT 1
#define TW_B_trTeInstNoTrapAddr_RESET 0x0u
#define TW_B_trTeInstEnSequentialJump_MASK 0x00000004u
#define TW_B_trTeInstEnSequentialJump_SHIFT 2
#define TW_B_trTeInstEnSequentialJump_RESET 0x0u
#define TW_B_trTeInstEnImplicitReturn_MASK 0x00000008u
#define TW_B_trTeInstEnImplicitReturn_SHIFT 3
#define TW_B_trTeInstEnImplicitReturn_RESET 0x0u
#define TW_B_trTeInstEnBranchPrediction_MASK 0x00000010u
#define TW_B_trTeInstEnBranchPrediction_SHIFT 4
#define TW_B_trTeInstEnBranchPrediction_RESET 0x0u
#define TW_B_trTeInstEnJumpTargetCache_MASK 0x00000020u
#define TW_B_trTeInstEnJumpTargetCache_SHIFT 5
#define TW_B_trTeInstEnJumpTargetCache_RESET 0x0u
#define TW_B_trTeInstImplicitReturnMode_MASK 0x000000c0u
#define TW_B_trTeInstImplicitReturnMode_SHIFT 6
#define TW_B_trTeInstImplicitReturnMode_RESET 0x0u
#define TW_B_trTeInstEnRepeatedHistory_MASK 0x00000100u
#define TW_B_trTeInstEnRepeatedHistory_SHIFT 8
#define TW_B_trTeInstEnRepeatedHistory_RESET 0x0u
#define TW_B_trTeInstEnAllJumps_MASK 0x00000200u
#define TW_B_trTeInstEnAllJumps_SHIFT 9
#define TW_B_trTeInstEnAllJumps_RESET 0x0u
#define TW_B_trTeInstExtendAddrMSB_MASK 0x00000400u
#define TW_B_trTeInstExtendAddrMSB_SHIFT 10
#define TW_B_trTeInstExtendAddrMSB_RESET 0x0u
#define TW_B_trTeSrcID_MASK 0x0fff0000u
#define TW_B_trTeSrcID_SHIFT 16
#define TW_B_trTeSrcID_RESET 0x1u
#define TW_B_trTeSrcBits_MASK 0xf0000000u
#define TW_B_trTeSrcBits_SHIFT 28
#define TW_B_trTeSrcBits_RESET 0x6u

#define TW_B_twStatus 0x10e00u
#define TW_B_twTakesBlocks_MASK 0x00000001u
#define TW_B_twTakesBlocks_SHIFT 0
#define TW_B_twTakesBlocks_RESET 0x0u

#define TW_B_twFingerprint 0x10efcu
#define TW_B_twFingerprint_MASK 0xffffffffu
#define TW_B_twFingerprint_SHIFT 0
#define TW_B_twFingerprint_RESET 0x2d3e670u

/* The trace funnel: whole messages of several traces in one stream, and what switches them. */

#define TW_trFunnelControl 0x20000u
#define TW_trFunnelActive_MASK 0x00000001u
#define TW_trFunnelActive_SHIFT 0
#define TW_trFunnelActive_RESET 0x0u
#define TW_trFunnelEnable_MASK 0x00000002u
#define TW_trFunnelEnable_SHIFT 1
#define TW_trFunnelEnable_RESET 0x0u
#define TW_trFunnelEmpty_MASK 0x00000008u
#define TW_trFunnelEmpty_SHIFT 3
#define TW_trFunnelEmpty_RESET 0x1u

#define TW_trFunnelImpl 0x20004u
#define TW_trFunnelVerMajor_MASK 0x0000000fu
#define TW_trFunnelVerMajor_SHIFT 0
#define TW_trFunnelVerMajor_RESET 0x1u
#define TW_trFunnelVerMinor_MASK 0x000000f0u
#define TW_trFunnelVerMinor_SHIFT 4
#define TW_trFunnelVerMinor_RESET 0x0u
#define TW_trFunnelCompType_MASK 0x00000f00u
#define TW_trFunnelCompType_SHIFT 8
#define TW_trFunnelCompType_RESET 0x8u

#define TW_trFunnelDisInput 0x20008u
#define TW_trFunnelDisInput_MASK 0x0000ffffu
#define TW_trFunnelDisInput_SHIFT 0
#define TW_trFunnelDisInput_RESET 0x0u

/* The RAM sink: a ring in a memory of its own, which keeps the last words of the trace. */

#define TW_trRamControl 0x21000u
#define TW_trRamActive_MASK 0x00000001u
#define TW_trRamActive_SHIFT 0
#define TW_trRamActive_RESET 0x0u
#define TW_trRamEnable_MASK 0x00000002u
#define TW_trRamEnable_SHIFT 1
#define TW_trRamEnable_RESET 0x0u
#define TW_trRamEmpty_MASK 0x00000008u
#define TW_trRamEmpty_SHIFT 3
#define TW_trRamEmpty_RESET 0x1u
#define TW_trRamMode_MASK 0x00000010u
#define TW_trRamMode_SHIFT 4
#define TW_trRamMode_RESET 0x0u
#define TW_trRamStopOnWrap_MASK 0x00000100u
#define TW_trRamStopOnWrap_SHIFT 8
#define TW_trRamStopOnWrap_RESET 0x0u

#define TW_trRamImpl 0x21004u
#define TW_trRamVerMajor_MASK 0x0000000fu
#define TW_trRamVerMajor_SHIFT 0
#define TW_trRamVerMajor_RESET 0x1u
#define TW_trRamVerMinor_MASK 0x000000f0u
#define TW_trRamVerMinor_SHIFT 4
#define TW_trRamVerMinor_RESET 0x0u
#define TW_trRamCompType_MASK 0x00000f00u
#define TW_trRamCompType_SHIFT 8
#define TW_trRamCompType_RESET 0x9u
#define TW_trRamHasSRAM_MASK 0x00001000u
#define TW_trRamHasSRAM_SHIFT 12
#define TW_trRamHasSRAM_RESET 0x1u
#define TW_trRamHasSMEM_MASK 0x00002000u
#define TW_trRamHasSMEM_SHIFT 13
#define TW_trRamHasSMEM_RESET 0x0u

#define TW_trRamStartLow 0x21010u
#define TW_trRamStartLow_MASK 0xfffffffcu
#define TW_trRamStartLow_SHIFT 2
#define TW_trRamStartLow_RESET 0x0u

#define TW_trRamLimitLow 0x21018u
#define TW_trRamLimitLow_MASK 0xfffffffcu
#define TW_trRamLimitLow_SHIFT 2
#define TW_trRamLimitLow_RESET 0x3ffu

#define TW_trRamWPLow 0x21020u
#define TW_trRamWrap_MASK 0x00000001u
#define TW_trRamWrap_SHIFT 0
#define TW_trRamWrap_RESET 0x0u
#define TW_trRamWPLow_MASK 0xfffffffcu
#define TW_trRamWPLow_SHIFT 2
#define TW_trRamWPLow_RESET 0x0u

#define TW_trRamRPLow 0x21028u
#define TW_trRamRPLow_MASK 0xfffffffcu
#define TW_trRamRPLow_SHIFT 2
#define TW_trRamRPLow_RESET 0x0u

#define TW_trRamData 0x21040u
#define TW_trRamData_MASK 0xffffffffu
#define TW_trRamData_SHIFT 0

#endif
