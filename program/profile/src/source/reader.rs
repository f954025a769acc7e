//! Reads DWARF.

use std::sync::Arc;

use gimli::{
    AttributeValue, DebugInfoOffset, DebuggingInformationEntry, Dwarf, EndianArcSlice,
    LittleEndian, Unit, UnitOffset, UnitRef,
};
use object::{Object, ObjectSection};
use rustc_hash::FxHashMap;
use tracewright_image::File;

use super::{Function, Row, Scope, Source};

type Section = EndianArcSlice<LittleEndian>;
type Entry = DebuggingInformationEntry<Section>;

/// How many references lead from a function to its name at most.
const MOST_REFERENCES: usize = 8;

/// The debugging information of a file.
pub(super) fn read(file: &File) -> Option<Source> {
    let data = file.debug_data.as_ref().unwrap_or(&file.data);
    let elf = object::File::parse(&**data).ok()?;
    let dwarf = Dwarf::load(|section| -> Result<Section, gimli::Error> {
        let found = elf.section_by_name(section.name());
        let bytes = found.and_then(|one| Some(one.uncompressed_data().ok()?.into_owned()));
        Ok(Section::new(Arc::from(bytes.unwrap_or_default()), LittleEndian))
    });
    Reader::new(dwarf.ok()?).all().ok()
}

struct Reader {
    dwarf: Dwarf<Section>,
    units: Vec<Unit<Section>>,
    source: Source,
    /// The functions by the place of what declares them.
    known: FxHashMap<usize, usize>,
}

impl Reader {
    fn new(dwarf: Dwarf<Section>) -> Self {
        Self { dwarf, units: Vec::new(), source: Source::default(), known: FxHashMap::default() }
    }

    fn all(mut self) -> Result<Source, gimli::Error> {
        let mut headers = self.dwarf.units();
        while let Some(header) = headers.next()? {
            self.units.push(self.dwarf.unit(header)?);
        }
        for number in 0..self.units.len() {
            // A unit that is damaged has nothing to say.
            let _ = self.scopes(number);
            let _ = self.rows(number);
        }
        let rows = &mut self.source.rows;
        rows.sort_by_key(|row| (row.begin, row.end));
        Ok(self.source)
    }

    /// The lines of a unit.
    fn rows(&mut self, number: usize) -> Result<(), gimli::Error> {
        let Some(program) = self.units[number].line_program.clone() else { return Ok(()) };
        let mut rows = program.rows();
        let mut last: Option<Row> = None;
        while let Some((_, row)) = rows.next_row()? {
            let begin = row.address();
            if let Some(last) = last.take().filter(|last| last.begin < begin) {
                self.source.rows.push(Row { end: begin, ..last });
            }
            let line = row.line().map_or(0, |line| line.get() as u32);
            let discriminator = row.discriminator() as u32;
            let next = Row { begin, end: begin, line, discriminator };
            last = (!row.end_sequence()).then_some(next);
        }
        Ok(())
    }

    /// The functions of a unit.
    fn scopes(&mut self, number: usize) -> Result<(), gimli::Error> {
        // The functions that are open, each with its depth.
        let mut open: Vec<(isize, usize)> = Vec::new();
        let mut found = Vec::new();
        let unit = UnitRef::new(&self.dwarf, &self.units[number]);
        let mut entries = unit.entries();
        while let Some(entry) = entries.next_dfs()? {
            let tag = entry.tag();
            let is_scope =
                matches!(tag, gimli::DW_TAG_subprogram | gimli::DW_TAG_inlined_subroutine);
            // A block ends what was put into the function before it, and has what is put into the function in it.
            if is_scope || tag == gimli::DW_TAG_lexical_block {
                found.push((entry.depth(), is_scope.then(|| entry.clone())));
            }
        }
        for (depth, entry) in found {
            while open.last().is_some_and(|(open, _)| *open >= depth) {
                open.pop();
            }
            let Some(entry) = entry else { continue };
            let Some(scope) = self.scope(number, &entry)? else { continue };
            let place = self.source.scopes.len();
            self.add(place, scope, open.last().map(|(_, parent)| *parent), &entry);
            open.push((depth, place));
        }
        Ok(())
    }

