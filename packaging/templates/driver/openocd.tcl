# The trace unit {{ name }} in OpenOCD 0.12 and later, written by `tracewright generate`: `source` it in a configuration after
# the target, which is the current one when a verb is called.
#
#   tracewright_init BASE      finds the unit at an address, resets it and wakes it up
#   tracewright_start          switches tracing on{{ "; with stop_when_full the ring keeps the beginning of the trace" if has_sink }}
#   tracewright_stop           switches tracing off, and waits until all of the trace has left the unit
{% if has_sink and not has_own_memory %}
#   tracewright_ring ADDRESS BYTES   says where in the memory of the system the ring is, before tracing is switched on
{% endif %}
{% if has_bridge %}
#   tracewright_trace_id ID    says whose the trace is on the trace bus, 1 to 111, before tracing is switched on
{% endif %}
{% if has_sink %}
#   tracewright_dump FILE      writes the ring, the oldest word first, and says how it is decoded
{% endif %}

set tracewright_base 0
{% if has_sink and not has_own_memory %}
# Address and bytes of the ring.
set tracewright_ring {}
{% endif %}
{% if has_bridge %}
# The number of the source on the trace bus.
set tracewright_id 0
{% endif %}
# Reads of a register after which it should have changed.
set tracewright_polls 1000

# Offsets of registers, and of fields their bits and what they are after reset.
{% for component in components %}
{% for register in component.registers %}
set tracewright_at({{ register.name }}) 0x{{ register.address }}
{% for field in register.fields %}
set tracewright_mask({{ field.name }}) {{ "0x%08x" | format(field.mask) }}
{% if field.reset is not none %}
set tracewright_reset({{ field.name }}) {{ "0x%08x" | format(field.placed_reset) }}
{% endif %}
{% endfor %}
{% endfor %}
{% endfor %}

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
{% if has_sink and not has_own_memory %}
    global tracewright_ring
{% endif %}
    tracewright_expect trTeImpl trTeCompType "there is no trace encoder at [format 0x%x $base]"
    tracewright_expect trTeImpl trTeVerMajor "another version of the Trace Control Interface"
    tracewright_expect trTeControl trTeFormat "another format of the trace"
    tracewright_expect twFingerprint twFingerprint "another design, which other files decode"
    tracewright_wake trTeControl trTeActive
{% if has_bridge %}
    global tracewright_id
    tracewright_expect trAtbBridgeImpl trAtbBridgeCompType "there is no ATB bridge"
    tracewright_wake trAtbBridgeControl trAtbBridgeActive
    set tracewright_id 0
{% endif %}
{% if has_sink %}
    tracewright_expect trRamImpl trRamCompType "there is no RAM sink"
{% if has_own_memory %}
    tracewright_expect trRamImpl trRamHasSRAM "the RAM sink has no memory of its own"
    tracewright_wake trRamControl trRamActive
    tracewright_write trRamLimitLow 0xffffffff
{% else %}
    tracewright_expect trRamImpl trRamHasSMEM "the RAM sink does not write to the memory of the system"
    tracewright_wake trRamControl trRamActive
    set tracewright_ring {}
{% endif %}
{% endif %}
}
{% if has_sink and not has_own_memory %}

# The registers of an address, its lower bits and its upper ones.
proc tracewright_write_address {name address} {
{% if has_high %}
    tracewright_write ${name}High [expr {$address >> 32 & 0xffffffff}]
{% endif %}
    tracewright_write ${name}Low [expr {$address & 0xffffffff}]
}

proc tracewright_read_address {name} {
    set address [tracewright_bits [tracewright_read ${name}Low] ${name}Low]
{% if has_high %}
    set address [expr {$address | [tracewright_read ${name}High] << 32}]
{% endif %}
    return $address
}

proc tracewright_ring {address bytes} {
    global tracewright_ring
    if {![tracewright_bits [tracewright_read trRamControl] trRamEmpty]} { error "tracewright: tracing is on" }
    set limit [expr {$address + $bytes - {{ word_bytes }}}]
    tracewright_write_address trRamStart $address
    tracewright_write_address trRamLimit $limit
    if {$bytes <= 0 || [tracewright_read_address trRamStart] != $address || [tracewright_read_address trRamLimit] != $limit} {
        error "tracewright: the unit can have no such ring: expected words of {{ word_bytes }} bytes that it can reach"
    }
    set tracewright_ring [list $address $bytes]
}
{% endif %}
{% if has_bridge %}

proc tracewright_trace_id {id} {
    global tracewright_id
    if {![tracewright_bits [tracewright_read trAtbBridgeControl] trAtbBridgeEmpty]} { error "tracewright: tracing is on" }
    if {$id < 1 || $id > 111} { error "tracewright: the trace bus has no source $id: expected 1 to 111" }
    set tracewright_id $id
}
{% endif %}

