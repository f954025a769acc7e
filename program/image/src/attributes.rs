//! The extensions of a RISC-V file, from the string that its attributes have for them (`.riscv.attributes`, specified in
//! the ELF psABI).

use object::read::elf::{AttributesSection, FileHeader, ProgramHeader, SectionHeader};
use tracewright_sim::rvfi::Extensions;

/// Attributes of the whole file, not of a section or a symbol of it.
const OF_FILE: object::elf::AttributeTag = object::elf::Tag_File;

/// The first byte of all attributes.
const VERSION: u8 = b'A';

/// `Tag_RISCV_arch`.
const ARCH: u64 = 5;

/// The extensions that a file says it has; none if it has no attributes.
///
/// # Errors
/// When the attributes are damaged.
pub fn extensions<H: FileHeader>(
    header: &H,
    endian: H::Endian,
    data: &[u8],
) -> object::Result<Extensions> {
    let Some(attributes) = place(header, endian, data) else { return Ok(Extensions::NONE) };
    let mut found = Extensions::NONE;
    let mut parts = AttributesSection::<H>::new(endian, attributes)?.subsections()?;
    while let Some(part) = parts.next()? {
        if part.vendor() != b"riscv" {
            continue;
        }
        let mut parts = part.subsubsections();
        while let Some(part) = parts.next()? {
            let mut attributes = part.attributes();
            while part.tag() == OF_FILE
                && let Some(tag) = attributes.read_tag()?
            {
                // Odd ones have a string, even ones a number.
                if tag & 1 == 0 {
                    attributes.read_integer()?;
                    continue;
                }
                let text = attributes.read_string()?;
                if tag == ARCH {
                    found = found.union(of_arch(&String::from_utf8_lossy(text)));
                }
            }
        }
    }
    Ok(found)
}

/// The bytes of the attributes: of the segment, which a file without sections has too, or else of the section, as old
/// linkers write no such segment.
fn place<'d, H: FileHeader>(header: &H, endian: H::Endian, data: &'d [u8]) -> Option<&'d [u8]> {
    let segments = header.program_headers(endian, data).unwrap_or_default();
    let of_segment =
        segments.iter().find(|one| one.p_type(endian) == object::elf::PT_RISCV_ATTRIBUTES);
    let bytes = of_segment.and_then(|segment| segment.data(endian, data).ok());
    // Where a tool removed the section, the segment has zeros, or what is there now.
    let is_there = |bytes: &&[u8]| bytes.first() == Some(&VERSION);
    bytes.filter(is_there).or_else(|| {
        let sections = header.sections(endian, data).ok()?;
        let mut sections = sections.iter();
        let section =
            sections.find(|one| one.sh_type(endian) == object::elf::SHT_RISCV_ATTRIBUTES)?;
        section.data(endian, data).ok().filter(is_there)
    })
}

/// The extensions of an architecture such as `rv32i2p1_m2p0_zca1p0_zcmp1p0`, or `rv32imazca_zcmp`: letters, and names
/// that begin with `s`, `x` or `z` and end before an underscore, each with a version or without.
fn of_arch(arch: &str) -> Extensions {
    let arch = arch.to_ascii_lowercase();
    let parts = arch.trim_start_matches("rv").trim_start_matches(|c: char| c.is_ascii_digit());
    let names = parts
        .split('_')
        .filter_map(|part| part.find(['s', 'x', 'z']).map(|start| without_version(&part[start..])));
    names.fold(Extensions::NONE, |found, name| {
        found.union(match name {
            // All that microcontrollers can have of Zc.
            "zce" => Extensions::ALL,
            name => Extensions::of_names([name]).unwrap_or_default(),
        })
    })
}

/// A name without a version at its end, such as `2p1` or `2`.
fn without_version(name: &str) -> &str {
    let digits = |text: &'_ str| text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let end = digits(name);
    if end == name.len() {
        return name;
    }
    match name[..end].strip_suffix('p') {
        Some(major) if major.ends_with(|c: char| c.is_ascii_digit()) => &major[..digits(major)],
        _ => &name[..end],
    }
}
