//! Logs of CVA6's tracers, in the forms of `instr_trace_item.svh`, `ex_trace_item.svh` and `rvfi_tracer.sv`.

use tracewright_import::{Format, Import, Options};

use crate::common::{import_with, whole};

#[test]
fn the_tracer() {
    let log = "\
     185ns       14 M 0000000000010000 0 00000297 auipc          t0, 0x0                   t0  :0000000000010000
     187ns       15 M 0000000000010004 0 0002b303 ld             t1, 0(t0)                 t1  :0000000000000000 t0  :0000000000010000 VA: 0000000000010000 PA: 00000000010000
     189ns       16 M 0000000000010008 0 0000e422 c.sdsp         s0, 8(sp)                 s0  :0000000000000000 sp  :0000000000020000 VA: 0000000000020008 PA: 00000000020008
     191ns       17 M 000000000001000a 0 00000073 ecall                               
Exception @       193, PC: 000000000001000a, Cause: Environment Call Machine Mode
     201ns       25 M 0000000000010100 0 30200073 mret                                
     203ns       27 M 000000000001000e 1 0000a001 c.j            pc + 0               
Exception @       205, PC: 000000000001000e, Cause: Machine Timer Interrupt
     211ns       35 M 0000000000010100 0 30200073 mret                                
     213ns       36 M 000000000001000e 0 0000a001 c.j            pc + 0               
Exception @       215, PC: 000000000001000e, Cause: Load Access Fault, 
				tval: 0000000000000000
     221ns       45 M 0000000000010100 0 30200073 mret                                
";
    let expected = "\
machine riscv alignment=1 address_bits=64 lengths data
0 exception 0x0 taken 0x10000
2 load 0x10004 0x10000
3 store 0x10008 0x20008
3 exception 0x10008 taken 0x10100
1 indirect-jump 0x10100 taken 0x1000e
1 direct-jump 0x1000e taken 0x1000e
0 exception 0x1000e taken 0x10100
1 indirect-jump 0x10100 taken 0x1000e
0 exception 0x10100 taken 0x10100
";
    let (trace, summary) = whole(log.as_bytes(), Options::default()).expect("a log");
    assert_eq!(trace, expected);
    assert_eq!((summary.exceptions, summary.left_out, summary.other_lines), (3, 1, 0));
    assert_eq!(summary.cannot_tell(Format::Cva6), None);
}

#[test]
fn the_tracer_of_the_formal_interface() {
    let log = "\
core   0: 0x0000000000010000 (0x00000297) DASM(00000297)
3 0x0000000000010000 (0x00000297) x 5 0x0000000000010000
core   0: 0x0000000000010004 (0x0002b303) DASM(0002b303)
3 0x0000000000010004 (0x0002b303) x 6 0x0000000000000000 mem 0x0000000000010000
ILLEGAL_INSTR exception @ 0x0000000000010008
core   0: 0x0000000000010100 (0x0001a001) DASM(0001a001)
3 0x0000000000010100 (0xa001)
core   0: 0x0000000000010100 (0x0001a001) DASM(0001a001)
3 0x0000000000010100 (0xa001)
";
    let import = Import::new(Box::new(log.as_bytes()), "log", Options::default());
    assert_eq!(import.expect("a log").format(), Format::Cva6);
    let expected = "\
0 exception 0x0 taken 0x10000
2 load 0x10004 0x10000
2 exception 0x10004 taken 0x10100
1 direct-jump 0x10100 taken 0x10100
1 direct-jump 0x10100 taken 0x10100
";
    let (trace, summary) = import_with(log, Options::default()).expect("a log");
    assert_eq!(trace, expected);
    assert!(summary.cannot_tell(Format::Cva6).is_some());
}
