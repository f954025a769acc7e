/* Registers of talon-m-unit, written by `tracewright generate`: offsets in bytes from the base address of the trace unit, and
 * of each field its bits, its lowest bit and its value after reset. docs/control.md of Tracewright says how they are used. */
#ifndef TRACEWRIGHT_REGISTERS_H
#define TRACEWRIGHT_REGISTERS_H

/* The trace encoder: the trace module and what switches it. */

#define TW_trTeControl 0x0000u
#define TW_trTeActive_MASK 0x00000001u
#define TW_trTeActive_SHIFT 0
#define TW_trTeActive_RESET 0x0u
#define TW_trTeEnable_MASK 0x00000002u
#define TW_trTeEnable_SHIFT 1
#define TW_trTeEnable_RESET 0x0u
#define TW_trTeInstTracing_MASK 0x00000004u
#define TW_trTeInstTracing_SHIFT 2
#define TW_trTeInstTracing_RESET 0x0u
#define TW_trTeEmpty_MASK 0x00000008u
#define TW_trTeEmpty_SHIFT 3
#define TW_trTeEmpty_RESET 0x1u
#define TW_trTeInstMode_MASK 0x00000070u
#define TW_trTeInstMode_SHIFT 4
#define TW_trTeInstMode_RESET 0x7u
#define TW_trTeInstStallOrOverflow_MASK 0x00001000u
#define TW_trTeInstStallOrOverflow_SHIFT 12
#define TW_trTeInstStallOrOverflow_RESET 0x0u
#define TW_trTeInstStallEna_MASK 0x00002000u
#define TW_trTeInstStallEna_SHIFT 13
#define TW_trTeInstStallEna_RESET 0x1u
#define TW_trTeInstSyncMode_MASK 0x00030000u
#define TW_trTeInstSyncMode_SHIFT 16
#define TW_trTeInstSyncMode_RESET 0x0u
#define TW_trTeInstSyncMax_MASK 0x00f00000u
#define TW_trTeInstSyncMax_SHIFT 20
#define TW_trTeInstSyncMax_RESET 0x0u
#define TW_trTeFormat_MASK 0x07000000u
#define TW_trTeFormat_SHIFT 24
#define TW_trTeFormat_RESET 0x7u

#define TW_trTeImpl 0x0004u
#define TW_trTeVerMajor_MASK 0x0000000fu
#define TW_trTeVerMajor_SHIFT 0
#define TW_trTeVerMajor_RESET 0x1u
#define TW_trTeVerMinor_MASK 0x000000f0u
#define TW_trTeVerMinor_SHIFT 4
#define TW_trTeVerMinor_RESET 0x0u
#define TW_trTeCompType_MASK 0x00000f00u
#define TW_trTeCompType_SHIFT 8
#define TW_trTeCompType_RESET 0x1u
#define TW_trTeProtocolMajor_MASK 0x000f0000u
#define TW_trTeProtocolMajor_SHIFT 16
#define TW_trTeProtocolMajor_RESET 0x0u
#define TW_trTeProtocolMinor_MASK 0x00f00000u
#define TW_trTeProtocolMinor_SHIFT 20
#define TW_trTeProtocolMinor_RESET 0x1u

#define TW_twStatus 0x0e00u
#define TW_twTakesBlocks_MASK 0x00000001u
#define TW_twTakesBlocks_SHIFT 0
#define TW_twTakesBlocks_RESET 0x0u

#define TW_twFingerprint 0x0efcu
#define TW_twFingerprint_MASK 0xffffffffu
#define TW_twFingerprint_SHIFT 0
#define TW_twFingerprint_RESET 0xdbaf3976u

/* The ATB bridge: it sends the trace over an AMBA trace bus. */

#define TW_trAtbBridgeControl 0x1000u
#define TW_trAtbBridgeActive_MASK 0x00000001u
#define TW_trAtbBridgeActive_SHIFT 0
#define TW_trAtbBridgeActive_RESET 0x0u
#define TW_trAtbBridgeEnable_MASK 0x00000002u
#define TW_trAtbBridgeEnable_SHIFT 1
#define TW_trAtbBridgeEnable_RESET 0x0u
#define TW_trAtbBridgeEmpty_MASK 0x00000008u
#define TW_trAtbBridgeEmpty_SHIFT 3
#define TW_trAtbBridgeEmpty_RESET 0x1u
#define TW_trAtbBridgeID_MASK 0x00007f00u
#define TW_trAtbBridgeID_SHIFT 8
#define TW_trAtbBridgeID_RESET 0x0u

#define TW_trAtbBridgeImpl 0x1004u
#define TW_trAtbBridgeVerMajor_MASK 0x0000000fu
#define TW_trAtbBridgeVerMajor_SHIFT 0
#define TW_trAtbBridgeVerMajor_RESET 0x1u
#define TW_trAtbBridgeVerMinor_MASK 0x000000f0u
#define TW_trAtbBridgeVerMinor_SHIFT 4
#define TW_trAtbBridgeVerMinor_RESET 0x0u
#define TW_trAtbBridgeCompType_MASK 0x00000f00u
#define TW_trAtbBridgeCompType_SHIFT 8
#define TW_trAtbBridgeCompType_RESET 0xeu
#define TW_trAtbBridgeAsyncFreq_MASK 0x00007000u
#define TW_trAtbBridgeAsyncFreq_SHIFT 12
#define TW_trAtbBridgeAsyncFreq_RESET 0x0u

#endif
