# The trace unit traptor-m4-unit in OpenOCD 0.12 and later, written by `tracewright generate`: `source` it in a configuration after
# the target, which is the current one when a verb is called.
#
#   tracewright_init BASE      finds the unit at an address, resets it and wakes it up
#   tracewright_start          switches tracing on; with stop_when_full the ring keeps the beginning of the trace
#   tracewright_stop           switches tracing off, and waits until all of the trace has left the unit
#   tracewright_dump FILE      writes the ring, the oldest word first, and says how it is decoded

set tracewright_base 0
# Reads of a register after which it should have changed.
set tracewright_polls 1000

# Offsets of registers, and of fields their bits and what they are after reset.
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
set tracewright_reset(trTeInstMode) 0x00000070
set tracewright_mask(trTeInstStallOrOverflow) 0x00001000
set tracewright_reset(trTeInstStallOrOverflow) 0x00000000
set tracewright_mask(trTeInstStallEna) 0x00002000
set tracewright_reset(trTeInstStallEna) 0x00002000
set tracewright_mask(trTeInstSyncMode) 0x00030000
set tracewright_reset(trTeInstSyncMode) 0x00000000
set tracewright_mask(trTeInstSyncMax) 0x00f00000
set tracewright_reset(trTeInstSyncMax) 0x00000000
set tracewright_mask(trTeFormat) 0x07000000
set tracewright_reset(trTeFormat) 0x07000000
set tracewright_at(trTeImpl) 0x0004
set tracewright_mask(trTeVerMajor) 0x0000000f
set tracewright_reset(trTeVerMajor) 0x00000001
set tracewright_mask(trTeVerMinor) 0x000000f0
set tracewright_reset(trTeVerMinor) 0x00000000
set tracewright_mask(trTeCompType) 0x00000f00
set tracewright_reset(trTeCompType) 0x00000100
set tracewright_mask(trTeProtocolMajor) 0x000f0000
set tracewright_reset(trTeProtocolMajor) 0x00000000
set tracewright_mask(trTeProtocolMinor) 0x00f00000
set tracewright_reset(trTeProtocolMinor) 0x00100000
set tracewright_at(twStatus) 0x0e00
set tracewright_mask(twTakesBlocks) 0x00000001
set tracewright_reset(twTakesBlocks) 0x00000000
set tracewright_at(twFingerprint) 0x0efc
set tracewright_mask(twFingerprint) 0xffffffff
set tracewright_reset(twFingerprint) 0x9c8e4104
set tracewright_at(trRamControl) 0x1000
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
set tracewright_at(trRamImpl) 0x1004
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
set tracewright_at(trRamStartLow) 0x1010
set tracewright_mask(trRamStartLow) 0xfffffffc
set tracewright_reset(trRamStartLow) 0x00000000
set tracewright_at(trRamLimitLow) 0x1018
set tracewright_mask(trRamLimitLow) 0xfffffffc
set tracewright_reset(trRamLimitLow) 0x00000ffc
set tracewright_at(trRamWPLow) 0x1020
set tracewright_mask(trRamWrap) 0x00000001
set tracewright_reset(trRamWrap) 0x00000000
set tracewright_mask(trRamWPLow) 0xfffffffc
set tracewright_reset(trRamWPLow) 0x00000000
set tracewright_at(trRamRPLow) 0x1028
set tracewright_mask(trRamRPLow) 0xfffffffc
set tracewright_reset(trRamRPLow) 0x00000000
set tracewright_at(trRamData) 0x1040
set tracewright_mask(trRamData) 0xffffffff

proc tracewright_read {register} {
    global tracewright_base tracewright_at
    return [lindex [read_memory [expr {$tracewright_base + $tracewright_at($register)}] 32 1] 0]
}

proc tracewright_write {register value} {
    global tracewright_base tracewright_at
    write_memory [expr {$tracewright_base + $tracewright_at($register)}] 32 [list [format 0x%08x $value]]
}

# The bits of a field in the value of its register.
proc tracewright_bits {value field} {
    global tracewright_mask
    return [expr {$value & $tracewright_mask($field)}]
}