# The encoder's control register without the bit that a 1 clears.
proc tracewright_control {} {
    global tracewright_mask
    return [expr {[tracewright_read trTeControl] & ~$tracewright_mask(trTeInstStallOrOverflow)}]
}

proc tracewright_start { {{ "{options {}}" if has_sink }} } {
    global tracewright_mask tracewright_reset
    if {[tracewright_bits [tracewright_read trTeControl] trTeEnable]} { error "tracewright: tracing is on" }
{% if has_sink %}
    if {$options ni {{ "{{} stop_when_full}" }}} { error "tracewright_start: expected nothing or stop_when_full" }
{% if has_own_memory %}
    tracewright_write trRamWPLow [tracewright_read trRamStartLow]
{% else %}
    global tracewright_ring
    if {$tracewright_ring eq ""} { error "tracewright: there is no ring, expected tracewright_ring before" }
    tracewright_write_address trRamWP [lindex $tracewright_ring 0]
{% endif %}
    set on [expr {$tracewright_mask(trRamActive) | $tracewright_mask(trRamEnable)}]
    if {$options eq "stop_when_full"} { set on [expr {$on | $tracewright_mask(trRamStopOnWrap)}] }
    tracewright_write trRamControl $on
{% endif %}
{% if has_bridge %}
    global tracewright_id
    if {$tracewright_id == 0} { error "tracewright: the source has no number, expected tracewright_trace_id before" }
    set on [expr {$tracewright_mask(trAtbBridgeActive) | $tracewright_mask(trAtbBridgeEnable)}]
    tracewright_write trAtbBridgeControl [expr {$on | $tracewright_id << 8}]
{% endif %}
    set on [expr {$tracewright_mask(trTeEnable) | $tracewright_mask(trTeInstTracing) | $tracewright_reset(trTeInstMode)}]
    tracewright_write trTeControl [expr {[tracewright_control] | $on}]
    tracewright_wait twStatus twTakesBlocks 1 "tracing is on, and the unit takes nothing yet: let the core run to its next branch"
}

proc tracewright_stop {} {
    global tracewright_mask
    set on [expr {$tracewright_mask(trTeEnable) | $tracewright_mask(trTeInstTracing)}]
    tracewright_write trTeControl [expr {[tracewright_control] & ~$on}]
    tracewright_wait trTeControl trTeEmpty 1 "the trace does not leave the unit"
{% if has_sink %}
    tracewright_write trRamControl [expr {[tracewright_read trRamControl] & ~$tracewright_mask(trRamEnable)}]
    tracewright_wait trRamControl trRamEmpty 1 "the trace does not leave the unit"
{% if not has_own_memory %}
    set response [tracewright_bits [tracewright_read twRamStatus] twRamResponse]
    if {$response} {
        error "tracewright: the memory answered with error $response, which has ended the trace; the ring has what was written before"
    }
{% endif %}
{% endif %}
{% if has_bridge %}
    tracewright_write trAtbBridgeControl [expr {[tracewright_read trAtbBridgeControl] & ~$tracewright_mask(trAtbBridgeEnable)}]
    tracewright_wait trAtbBridgeControl trAtbBridgeEmpty 1 "the trace does not leave the unit"
{% endif %}
}
{% if has_sink %}

proc tracewright_dump {file} {
    if {![tracewright_bits [tracewright_read trRamControl] trRamEmpty]} { error "tracewright: tracing is on" }
{% if has_own_memory %}
    set start [tracewright_read trRamStartLow]
    set pointer [tracewright_read trRamWPLow]
    set offset [expr {[tracewright_bits $pointer trRamWPLow] - $start}]
{% else %}
    global tracewright_ring
    lassign $tracewright_ring start size
    set pointer [tracewright_read trRamWPLow]
    set offset [expr {[tracewright_read_address trRamWP] - $start}]
{% endif %}
    if {[tracewright_bits $pointer trRamWrap]} {
        set bytes {{ "[expr {[tracewright_read trRamLimitLow] + 4 - $start}]" if has_own_memory else "$size" }}
        set value 1
    } else {
        set bytes $offset
        set offset 0
        set value $bytes
    }
{% if has_own_memory %}
    tracewright_write trRamRPLow [expr {$start + $offset}]
{% endif %}
    set output [open $file w]
    for {set at 0} {$at < $bytes} {incr at 4} {
        set word {}
{% if has_own_memory %}
        pack word [tracewright_read trRamData] -intle 32
{% else %}
        pack word [lindex [read_memory [expr {$start + ($offset + $at) % $size}] 32 1] 0] -intle 32
{% endif %}
        puts -nonewline $output $word
    }
    close $output
    echo "$bytes bytes: tracewright decode --design {{ name }}.toml --ram-sink $value $file --program ... -o ..."
}
{% endif %}