    fn add(&mut self, place: usize, scope: Scope, parent: Option<usize>, entry: &Entry) {
        let source = &mut self.source;
        let is_inlined = entry.tag() == gimli::DW_TAG_inlined_subroutine;
        match parent.filter(|_| is_inlined) {
            Some(parent) => source.scopes[parent].children.push(place),
            None => {
                let first = scope.ranges.first().map_or(0, |range| range.start);
                source.entries.entry(first).or_insert(scope.function);
                for range in &scope.ranges {
                    source.outer.insert(range.start, (range.end, place));
                }
            }
        }
        source.scopes.push(scope);
    }

    /// The scope of an entry, if it has code.
    fn scope(&mut self, number: usize, entry: &Entry) -> Result<Option<Scope>, gimli::Error> {
        let unit = UnitRef::new(&self.dwarf, &self.units[number]);
        let mut ranges = Vec::new();
        let mut of_entry = unit.die_ranges(entry)?;
        while let Some(range) = of_entry.next()? {
            // What the linker left out begins at 0.
            if range.begin < range.end && range.begin > 0 {
                ranges.push(range.begin..range.end);
            }
        }
        let constant = |name| {
            let value = entry.attr(name).and_then(gimli::Attribute::udata_value);
            value.unwrap_or(0) as u32
        };
        let call = (constant(gimli::DW_AT_call_line), constant(gimli::DW_AT_GNU_discriminator));
        if ranges.is_empty() {
            return Ok(None);
        }
        let Some(function) = self.function(number, entry) else { return Ok(None) };
        Ok(Some(Scope { function, ranges, call, children: Vec::new() }))
    }

    /// The number of the function that an entry is of, if it has a name.
    fn function(&mut self, number: usize, entry: &Entry) -> Option<usize> {
        let (mut number, mut entry) = (number, entry.clone());
        let (mut name, mut linkage_name, mut line, mut place) = (None, None, None, 0);
        for _ in 0..MOST_REFERENCES {
            let unit = UnitRef::new(&self.dwarf, &self.units[number]);
            let text = |name| {
                let value = unit.attr_string(entry.attr_value(name)?).ok()?;
                Some(String::from_utf8_lossy(value.bytes()).into_owned())
            };
            name = name.or_else(|| text(gimli::DW_AT_name));
            linkage_name = linkage_name.or_else(|| {
                text(gimli::DW_AT_linkage_name).or_else(|| text(gimli::DW_AT_MIPS_linkage_name))
            });
            let declared = entry.attr(gimli::DW_AT_decl_line);
            line = line.or_else(|| declared.and_then(gimli::Attribute::udata_value));
            place = self.units[number].header.offset_to_place(entry.offset());
            let next = entry.attr_value(gimli::DW_AT_abstract_origin);
            let next = next.or_else(|| entry.attr_value(gimli::DW_AT_specification));
            let Some((of_next, offset)) = next.and_then(|next| self.referred(number, next)) else {
                break;
            };
            let Ok(found) = self.units[of_next].entry(offset) else { break };
            (number, entry) = (of_next, found);
        }
        if let Some(known) = self.known.get(&place) {
            return Some(*known);
        }
        let name = linkage_name.or(name)?;
        let function = self.source.functions.len();
        self.source.functions.push(Function { name: name.into(), line: line.unwrap_or(0) as u32 });
        self.known.insert(place, function);
        Some(function)
    }

    /// The unit of an entry that another one refers to, and its place in it.
    fn referred(
        &self,
        number: usize,
        value: AttributeValue<Section>,
    ) -> Option<(usize, UnitOffset<usize>)> {
        match value {
            AttributeValue::UnitRef(offset) => Some((number, offset)),
            AttributeValue::DebugInfoRef(offset) => {
                let begins = |unit: &Unit<Section>| unit.header.begin() <= offset.0;
                let place = self.units.partition_point(begins).checked_sub(1)?;
                Some((place, offset.to_unit_offset(&self.units[place].header)?))
            }
            _ => None,
        }
    }
}

/// Where a unit is in its section.
trait Located {
    fn begin(&self) -> usize;
    fn offset_to_place(&self, offset: UnitOffset<usize>) -> usize;
}

impl Located for gimli::UnitHeader<Section> {
    fn begin(&self) -> usize {
        self.debug_info_offset().map_or(0, |DebugInfoOffset(offset)| offset)
    }

    fn offset_to_place(&self, offset: UnitOffset<usize>) -> usize {
        offset.to_debug_info_offset(self).map_or(0, |DebugInfoOffset(offset)| offset)
    }
}
