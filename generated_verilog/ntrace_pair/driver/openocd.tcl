# The trace system ntrace_pair in OpenOCD 0.12 and later, written by `tracewright generate`: `source` it in a configuration after
# the target, which is the current one when a verb is called. Harts are numbers: 0 is a, 1 is b.
#
#   tracewright_init BASE      finds every part of the system at an address, resets it and wakes it up
#   tracewright_start HARTS    switches tracing of a list of harts on, as in tracewright_start {0 1}
#   tracewright_stop           switches tracing off, and waits until all of the trace has left the system
#   tracewright_dump FILE      writes the ring, the oldest word first, and says how it is decoded

set tracewright_base 0
# Reads of a register after which it should have changed.
set tracewright_polls 1000

# Where each hart's registers are, and by what its encoder is known.
set tracewright_harts { 0x00000 0x10000 }
set tracewright_fingerprints { 732363031 47441520 }

# Offsets of registers, those of a hart from its base.
set tracewright_at(trTeControl) 0x0000
set tracewright_mask(trTeActive) 0x00000001
set tracewright_reset(trTeActive) 0x00000000
set tracewright_mask(trTeEnable) 0x00000002
set tracewright_reset(trTeEnable) 0x00000000
set tracewright_mask(trTeInstTracing) 0x00000004
set tracewright_reset(trTeInstTracing) 0x00000000
set tracewright_mask(trTeEmpty) 0x00000008
set tracewright_reset(trTeEmpty) 0x00000008
set tracewright_mask(trTeInstMode) 0x00000070
set tracewright_reset(trTeInstMode) 0x00000060
set tracewright_mask(trTeInstStallOrOverflow) 0x00001000
set tracewright_reset(trTeInstStallOrOverflow) 0x00000000
set tracewright_mask(trTeInstStallEna) 0x00002000
set tracewright_reset(trTeInstStallEna) 0x00002000
set tracewright_mask(trTeInhibitSrc) 0x00008000
set tracewright_reset(trTeInhibitSrc) 0x00000000
set tracewright_mask(trTeInstSyncMode) 0x00030000
set tracewright_reset(trTeInstSyncMode) 0x00000000
set tracewright_mask(trTeInstSyncMax) 0x00f00000
set tracewright_reset(trTeInstSyncMax) 0x00000000
set tracewright_mask(trTeFormat) 0x07000000
set tracewright_reset(trTeFormat) 0x01000000
set tracewright_at(trTeImpl) 0x0004
set tracewright_mask(trTeVerMajor) 0x0000000f
set tracewright_reset(trTeVerMajor) 0x00000001
set tracewright_mask(trTeVerMinor) 0x000000f0
set tracewright_reset(trTeVerMinor) 0x00000000
set tracewright_mask(trTeCompType) 0x00000f00
set tracewright_reset(trTeCompType) 0x00000100
set tracewright_mask(trTeProtocolMajor) 0x000f0000
set tracewright_reset(trTeProtocolMajor) 0x00010000
set tracewright_mask(trTeProtocolMinor) 0x00f00000
set tracewright_reset(trTeProtocolMinor) 0x00000000
set tracewright_at(trTeInstFeatures) 0x0008
set tracewright_mask(trTeInstNoAddrDiff) 0x00000001
set tracewright_reset(trTeInstNoAddrDiff) 0x00000000
set tracewright_mask(trTeInstNoTrapAddr) 0x00000002
set tracewright_reset(trTeInstNoTrapAddr) 0x00000000
set tracewright_mask(trTeInstEnSequentialJump) 0x00000004
set tracewright_reset(trTeInstEnSequentialJump) 0x00000000
set tracewright_mask(trTeInstEnImplicitReturn) 0x00000008
set tracewright_reset(trTeInstEnImplicitReturn) 0x00000000
set tracewright_mask(trTeInstEnBranchPrediction) 0x00000010
set tracewright_reset(trTeInstEnBranchPrediction) 0x00000000
set tracewright_mask(trTeInstEnJumpTargetCache) 0x00000020
set tracewright_reset(trTeInstEnJumpTargetCache) 0x00000000
set tracewright_mask(trTeInstImplicitReturnMode) 0x000000c0
set tracewright_reset(trTeInstImplicitReturnMode) 0x00000000
set tracewright_mask(trTeInstEnRepeatedHistory) 0x00000100
set tracewright_reset(trTeInstEnRepeatedHistory) 0x00000000
set tracewright_mask(trTeInstEnAllJumps) 0x00000200
set tracewright_reset(trTeInstEnAllJumps) 0x00000000
set tracewright_mask(trTeInstExtendAddrMSB) 0x00000400
set tracewright_reset(trTeInstExtendAddrMSB) 0x00000000
set tracewright_mask(trTeSrcID) 0x0fff0000
set tracewright_reset(trTeSrcID) 0x00000000
set tracewright_mask(trTeSrcBits) 0xf0000000
set tracewright_reset(trTeSrcBits) 0x60000000
set tracewright_at(twStatus) 0x0e00
set tracewright_mask(twTakesBlocks) 0x00000001
set tracewright_reset(twTakesBlocks) 0x00000000
set tracewright_at(twFingerprint) 0x0efc
set tracewright_mask(twFingerprint) 0xffffffff
set tracewright_reset(twFingerprint) 0x2ba6f917
set tracewright_at(trFunnelControl) 0x20000
set tracewright_mask(trFunnelActive) 0x00000001
set tracewright_reset(trFunnelActive) 0x00000000
set tracewright_mask(trFunnelEnable) 0x00000002
set tracewright_reset(trFunnelEnable) 0x00000000
set tracewright_mask(trFunnelEmpty) 0x00000008
set tracewright_reset(trFunnelEmpty) 0x00000008
set tracewright_at(trFunnelImpl) 0x20004
set tracewright_mask(trFunnelVerMajor) 0x0000000f
set tracewright_reset(trFunnelVerMajor) 0x00000001
set tracewright_mask(trFunnelVerMinor) 0x000000f0
set tracewright_reset(trFunnelVerMinor) 0x00000000
set tracewright_mask(trFunnelCompType) 0x00000f00
set tracewright_reset(trFunnelCompType) 0x00000800
set tracewright_at(trFunnelDisInput) 0x20008
set tracewright_mask(trFunnelDisInput) 0x0000ffff
set tracewright_reset(trFunnelDisInput) 0x00000000
set tracewright_at(trRamControl) 0x21000
set tracewright_mask(trRamActive) 0x00000001
set tracewright_reset(trRamActive) 0x00000000
set tracewright_mask(trRamEnable) 0x00000002
set tracewright_reset(trRamEnable) 0x00000000
set tracewright_mask(trRamEmpty) 0x00000008
set tracewright_reset(trRamEmpty) 0x00000008
set tracewright_mask(trRamMode) 0x00000010
set tracewright_reset(trRamMode) 0x00000000
set tracewright_mask(trRamStopOnWrap) 0x00000100
set tracewright_reset(trRamStopOnWrap) 0x00000000
set tracewright_at(trRamImpl) 0x21004
set tracewright_mask(trRamVerMajor) 0x0000000f
set tracewright_reset(trRamVerMajor) 0x00000001
set tracewright_mask(trRamVerMinor) 0x000000f0
set tracewright_reset(trRamVerMinor) 0x00000000
set tracewright_mask(trRamCompType) 0x00000f00
set tracewright_reset(trRamCompType) 0x00000900
set tracewright_mask(trRamHasSRAM) 0x00001000
set tracewright_reset(trRamHasSRAM) 0x00001000
set tracewright_mask(trRamHasSMEM) 0x00002000
set tracewright_reset(trRamHasSMEM) 0x00000000
set tracewright_at(trRamStartLow) 0x21010
set tracewright_mask(trRamStartLow) 0xfffffffc
set tracewright_reset(trRamStartLow) 0x00000000
set tracewright_at(trRamLimitLow) 0x21018
set tracewright_mask(trRamLimitLow) 0xfffffffc
set tracewright_reset(trRamLimitLow) 0x00000ffc
set tracewright_at(trRamWPLow) 0x21020
set tracewright_mask(trRamWrap) 0x00000001
set tracewright_reset(trRamWrap) 0x00000000
set tracewright_mask(trRamWPLow) 0xfffffffc
set tracewright_reset(trRamWPLow) 0x00000000
set tracewright_at(trRamRPLow) 0x21028
set tracewright_mask(trRamRPLow) 0xfffffffc
set tracewright_reset(trRamRPLow) 0x00000000
set tracewright_at(trRamData) 0x21040
set tracewright_mask(trRamData) 0xffffffff

