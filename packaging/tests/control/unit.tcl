# A trace unit with a sink of 1,024 bytes at 0x10010000, in place of a target's memory: each word of the sink says where it
# is. With `dead` 1 the unit neither begins nor ends. With `smem` 1 the ring is in the memory of the system, where each word
# says how far it is from the ring's first one, and `response` is that of the memory. With `bridge` 1 there is an ATB bridge
# in place of the sink, and `ram` is its register.

set control 0
set ram 0
set limit 0x3fc
set wp 0
set rp 0
set dead 0
set smem 0
set bridge 0
set response 0
set start 0

proc read_memory {address width count} {
    global control ram limit wp rp dead fingerprint smem bridge response start
    if {$address >> 16 != 0x1001} { return [expr {0xdead0000 + $address - $start}] }
    switch [format 0x%x [expr {$address - 0x10010000}]] {
        0x0 { return [expr {$control | ($control & 2 || $dead ? 0 : 8)}] }
        0x4 { return 0x101 }
        0xe00 { return [expr {($control & 6) == 6 && !$dead}] }
        0xefc { return $fingerprint }
        0x1000 { return [expr {$ram | ($ram & 2 ? 0 : 8)}] }
        0x1004 { return [expr {$bridge ? 0xe01 : $smem ? 0x2901 : 0x1901}] }
        0x1010 { return $start }
        0x1018 { return $limit }
        0x1020 { return $wp }
        0x1040 {
            set word [expr {0xdead0000 + $rp}]
            set rp [expr {$rp == $limit ? 0 : $rp + 4}]
            return $word
        }
        0x1e00 { return $response }
        default { return 0 }
    }
}

proc write_memory {address width data} {
    global control ram limit wp rp smem bridge start
    set value [lindex $data 0]
    switch [format 0x%x [expr {$address - 0x10010000}]] {
        0x0 { set control [expr {$value & 1 ? $value & 0x77 : 0x60}] }
        0x1000 { set ram [expr {$value & 1 ? $value & ($bridge ? 0x7f03 : 0x103) : 0}] }
        0x1010 { if {$smem} { set start [expr {$value & 0xfffffffc}] } }
        0x1018 { set limit [expr {$value & ($smem ? 0xfffffffc : 0x3fc)}] }
        0x1020 { set wp $value }
        0x1028 { set rp $value }
    }
}
