# A trace system at 0x10010000, in place of a target's memory: a hart for each of the `fingerprints`, the funnel, and a sink whose
# component says that it is `kind`: 0x1901 a ring of 1,024 bytes, each word of which says where it is, 0x2901 one in the memory of
# the system, 0xe01 an ATB bridge. With `dead` 1 no hart begins, and with `stuck` 1 the funnel does not become empty.

set dead 0
set stuck 0
set encoders {}
set funnel 0
set disabled 0
set ram 0
set start 0
set limit 0x3fc
set wp 0
set rp 0

proc read_memory {address width count} {
    global fingerprints kind dead stuck encoders funnel disabled ram start limit wp rp
    set at [expr {$address - 0x10010000}]
    set place [expr {$at >> 16}]
    if {$place < [llength $fingerprints]} {
        set control 0
        catch { set control [dict get $encoders $place] }
        switch [format 0x%x [expr {$at & 0xffff}]] {
            0x0 { return [expr {$control | ($control & 2 ? 0 : 8)}] }
            0x4 { return 0x101 }
            0xe00 { return [expr {($control & 6) == 6 && !$dead}] }
            0xefc { return [lindex $fingerprints $place] }
            default { return 0 }
        }
    }
    switch [format 0x%x [expr {$at - ([llength $fingerprints] << 16)}]] {
        0x0 { return [expr {$funnel | ($stuck ? 0 : 8)}] }
        0x4 { return 0x801 }
        0x8 { return $disabled }
        0x1000 { return [expr {$ram | ($ram & 2 ? 0 : 8)}] }
        0x1004 { return $kind }
        0x1010 { return $start }
        0x1018 { return $limit }
        0x1020 { return $wp }
        0x1040 {
            set word [expr {0xdead0000 + $rp}]
            set rp [expr {$rp == $limit ? 0 : $rp + 4}]
            return $word
        }
        default { return 0 }
    }
}

proc write_memory {address width data} {
    global fingerprints kind encoders funnel disabled ram start limit wp rp
    set value [lindex $data 0]
    set at [expr {$address - 0x10010000}]
    set place [expr {$at >> 16}]
    if {$place < [llength $fingerprints]} {
        if {($at & 0xffff) == 0} { dict set encoders $place [expr {$value & 1 ? $value & 0x77 : 0x60}] }
        return
    }
    switch [format 0x%x [expr {$at - ([llength $fingerprints] << 16)}]] {
        0x0 { set funnel [expr {$value & 3}] }
        0x8 { set disabled [expr {$value & ((1 << [llength $fingerprints]) - 1)}] }
        0x1000 { set ram [expr {$value & 1 ? $value & ($kind == 0xe01 ? 0x7f03 : 0x103) : 0}] }
        0x1010 { if {$kind == 0x2901} { set start [expr {$value}] } }
        0x1018 { set limit [expr {$value & ($kind == 0x2901 ? 0xfffffffc : 0x3fc)}] }
        0x1020 { set wp $value }
        0x1028 { set rp $value }
    }
}
