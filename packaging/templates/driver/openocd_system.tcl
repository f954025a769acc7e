# The trace system {{ name }} in OpenOCD 0.12 and later, written by `tracewright generate`: `source` it in a configuration after
# the target, which is the current one when a verb is called. Harts are numbers: {% for hart in harts %}{{ loop.index0 }} is {{ hart.name }}{{ ", " if not loop.last }}{% endfor %}.
#
#   tracewright_init BASE      finds every part of the system at an address, resets it and wakes it up
{% if has_sink and not has_own_memory %}
#   tracewright_ring ADDRESS BYTES   says where in the memory of the system the ring is, before tracing is switched on
{% endif %}
{% if has_bridge %}
#   tracewright_trace_id ID    says whose the trace is on the trace bus, 1 to 111, before tracing is switched on
{% endif %}
#   tracewright_start HARTS    switches tracing of a list of harts on, as in tracewright_start {0 1}
#   tracewright_stop           switches tracing off, and waits until all of the trace has left the system
{% if has_own_memory %}
#   tracewright_dump FILE      writes the ring, the oldest word first, and says how it is decoded
{% endif %}

set tracewright_base 0
{% if has_sink and not has_own_memory %}
# Where the ring begins.
set tracewright_ring {}
{% endif %}
{% if has_bridge %}
set tracewright_id 0
{% endif %}
# Reads of a register after which it should have changed.
set tracewright_polls 1000

# Where each hart's registers are, and by what its encoder is known.
set tracewright_harts { {% for hart in harts %}{{ "0x%05x" | format(hart.base) }} {% endfor %}}
set tracewright_fingerprints { {% for hart in harts %}{{ hart.fingerprint }} {% endfor %}}

# Offsets of registers, those of a hart from its base.
{% for component in components if component.is_first %}
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
{% if has_sink %}
    tracewright_expect trRamImpl trRamCompType "there is no RAM sink"
    tracewright_wake trRamControl trRamActive
{% if has_own_memory %}
    tracewright_write trRamLimitLow 0xffffffff
{% else %}
    global tracewright_ring
    set tracewright_ring {}
{% endif %}
{% elif has_bridge %}
    global tracewright_id
    tracewright_expect trAtbBridgeImpl trAtbBridgeCompType "there is no ATB bridge"
    tracewright_wake trAtbBridgeControl trAtbBridgeActive
    set tracewright_id 0
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

proc tracewright_ring {address bytes} {
    global tracewright_ring
    tracewright_write_address trRamStart $address
    tracewright_write_address trRamLimit [expr {$address + $bytes - {{ word_bytes }}}]
    set tracewright_ring $address
}
{% endif %}
{% if has_bridge %}

proc tracewright_trace_id {id} {
    global tracewright_id
    if {$id < 1 || $id > 111} { error "tracewright: the trace bus has no source $id: expected 1 to 111" }
    set tracewright_id $id
}
{% endif %}

# The control register of an encoder without the bit that a 1 clears.
proc tracewright_control {from} {
    global tracewright_mask
    return [expr {[tracewright_read trTeControl $from] & ~$tracewright_mask(trTeInstStallOrOverflow)}]
}

proc tracewright_start {harts} {
    global tracewright_mask tracewright_reset tracewright_harts
{% if has_sink %}
{% if has_own_memory %}
    tracewright_write trRamWPLow [tracewright_read trRamStartLow]
{% else %}
    global tracewright_ring
    if {$tracewright_ring eq ""} { error "tracewright: there is no ring, expected tracewright_ring before" }
    tracewright_write_address trRamWP $tracewright_ring
{% endif %}
    tracewright_write trRamControl [expr {$tracewright_mask(trRamActive) | $tracewright_mask(trRamEnable)}]
{% elif has_bridge %}
    global tracewright_id
    if {$tracewright_id == 0} { error "tracewright: the system has no number, expected tracewright_trace_id before" }
    set on [expr {$tracewright_mask(trAtbBridgeActive) | $tracewright_mask(trAtbBridgeEnable)}]
    tracewright_write trAtbBridgeControl [expr {$on | $tracewright_id << 8}]
{% endif %}
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
{% if has_sink %}
    tracewright_write trRamControl [expr {[tracewright_read trRamControl] & ~$tracewright_mask(trRamEnable)}]
    tracewright_wait trRamControl trRamEmpty 1
{% elif has_bridge %}
    tracewright_write trAtbBridgeControl [expr {[tracewright_read trAtbBridgeControl] & ~$tracewright_mask(trAtbBridgeEnable)}]
    tracewright_wait trAtbBridgeControl trAtbBridgeEmpty 1
{% endif %}
}
{% if has_own_memory %}

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
    echo "$bytes bytes: tracewright decode --ram-sink $value $file --standard {{ standard }} --encoder HART/encoder.toml --hart SOURCE --program ... -o ..."
}
{% endif %}