proc tracewright_read {register {from 0}} {
    global tracewright_base tracewright_at
    return [lindex [read_memory [expr {$tracewright_base + $from + $tracewright_at($register)}] 32 1] 0]
}

proc tracewright_write {register value {from 0}} {
    global tracewright_base tracewright_at
    write_memory [expr {$tracewright_base + $from + $tracewright_at($register)}] 32 [list [format 0x%08x $value]]
}

proc tracewright_wait {register field is_set {from 0}} {
    global tracewright_polls tracewright_mask
    for {set poll 0} {$poll < $tracewright_polls} {incr poll} {
        if {([tracewright_read $register $from] & $tracewright_mask($field)) != 0 == $is_set} { return }
    }
    error "tracewright: $field of $register stays [expr {$is_set ? 0 : 1}] at [format 0x%x $from]"
}

proc tracewright_wake {register field {from 0}} {
    tracewright_write $register 0 $from
    tracewright_wait $register $field 0 $from
    tracewright_write $register 1 $from
    tracewright_wait $register $field 1 $from
}

proc tracewright_expect {register field complaint {from 0}} {
    global tracewright_mask tracewright_reset
    if {([tracewright_read $register $from] & $tracewright_mask($field)) != $tracewright_reset($field)} {
        error "tracewright: $complaint ($field of $register)"
    }
}

