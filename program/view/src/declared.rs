//! Where functions are declared, from the debugging information.

use std::sync::Arc;

use gimli::{
    AttributeValue, DebugInfoOffset, DebuggingInformationEntry, Dwarf, EndianArcSlice,
    LittleEndian, Reader, Unit, UnitOffset, UnitRef,
};
use rustc_hash::FxHashMap;

type Section = EndianArcSlice<LittleEndian>;
type Entry = DebuggingInformationEntry<Section>;

/// How many references lead from the code of a function to its declaration at most.
const MOST_REFERENCES: usize = 8;

/// What is declared.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    /// The file and the line of each function, by the address at which its code begins.
    pub(crate) functions: FxHashMap<u64, (Arc<str>, u32)>,
    /// The name, as linkers have it, and the place of each function that was put into others, once for each copy.
    pub(crate) copies: Vec<(String, (Arc<str>, u32))>,
}

/// The declarations of the functions that have code.
pub(crate) fn declarations(dwarf: &Dwarf<Section>) -> Declared {
    let mut units = Vec::new();
    let mut headers = dwarf.units();
    while let Ok(Some(header)) = headers.next() {
        units.extend(dwarf.unit(header));
    }
    let mut found = Declared::default();
    for number in 0..units.len() {
        // A unit that is damaged has nothing more to say.
        let _ = of_unit(dwarf, &units, number, &mut found);
    }
    found
}

fn of_unit(
    dwarf: &Dwarf<Section>,
    units: &[Unit<Section>],
    number: usize,
    found: &mut Declared,
) -> Result<(), gimli::Error> {
    let unit = UnitRef::new(dwarf, &units[number]);
    let mut entries = unit.entries();
    while let Some(entry) = entries.next_dfs()? {
        let is_inlined = entry.tag() == gimli::DW_TAG_inlined_subroutine;
        if !is_inlined && entry.tag() != gimli::DW_TAG_subprogram {
            continue;
        }
        let low = entry.attr_value(gimli::DW_AT_low_pc);
        let begin = match low.map(|low| unit.attr_address(low)).transpose()?.flatten() {
            Some(begin) => Some(begin),
            // The first range of several is that of the entry.
            None => unit.die_ranges(entry)?.next()?.map(|range| range.begin),
        };
        // What the linker left out begins at 0.
        let Some(begin) = begin.filter(|begin| *begin > 0) else { continue };
        let Some((place, name)) = declaration(dwarf, units, number, entry) else { continue };
        match (is_inlined, name) {
            (true, Some(name)) => found.copies.push((name, place)),
            (true, None) => {}
            (false, _) => drop(found.functions.entry(begin).or_insert(place)),
        }
    }
    Ok(())
}

/// A file and a line of it.
type Place = (Arc<str>, u32);

/// The place of the nearest declaration that an entry refers to, or has itself, and the function's name.
fn declaration(
    dwarf: &Dwarf<Section>,
    units: &[Unit<Section>],
    mut number: usize,
    entry: &Entry,
) -> Option<(Place, Option<String>)> {
    let mut entry = entry.clone();
    let (mut place, mut name, mut linkage_name) = (None, None, None);
    for _ in 0..MOST_REFERENCES {
        let unit = UnitRef::new(dwarf, &units[number]);
        let text = |name| {
            let value = unit.attr_string(entry.attr_value(name)?).ok()?;
            Some(value.to_string_lossy().ok()?.into_owned())
        };
        name = name.or_else(|| text(gimli::DW_AT_name));
        linkage_name = linkage_name.or_else(|| text(gimli::DW_AT_linkage_name));
        let line = entry.attr(gimli::DW_AT_decl_line).and_then(gimli::Attribute::udata_value);
        if let (None, Some(line)) = (&place, line) {
            // An entry can leave the file to the one that it refers to.
            let file = match entry.attr_value(gimli::DW_AT_decl_file) {
                Some(AttributeValue::FileIndex(index)) => path(&unit, index),
                _ => None,
            };
            let line = u32::try_from(line).ok().filter(|line| *line > 0);
            place = Some((file.or_else(|| path(&unit, 1))?.into(), line?));
        }
        let next = entry.attr_value(gimli::DW_AT_abstract_origin);
        let next = next.or_else(|| entry.attr_value(gimli::DW_AT_specification));
        let Some((of_next, offset)) = next.and_then(|next| referred(units, number, next)) else {
            break;
        };
        let Ok(found) = units[of_next].entry(offset) else { break };
        (number, entry) = (of_next, found);
    }
    Some((place?, linkage_name.or(name)))
}

/// The unit of an entry that another one refers to, and its place in it.
fn referred(
    units: &[Unit<Section>],
    number: usize,
    value: AttributeValue<Section>,
) -> Option<(usize, UnitOffset<usize>)> {
    match value {
        AttributeValue::UnitRef(offset) => Some((number, offset)),
        AttributeValue::DebugInfoRef(offset) => {
            let begin = |unit: &Unit<Section>| {
                unit.header.debug_info_offset().map_or(0, |DebugInfoOffset(begin)| begin)
            };
            let place = units.partition_point(|unit| begin(unit) <= offset.0).checked_sub(1)?;
            Some((place, offset.to_unit_offset(&units[place].header)?))
        }
        _ => None,
    }
}

/// The path of a file of a unit, with the folder in which it was compiled, as `addr2line` has it.
fn path(unit: &UnitRef<'_, Section>, index: u64) -> Option<String> {
    let header = unit.line_program.as_ref()?.header();
    let file = header.file(index)?;
    let text = |name: Section| Some(name.to_string_lossy().ok()?.into_owned());
    let mut path = unit.comp_dir.clone().and_then(text).unwrap_or_default();
    if file.directory_index() != 0
        && let Some(folder) = file.directory(header)
    {
        push(&mut path, &text(unit.attr_string(folder).ok()?)?);
    }
    push(&mut path, &text(unit.attr_string(file.path_name()).ok()?)?);
    Some(path)
}

fn push(path: &mut String, part: &str) {
    if part.starts_with('/') {
        path.clear();
    } else if !path.is_empty() && !path.ends_with('/') {
        path.push('/');
    }
    path.push_str(part);
}
