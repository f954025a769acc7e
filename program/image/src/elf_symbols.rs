//! The functions in an ELF file's symbol tables.

use object::read::elf::{ElfFile, ElfSymbol, FileHeader};
use object::{Architecture, Object, ObjectSection, ObjectSymbol, SectionFlags, SymbolKind};

use crate::linkage_table;
use crate::symbols::Symbol;

/// The functions of a file: from its symbol table, or from the dynamic one of a stripped file; and the stubs through
/// which it calls functions of other files.
///
/// A label without a type, as assemblers write it without `.type`, counts as a function where no typed function covers
/// its address.
pub(crate) fn functions<H: FileHeader>(file: &ElfFile<'_, H>) -> Vec<Symbol> {
    let tables =
        || (file.symbols().collect::<Vec<_>>(), file.dynamic_symbols().collect::<Vec<_>>());
    let (symbols, dynamic) = tables();
    let mut functions = typed(file, &symbols);
    if functions.is_empty() {
        functions = typed(file, &dynamic);
    }
    functions.extend(linkage_table::stubs(file));
    functions.sort_by_key(|symbol| symbol.address);
    let labels = labels(file, &symbols, &functions);
    functions.extend(labels);
    functions
}

fn typed<H: FileHeader>(file: &ElfFile<'_, H>, symbols: &[ElfSymbol<'_, '_, H>]) -> Vec<Symbol> {
    let is_function = |symbol: &&ElfSymbol<'_, '_, H>| {
        symbol.kind() == SymbolKind::Text && symbol.is_definition()
    };
    symbols.iter().filter(is_function).filter_map(|symbol| function(file, symbol)).collect()
}

/// The labels in code that none of `functions`, sorted by address, covers.
fn labels<H: FileHeader>(
    file: &ElfFile<'_, H>,
    symbols: &[ElfSymbol<'_, '_, H>],
    functions: &[Symbol],
) -> Vec<Symbol> {
    let is_covered = |address: u64| {
        let next = functions.partition_point(|function| function.address <= address);
        functions[..next].last().is_some_and(|function| {
            address == function.address || address - function.address < function.size
        })
    };
    let is_label = |symbol: &&ElfSymbol<'_, '_, H>| {
        symbol.kind() == SymbolKind::Unknown && !symbol.is_undefined() && is_in_code(file, symbol)
    };
    let named = |symbol: &Symbol| {
        // `.L` begins the local labels of compilers and `$` the marks between code and data (ARM ELF, section 5.5.5).
        !symbol.name.starts_with(".L") && !symbol.name.starts_with('$')
    };
    let labels = symbols.iter().filter(is_label).filter_map(|symbol| function(file, symbol));
    labels.filter(|label| named(label) && !is_covered(label.address)).collect()
}

fn is_in_code<H: FileHeader>(file: &ElfFile<'_, H>, symbol: &ElfSymbol<'_, '_, H>) -> bool {
    let section = symbol.section_index().and_then(|index| file.section_by_index(index).ok());
    section.is_some_and(|section| match section.flags() {
        SectionFlags::Elf { sh_flags, .. } => sh_flags.contains(object::elf::SHF_EXECINSTR),
        _ => false,
    })
}

fn function<H: FileHeader>(file: &ElfFile<'_, H>, symbol: &ElfSymbol<'_, '_, H>) -> Option<Symbol> {
    let name = symbol.name().ok().filter(|name| !name.is_empty())?;
    let is_arm = file.architecture() == Architecture::Arm;
    Some(Symbol {
        address: if is_arm { symbol.address() & !1 } else { symbol.address() },
        size: symbol.size(),
        name: name.to_owned(),
    })
}
