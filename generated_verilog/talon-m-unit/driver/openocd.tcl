# The trace unit talon-m-unit in OpenOCD 0.12 and later, written by `tracewright generate`: `source` it in a configuration after
# the target, which is the current one when a verb is called.
#
#   tracewright_init BASE      finds the unit at an address, resets it and wakes it up
#   tracewright_start          switches tracing on
#   tracewright_stop           switches tracing off, and waits until all of the trace has left the unit
#   tracewright_trace_id ID    says whose the trace is on the trace bus, 1 to 111, before tracing is switched on

set tracewright_base 0
# The number of the source on the trace bus.
set tracewright_id 0
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
set tracewright_reset(twFingerprint) 0xdbaf3976
set tracewright_at(trAtbBridgeControl) 0x1000
set tracewright_mask(trAtbBridgeActive) 0x00000001
set tracewright_reset(trAtbBridgeActive) 0x00000000
set tracewright_mask(trAtbBridgeEnable) 0x00000002
set tracewright_reset(trAtbBridgeEnable) 0x00000000
set tracewright_mask(trAtbBridgeEmpty) 0x00000008
set tracewright_reset(trAtbBridgeEmpty) 0x00000008
set tracewright_mask(trAtbBridgeID) 0x00007f00
set tracewright_reset(trAtbBridgeID) 0x00000000
set tracewright_at(trAtbBridgeImpl) 0x1004
set tracewright_mask(trAtbBridgeVerMajor) 0x0000000f
set tracewright_reset(trAtbBridgeVerMajor) 0x00000001
set tracewright_mask(trAtbBridgeVerMinor) 0x000000f0
set tracewright_reset(trAtbBridgeVerMinor) 0x00000000
set tracewright_mask(trAtbBridgeCompType) 0x00000f00
set tracewright_reset(trAtbBridgeCompType) 0x00000e00
set tracewright_mask(trAtbBridgeAsyncFreq) 0x00007000
set tracewright_reset(trAtbBridgeAsyncFreq) 0x00000000

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
    global tracewright_id
    tracewright_expect trAtbBridgeImpl trAtbBridgeCompType "there is no ATB bridge"
    tracewright_wake trAtbBridgeControl trAtbBridgeActive
    set tracewright_id 0
}

proc tracewright_trace_id {id} {
    global tracewright_id
    if {![tracewright_bits [tracewright_read trAtbBridgeControl] trAtbBridgeEmpty]} { error "tracewright: tracing is on" }
    if {$id < 1 || $id > 111} { error "tracewright: the trace bus has no source $id: expected 1 to 111" }
    set tracewright_id $id
}

# The encoder's control register without the bit that a 1 clears.
proc tracewright_control {} {
    global tracewright_mask
    return [expr {[tracewright_read trTeControl] & ~$tracewright_mask(trTeInstStallOrOverflow)}]
}

proc tracewright_start {  } {
    global tracewright_mask tracewright_reset
    if {[tracewright_bits [tracewright_read trTeControl] trTeEnable]} { error "tracewright: tracing is on" }
    global tracewright_id
    if {$tracewright_id == 0} { error "tracewright: the source has no number, expected tracewright_trace_id before" }
    set on [expr {$tracewright_mask(trAtbBridgeActive) | $tracewright_mask(trAtbBridgeEnable)}]
    tracewright_write trAtbBridgeControl [expr {$on | $tracewright_id << 8}]
    set on [expr {$tracewright_mask(trTeEnable) | $tracewright_mask(trTeInstTracing) | $tracewright_reset(trTeInstMode)}]
    tracewright_write trTeControl [expr {[tracewright_control] | $on}]
    tracewright_wait twStatus twTakesBlocks 1 "tracing is on, and the unit takes nothing yet: let the core run to its next branch"
}

proc tracewright_stop {} {
    global tracewright_mask
    set on [expr {$tracewright_mask(trTeEnable) | $tracewright_mask(trTeInstTracing)}]
    tracewright_write trTeControl [expr {[tracewright_control] & ~$on}]
    tracewright_wait trTeControl trTeEmpty 1 "the trace does not leave the unit"
    tracewright_write trAtbBridgeControl [expr {[tracewright_read trAtbBridgeControl] & ~$tracewright_mask(trAtbBridgeEnable)}]
    tracewright_wait trAtbBridgeControl trAtbBridgeEmpty 1 "the trace does not leave the unit"
}
