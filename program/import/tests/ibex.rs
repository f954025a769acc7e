//! Logs of Ibex' tracer, with the columns that `ibex_tracer.sv` prints.

use tracewright_import::Options;

use crate::common::{import_with, whole};

const HEADER: &str = "Time\tCycle\tPC\tInsn\tDecoded instruction\tRegister and memory contents\n";

/// Loads and stores, compressed instructions, a system call, an interrupt and a load that fails.
#[test]
fn instructions() {
    let log = format!(
        "{HEADER}\
         \x20             64\t         8\t00100080\t0180006f\tjal\tx0,100098\t\n\
         \x20             66\t         9\t00100098\t00012503\tlw\tx10,0(x2)\t  x2:0x00010000 x10=0x00000001 PA:0x00010000 load:0x00000001\n\
         \x20             68\t        10\t0010009c\tc10a\tc.swsp\tx2,128(x2)\t  x2:0x00010000  x2:0x00010000 PA:0x00010080 store:0x00010000\n\
         \x20             70\t        11\t0010009e\t00000073\tecall\t\n\
         \x20             72\t        12\t00100000\t30200073\tmret\t\n\
         \x20             74\t        13\t001000a2\t0001\tc.nop\t\n\
         \x20             76\t        14\t0010001c\t30200073\tmret\t\n\
         \x20             78\t        15\t001000a4\t00012503\tlw\tx10,0(x2)\t  x2:0x00000000 PA:0x00000000 load:0x00000000\n\
         \x20             80\t        16\t00100000\t30200073\tmret\t\n\
         \x20             82\t        17\t001000a8\ta001\tc.j\t1000a8\t\n"
    );
    let expected = "\
machine riscv alignment=1 address_bits=32 lengths data
0 exception 0x0 taken 0x100080
1 direct-jump 0x100080 taken 0x100098
1 load 0x100098 0x10000
2 store 0x10009c 0x10080
2 exception 0x10009c taken 0x100000
1 indirect-jump 0x100000 taken 0x1000a2
1 exception 0x1000a2 taken 0x10001c
1 indirect-jump 0x10001c taken 0x1000a4
0 exception 0x10001c taken 0x100000
1 indirect-jump 0x100000 taken 0x1000a8
1 direct-jump 0x1000a8 taken 0x1000a8
";
    let (trace, summary) = whole(log.as_bytes(), Options::default()).expect("a log");
    assert_eq!(trace, expected);
    assert_eq!((summary.instructions, summary.exceptions), (8, 3));
}

/// What the tracer does not know traps; a jump to a multiple of 256 does not.
#[test]
fn words_that_are_no_instruction() {
    let log = format!(
        "{HEADER}1\t1\t00000100\tffffffff\tINVALID\t\t\n2\t2\t00000400\t0000\tc.unimp\t\t\n\
         3\t3\t00000500\t0000006f\tjal\tx0,500\t\n4\t4\t00000500\t0000006f\tjal\tx0,500\t\n"
    );
    let (trace, _) = import_with(&log, Options::default()).expect("a log");
    let jump = "1 direct-jump 0x500 taken 0x500\n";
    let expected = format!(
        "0 exception 0x0 taken 0x100\n0 exception 0x0 taken 0x400\n0 exception 0x0 taken 0x500\n{jump}{jump}"
    );
    assert_eq!(trace, expected);
}
