//! The procedure linkage table: the stubs through which a file calls functions of other files.
//!
//! A stub jumps to the address in a slot of the global offset table. The slot is read from the stub's instructions and
//! the function's name from the slot's relocation, so that no order and no size of stubs is assumed.

use object::read::elf::{ElfFile, FileHeader};
use object::{
    Architecture, Object, ObjectSection, ObjectSymbol, ObjectSymbolTable, RelocationTarget,
};
use rustc_hash::FxHashMap;

use crate::symbols::Symbol;

/// The sections with stubs. With `-z ibtplt` those of x86 that are called are in `.plt.sec`.
const SECTIONS: [&str; 3] = [".plt", ".plt.sec", ".plt.got"];

/// A stub: its first byte and the size, relative to its section, and the address of its slot.
struct Stub {
    offset: usize,
    size: usize,
    slot: u64,
}

/// The stubs of a file, each named `function@plt`.
pub(crate) fn stubs<H: FileHeader>(file: &ElfFile<'_, H>) -> Vec<Symbol> {
    let names = slot_names(file);
    if names.is_empty() {
        return Vec::new();
    }
    let mut symbols = Vec::new();
    for section in SECTIONS.iter().filter_map(|name| file.section_by_name(name)) {
        let Ok(code) = section.data() else { continue };
        for stub in find(file, section.address(), code) {
            if let Some(name) = names.get(&stub.slot) {
                let address = section.address().wrapping_add(stub.offset as u64);
                let name = format!("{name}@plt");
                symbols.push(Symbol { address, size: stub.size as u64, name });
            }
        }
    }
    symbols
}

/// The name of the function whose address the loader writes into each slot.
fn slot_names<'data, H: FileHeader>(file: &ElfFile<'data, H>) -> FxHashMap<u64, &'data str> {
    let mut names = chosen_names(file);
    let (Some(relocations), Some(table)) =
        (file.dynamic_relocations(), file.dynamic_symbol_table())
    else {
        return names;
    };
    for (slot, relocation) in relocations {
        if let RelocationTarget::Symbol(index) = relocation.target()
            && let Ok(symbol) = table.symbol_by_index(index)
            && let Ok(name) = symbol.name()
            && !name.is_empty()
        {
            names.insert(slot, name);
        }
    }
    names
}

/// The names of the functions of a static program of which the start-up code chooses the version for the processor:
/// their slots have the address of the function that chooses, which has the same name.
fn chosen_names<'data, H: FileHeader>(file: &ElfFile<'data, H>) -> FxHashMap<u64, &'data str> {
    let mut choosers: FxHashMap<u64, u64> = FxHashMap::default();
    let mut relocated = |slot: u64, relocation: &object::Relocation| {
        if relocation.target() == RelocationTarget::Absolute && relocation.addend() > 0 {
            choosers.insert(relocation.addend() as u64, slot);
        }
    };
    for section in [".got.plt", ".got"].iter().filter_map(|name| file.section_by_name(name)) {
        section.relocations().for_each(|(slot, relocation)| relocated(slot, &relocation));
    }
    // Those of a program that is position-independent.
    let dynamic = file.dynamic_relocations().into_iter().flatten();
    dynamic.for_each(|(slot, relocation)| relocated(slot, &relocation));
    let mut names: FxHashMap<u64, &str> = FxHashMap::default();
    let tables = (!choosers.is_empty()).then(|| file.symbols()).into_iter().flatten();
    for symbol in tables {
        let name = symbol.name().unwrap_or_default();
        // `$` begins the marks between code and data.
        let is_name = !name.is_empty() && !name.starts_with('$');
        let Some(slot) = choosers.get(&symbol.address()).filter(|_| is_name) else { continue };
        // Of several names the least private one.
        let private = |name: &str| (name.len() - name.trim_start_matches('_').len(), name.len());
        let known = names.entry(*slot).or_insert(name);
        if (private(name), name) < (private(known), *known) {
            *known = name;
        }
    }
    names
}

fn find<H: FileHeader>(file: &ElfFile<'_, H>, address: u64, code: &[u8]) -> Vec<Stub> {
    match file.architecture() {
        Architecture::X86_64 => x86(code, |next, displacement| {
            address.wrapping_add(next as u64).wrapping_add(displacement as i32 as u64)
        }),
        Architecture::I386 => {
            let table = file.section_by_name(".got.plt").or_else(|| file.section_by_name(".got"));
            let table = table.map_or(0, |section| section.address());
            // `ff 25` has the slot's address, `ff a3` its distance from the table in ebx.
            let is_relative = code.windows(2).any(|bytes| bytes == [0xff, 0xa3]);
            let base = if is_relative { table } else { 0 };
            x86(code, |_, displacement| base.wrapping_add(displacement.into()) & 0xffff_ffff)
        }
        Architecture::Arm => arm(address, code),
        Architecture::Aarch64 => aarch64(address, code),
        Architecture::Riscv32 | Architecture::Riscv64 => riscv(address, code),
        _ => Vec::new(),
    }
}

fn word(bytes: &[u8], offset: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(offset..offset + 4)?.try_into().ok()?))
}