proc tracewright_wait {register field is_set complaint} {
    global tracewright_polls
    for {set poll 0} {$poll < $tracewright_polls} {incr poll} {
        if {([tracewright_bits [tracewright_read $register] $field] != 0) == $is_set} { return }
    }
    error "tracewright: $complaint ($field of $register is [expr {$is_set ? 0 : 1}])"
}

proc tracewright_expect {register field complaint} {
    global tracewright_reset
    set found [tracewright_bits [tracewright_read $register] $field]
    if {$found != $tracewright_reset($field)} {
        error [format "tracewright: %s (%s of %s is 0x%08x, expected 0x%08x)" $complaint $field $register $found $tracewright_reset($field)]
    }
}

proc tracewright_wake {register field} {
    tracewright_write $register 0
    tracewright_wait $register $field 0 "the unit does not answer"
    tracewright_write $register 1
    tracewright_wait $register $field 1 "the unit does not answer"
}

proc tracewright_init {base} {
    global tracewright_base
    set tracewright_base $base
    tracewright_expect trTeImpl trTeCompType "there is no trace encoder at [format 0x%x $base]"
    tracewright_expect trTeImpl trTeVerMajor "another version of the Trace Control Interface"
    tracewright_expect trTeControl trTeFormat "another format of the trace"
    tracewright_expect twFingerprint twFingerprint "another design, which other files decode"
    tracewright_wake trTeControl trTeActive
    tracewright_expect trRamImpl trRamCompType "there is no RAM sink"
    tracewright_expect trRamImpl trRamHasSRAM "the RAM sink has no memory of its own"
    tracewright_wake trRamControl trRamActive
    tracewright_write trRamLimitLow 0xffffffff
}

# The encoder's control register without the bit that a 1 clears.
proc tracewright_control {} {
    global tracewright_mask
    return [expr {[tracewright_read trTeControl] & ~$tracewright_mask(trTeInstStallOrOverflow)}]
}

proc tracewright_start { {options {}} } {
    global tracewright_mask tracewright_reset
    if {[tracewright_bits [tracewright_read trTeControl] trTeEnable]} { error "tracewright: tracing is on" }
    if {$options ni {{} stop_when_full}} { error "tracewright_start: expected nothing or stop_when_full" }
    tracewright_write trRamWPLow [tracewright_read trRamStartLow]
    set on [expr {$tracewright_mask(trRamActive) | $tracewright_mask(trRamEnable)}]
    if {$options eq "stop_when_full"} { set on [expr {$on | $tracewright_mask(trRamStopOnWrap)}] }
    tracewright_write trRamControl $on
    set on [expr {$tracewright_mask(trTeEnable) | $tracewright_mask(trTeInstTracing) | $tracewright_reset(trTeInstMode)}]
    tracewright_write trTeControl [expr {[tracewright_control] | $on}]
    tracewright_wait twStatus twTakesBlocks 1 "tracing is on, and the unit takes nothing yet: let the core run to its next branch"
}

proc tracewright_stop {} {
    global tracewright_mask
    set on [expr {$tracewright_mask(trTeEnable) | $tracewright_mask(trTeInstTracing)}]
    tracewright_write trTeControl [expr {[tracewright_control] & ~$on}]
    tracewright_wait trTeControl trTeEmpty 1 "the trace does not leave the unit"
    tracewright_write trRamControl [expr {[tracewright_read trRamControl] & ~$tracewright_mask(trRamEnable)}]
    tracewright_wait trRamControl trRamEmpty 1 "the trace does not leave the unit"
}

proc tracewright_dump {file} {
    if {![tracewright_bits [tracewright_read trRamControl] trRamEmpty]} { error "tracewright: tracing is on" }
    set start [tracewright_read trRamStartLow]
    set pointer [tracewright_read trRamWPLow]
    set offset [expr {[tracewright_bits $pointer trRamWPLow] - $start}]
    if {[tracewright_bits $pointer trRamWrap]} {
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
    echo "$bytes bytes: tracewright decode --design traptor-m4-unit.toml --ram-sink $value $file --program ... -o ..."
}