proc tracewright_init {base} {
    global tracewright_base tracewright_harts tracewright_fingerprints
    set tracewright_base $base
    foreach hart $tracewright_harts fingerprint $tracewright_fingerprints {
        tracewright_expect trTeImpl trTeCompType "there is no trace encoder at [format 0x%x [expr {$base + $hart}]]" $hart
        if {[tracewright_read twFingerprint $hart] != $fingerprint} {
            error "tracewright: another design at [format 0x%x [expr {$base + $hart}]], which other files decode"
        }
        tracewright_wake trTeControl trTeActive $hart
    }
    tracewright_expect trFunnelImpl trFunnelCompType "there is no trace funnel"
    tracewright_wake trFunnelControl trFunnelActive
    tracewright_expect trRamImpl trRamCompType "there is no RAM sink"
    tracewright_wake trRamControl trRamActive
    tracewright_write trRamLimitLow 0xffffffff
}

# The control register of an encoder without the bit that a 1 clears.
proc tracewright_control {from} {
    global tracewright_mask
    return [expr {[tracewright_read trTeControl $from] & ~$tracewright_mask(trTeInstStallOrOverflow)}]
}

proc tracewright_start {harts} {
    global tracewright_mask tracewright_reset tracewright_harts
    tracewright_write trRamWPLow [tracewright_read trRamStartLow]
    tracewright_write trRamControl [expr {$tracewright_mask(trRamActive) | $tracewright_mask(trRamEnable)}]
    set disabled $tracewright_mask(trFunnelDisInput)
    foreach hart $harts { set disabled [expr {$disabled & ~(1 << $hart)}] }
    tracewright_write trFunnelDisInput $disabled
    tracewright_write trFunnelControl [expr {$tracewright_mask(trFunnelActive) | $tracewright_mask(trFunnelEnable)}]
    set on [expr {$tracewright_mask(trTeEnable) | $tracewright_mask(trTeInstTracing) | $tracewright_reset(trTeInstMode)}]
    foreach hart $harts {
        set from [lindex $tracewright_harts $hart]
        tracewright_write trTeControl [expr {[tracewright_control $from] | $on}] $from
        tracewright_wait twStatus twTakesBlocks 1 $from
    }
}

proc tracewright_stop {} {
    global tracewright_mask tracewright_harts
    set on [expr {$tracewright_mask(trTeEnable) | $tracewright_mask(trTeInstTracing)}]
    foreach from $tracewright_harts {
        tracewright_write trTeControl [expr {[tracewright_control $from] & ~$on}] $from
        tracewright_wait trTeControl trTeEmpty 1 $from
    }
    tracewright_write trFunnelControl $tracewright_mask(trFunnelActive)
    tracewright_wait trFunnelControl trFunnelEmpty 1
    tracewright_write trRamControl [expr {[tracewright_read trRamControl] & ~$tracewright_mask(trRamEnable)}]
    tracewright_wait trRamControl trRamEmpty 1
}

proc tracewright_dump {file} {
    global tracewright_mask
    set start [tracewright_read trRamStartLow]
    set pointer [tracewright_read trRamWPLow]
    set offset [expr {($pointer & $tracewright_mask(trRamWPLow)) - $start}]
    if {$pointer & $tracewright_mask(trRamWrap)} {
        set bytes [expr {[tracewright_read trRamLimitLow] + 4 - $start}]
        set value 1
    } else {
        set bytes $offset
        set offset 0
        set value $bytes
    }
    tracewright_write trRamRPLow [expr {$start + $offset}]
    set output [open $file w]
    for {set at 0} {$at < $bytes} {incr at 4} {
        set word {}
        pack word [tracewright_read trRamData] -intle 32
        puts -nonewline $output $word
    }
    close $output
    echo "$bytes bytes: tracewright decode --ram-sink $value $file --standard ntrace --encoder HART/encoder.toml --hart SOURCE --program ... -o ..."
}