/// Stubs with `jmp *slot`, which may follow `endbr` and a `bnd` prefix, and fill 8 or 16 bytes.
fn x86(code: &[u8], slot: impl Fn(usize, u32) -> u64) -> Vec<Stub> {
    const BEFORE: [&[u8]; 5] = [
        &[],
        &[0xf2],
        &[0xf3, 0x0f, 0x1e, 0xfa],
        &[0xf3, 0x0f, 0x1e, 0xfa, 0xf2],
        &[0xf3, 0x0f, 0x1e, 0xfb],
    ];
    let mut stubs: Vec<Stub> = Vec::new();
    for offset in (0..code.len()).step_by(8) {
        for before in BEFORE {
            let Some(jump) = code[offset..].strip_prefix(before) else { continue };
            if let [0xff, 0x25 | 0xa3, ..] = jump
                && let Some(displacement) = word(jump, 2)
            {
                if let Some(last) = stubs.last_mut() {
                    last.size = last.size.min(offset - last.offset);
                }
                let next = offset + before.len() + 6;
                let size = 16.min(code.len() - offset);
                stubs.push(Stub { offset, size, slot: slot(next, displacement) });
            }
        }
    }
    stubs
}

/// Stubs of `add ip, pc, #a`, then `add ip, ip, #b` and `ldr pc, [ip, #c]!`; before them there may be `bx pc; nop` for
/// callers in Thumb code. A long stub has one more `add`.
fn arm(address: u64, code: &[u8]) -> Vec<Stub> {
    let immediate = |word: u32| (word & 0xff).rotate_right(word >> 7 & 0x1e);
    let mut stubs = Vec::new();
    for offset in (0..code.len()).step_by(4) {
        let at = |index: usize| word(code, offset + 4 * index);
        if at(0).is_none_or(|word| word & 0xffff_f000 != 0xe28f_c000) {
            continue;
        }
        let adds =
            (1..3).take_while(|index| at(*index).is_some_and(|w| w & 0xffff_f000 == 0xe28c_c000));
        let adds = adds.count();
        let Some(load) = at(1 + adds).filter(|word| word & 0xffff_f000 == 0xe5bc_f000) else {
            continue;
        };
        let parts =
            (0..=adds).filter_map(at).fold(0u32, |sum, word| sum.wrapping_add(immediate(word)));
        let program_counter = (address as u32).wrapping_add(offset as u32 + 8);
        let slot = program_counter.wrapping_add(parts).wrapping_add(load & 0xfff);
        let from_thumb =
            if offset >= 4 && word(code, offset - 4) == Some(0x46c0_4778) { 4 } else { 0 };
        let size = 4 * (2 + adds) + from_thumb;
        stubs.push(Stub { offset: offset - from_thumb, size, slot: slot.into() });
    }
    stubs
}

/// Stubs of `adrp x16, a`, then `ldr x17, [x16, b]`, `add x16, x16, b` and `br x17`; with landing pads `bti c` is before
/// them, and where addresses are authenticated `autia1716` before the jump.
fn aarch64(address: u64, code: &[u8]) -> Vec<Stub> {
    const LANDING_PAD: u32 = 0xd503_245f;
    const AUTHENTICATION: u32 = 0xd503_219f;
    const JUMP: u32 = 0xd61f_0220;
    let mut stubs: Vec<Stub> = Vec::new();
    for offset in (0..code.len()).step_by(4) {
        let at = |index: usize| word(code, offset + 4 * index);
        let (Some(page), Some(load)) = (at(0), at(1)) else { break };
        let is_load = page & 0x9f00_001f == 0x9000_0010 && load & 0xffc0_03ff == 0xf940_0211;
        let jump = 3 + usize::from(at(3) == Some(AUTHENTICATION));
        if !is_load || at(jump) != Some(JUMP) {
            continue;
        }
        let pages = i64::from((page << 8) as i32 >> 13) << 2 | i64::from(page >> 29 & 3);
        let program_counter = address.wrapping_add(offset as u64) & !0xfff;
        let slot = program_counter
            .wrapping_add_signed(pages << 12)
            .wrapping_add(u64::from(load >> 10 & 0xfff) * 8);
        let has_pad = offset >= 4 && word(code, offset - 4) == Some(LANDING_PAD);
        let before = if has_pad { 4 } else { 0 };
        let size = 4 * (jump + 1) + before;
        stubs.push(Stub { offset: offset - before, size, slot });
    }
    stubs
}

/// Stubs of `auipc t3, a`, then `lw t3, b(t3)` or `ld`, `jalr t1, t3` and `nop`.
fn riscv(address: u64, code: &[u8]) -> Vec<Stub> {
    let mut stubs = Vec::new();
    for offset in (0..code.len()).step_by(4) {
        let at = |index: usize| word(code, offset + 4 * index);
        let (Some(upper), Some(load), Some(0x000e_0367)) = (at(0), at(1), at(2)) else { continue };
        let is_load = matches!(load & 0xf_ffff, 0xe_2e03 | 0xe_3e03);
        if upper & 0xfff == 0xe17 && is_load {
            let distance = (upper & 0xffff_f000) as i32 as i64 + i64::from(load as i32 >> 20);
            let slot = address.wrapping_add(offset as u64).wrapping_add(distance as u64);
            stubs.push(Stub { offset, size: 16.min(code.len() - offset), slot });
        }
    }
    stubs
}
