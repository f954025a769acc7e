//! RISC-V instructions that capstone does not know or takes for others: those of Zcmp and Zcmt, which are `c.fsdsp` for
//! it, of control-flow integrity (Zicfilp, Zicfiss), and returns from traps.

use tracewright_sim::rvfi::Extensions;

/// The text of such an instruction, of a processor with words of so many bytes.
pub(super) fn text(extensions: Extensions, word_bytes: u32, bytes: &[u8]) -> Option<String> {
    match *bytes {
        [low, high] => compressed(extensions, word_bytes, u16::from_le_bytes([low, high])),
        [one, two, three, four] => full(u32::from_le_bytes([one, two, three, four])),
        _ => None,
    }
}

fn compressed(extensions: Extensions, word_bytes: u32, half: u16) -> Option<String> {
    let half = u32::from(half);
    let field = |low: u32, bits: u32| half >> low & ((1 << bits) - 1);
    // Without Zicfiss they are operations that do nothing, c.mop.1 and c.mop.5.
    match half {
        0x6081 => return Some("c.sspush ra".into()),
        0x6281 => return Some("c.sspopchk t0".into()),
        _ if (field(0, 2), field(13, 3)) != (2, 5) => return None,
        _ => {}
    }
    match field(10, 3) {
        0 if extensions.zcmt => {
            let index = field(2, 8);
            Some(format!("{} {index}", if index < 32 { "cm.jt" } else { "cm.jalt" }))
        }
        3 if extensions.zcmp && field(5, 1) == 1 => {
            let name = if field(6, 1) == 0 { "cm.mvsa01" } else { "cm.mva01s" };
            Some(format!("{name} s{}, s{}", field(7, 3), field(2, 3)))
        }
        6 | 7 if extensions.zcmp && field(8, 1) == 0 => {
            let names = ["cm.push", "cm.pop", "cm.popretz", "cm.popret"];
            let name = names[(field(10, 1) << 1 | field(9, 1)) as usize];
            let (list, registers) = registers(field(4, 4))?;
            let saved = (registers * word_bytes).next_multiple_of(16);
            let distance = saved + 16 * field(2, 2);
            let sign = if name == "cm.push" { "-" } else { "" };
            Some(format!("{name} {list}, {sign}{distance}"))
        }
        _ => None,
    }
}

/// A list of registers, and how many it has; `None` for a reserved one.
fn registers(list: u32) -> Option<(String, u32)> {
    match list {
        0..=3 => None,
        4 => Some(("{ra}".into(), 1)),
        5 => Some(("{ra, s0}".into(), 2)),
        15 => Some(("{ra, s0-s11}".into(), 13)),
        _ => Some((format!("{{ra, s0-s{}}}", list - 5), list - 3)),
    }
}

fn full(word: u32) -> Option<String> {
    let register = |place: u32| name(word >> place & 31);
    Some(match word {
        0x7020_0073 => "mnret".into(),
        0x7b20_0073 => "dret".into(),
        0xce10_4073 | 0xce50_4073 => format!("sspush {}", register(20)),
        0xcdc0_c073 | 0xcdc2_c073 => format!("sspopchk {}", register(15)),
        // To register 0 it is another operation.
        _ if word & 0xffff_f07f == 0xcdc0_4073 && word >> 7 & 31 != 0 => {
            format!("ssrdp {}", register(7))
        }
        // An addition to the program counter whose result is lost is a landing pad.
        _ if word & 0xfff == 0x17 => format!("lpad {:#x}", word >> 12),
        _ if word & 0xf800_607f == 0x4800_202f => {
            let width = if word >> 12 & 1 == 0 { "w" } else { "d" };
            let order = ["", ".rl", ".aq", ".aqrl"][(word >> 25 & 3) as usize];
            let (to, from, address) = (register(7), register(20), register(15));
            format!("ssamoswap.{width}{order} {to}, {from}, ({address})")
        }
        _ => return None,
    })
}

/// A register by the name that the calling convention gives it.
fn name(register: u32) -> String {
    match register {
        0..=4 => ["zero", "ra", "sp", "gp", "tp"][register as usize].into(),
        5..=7 => format!("t{}", register - 5),
        8 | 9 => format!("s{}", register - 8),
        10..=17 => format!("a{}", register - 10),
        18..=27 => format!("s{}", register - 16),
        _ => format!("t{}", register - 25),
    }
}
