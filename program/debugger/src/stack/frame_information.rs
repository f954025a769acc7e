//! Call frame information of ELF files: `.eh_frame` and `.debug_frame`.

use std::sync::Arc;

use gimli::{
    BaseAddresses, CfaRule, EndianArcSlice, EvaluationResult, LittleEndian, Register, RegisterRule,
    UnwindContext, UnwindExpression, UnwindSection, UnwindTableRow, Value,
};
use object::{Object, ObjectSection};

use super::architecture::Architecture;
use super::row::{Base, Row, Saved};

type Bytes = EndianArcSlice<LittleEndian>;

/// A function in a section.
#[derive(Clone, Copy, Debug)]
struct Function {
    start: u64,
    end: u64,
    offset: usize,
}

/// A section, and its functions in the order of addresses.
#[derive(Debug)]
struct Section<S> {
    section: S,
    bases: BaseAddresses,
    functions: Vec<Function>,
    address_size: u8,
}

/// The call frame information of a file, at the addresses in the file.
#[derive(Debug, Default)]
pub struct FrameInformation {
    exceptions: Option<Section<gimli::EhFrame<Bytes>>>,
    debug: Option<Section<gimli::DebugFrame<Bytes>>>,
}

impl FrameInformation {
    /// Reads that of a file, and of the file with its debugging information if that is another one; nothing where there
    /// is none.
    pub fn of(data: &[u8], debug_data: Option<&[u8]>, architecture: &Architecture) -> Self {
        let size = architecture.word as u8;
        let mut information = Self::default();
        let Ok(file) = object::File::parse(data) else { return information };
        if let Some((bytes, address)) = bytes_of(&file, ".eh_frame") {
            let mut section = gimli::EhFrame::from(bytes);
            section.set_address_size(size);
            section.set_vendor(architecture.vendor());
            let address_of =
                |name| file.section_by_name(name).map_or(0, |section| section.address());
            let bases = BaseAddresses::default()
                .set_eh_frame(address)
                .set_text(address_of(".text"))
                .set_got(address_of(".got"));
            information.exceptions = Some(Section::new(section, bases, size));
        }
        let debug_file = debug_data.and_then(|data| object::File::parse(data).ok());
        let debug = bytes_of(&file, ".debug_frame")
            .or_else(|| debug_file.as_ref().and_then(|file| bytes_of(file, ".debug_frame")));
        if let Some((bytes, _)) = debug {
            let mut section = gimli::DebugFrame::from(bytes);
            section.set_address_size(size);
            section.set_vendor(architecture.vendor());
            information.debug = Some(Section::new(section, BaseAddresses::default(), size));
        }
        information
    }

    /// The rules at an address of the file.
    pub fn row(&self, address: u64, architecture: &Architecture) -> Option<Row> {
        let exceptions = || self.exceptions.as_ref()?.row(address, architecture);
        self.debug.as_ref().and_then(|debug| debug.row(address, architecture)).or_else(exceptions)
    }
}

fn bytes_of(file: &object::File<'_>, name: &str) -> Option<(Bytes, u64)> {
    let section = file.section_by_name(name)?;
    let data = section.uncompressed_data().ok().filter(|data| !data.is_empty())?;
    let bytes: Arc<[u8]> = Arc::from(&*data);
    Some((EndianArcSlice::new(bytes, LittleEndian), section.address()))
}

impl<S: UnwindSection<Bytes>> Section<S> {
    fn new(section: S, bases: BaseAddresses, address_size: u8) -> Self {
        let mut functions = Vec::new();
        let mut entries = section.entries(&bases);
        // What comes after damaged information is not used.
        while let Ok(Some(entry)) = entries.next() {
            let gimli::CieOrFde::Fde(partial) = entry else { continue };
            let Ok(entry) = partial.parse(S::cie_from_offset) else { continue };
            let start = entry.initial_address();
            let end = start.saturating_add(entry.len());
            // A function that the linker has removed is at address 0.
            if start != 0 && start < end {
                functions.push(Function { start, end, offset: entry.offset() });
            }
        }
        functions.sort_by_key(|function| function.start);
        Self { section, bases, functions, address_size }
    }

    fn row(&self, address: u64, architecture: &Architecture) -> Option<Row> {
        let next = self.functions.partition_point(|function| function.start <= address);
        let function = self.functions[..next].last().filter(|found| address < found.end)?;
        let offset = S::Offset::from(function.offset);
        let entry = self.section.fde_from_offset(&self.bases, offset, S::cie_from_offset).ok()?;
        let mut context = UnwindContext::new();
        let mut rows = entry.rows(&self.section, &self.bases, &mut context).ok()?;
        let (mut found, mut depth) = (None, 0);
        while let Ok(Some(row)) = rows.next_row() {
            if let CfaRule::RegisterAndOffset { register, offset } = row.cfa()
                && register.0 == architecture.stack_pointer
            {
                depth = depth.max(u64::try_from(*offset).unwrap_or(0));
            }
            if row.contains(address) {
                found = Some(row.clone());
            }
        }
        let return_address = entry.cie().return_address_register();
        self.rules(&found?, return_address, (address, depth), architecture)
    }

    fn rules(
        &self,
        row: &UnwindTableRow<usize>,
        return_address: Register,
        (address, depth): (u64, u64),
        architecture: &Architecture,
    ) -> Option<Row> {
        let frame = match row.cfa() {
            CfaRule::RegisterAndOffset { register, offset } => Base::Register(register.0, *offset),
            CfaRule::Expression(expression) => self.base(expression, address, architecture)?,
        };
        let saved = |rule: &RegisterRule<usize>| match rule {
            RegisterRule::Offset(offset) => Saved::At(*offset),
            RegisterRule::Register(register) => Saved::Register(register.0),
            RegisterRule::SameValue => Saved::Same,
            _ => Saved::Lost,
        };
        let mut return_rule =
            if architecture.link == Some(return_address.0) { Saved::Same } else { Saved::Lost };
        let mut others = Vec::new();
        for (register, rule) in row.registers() {
            if *register == return_address {
                return_rule = saved(rule);
            } else {
                others.push((register.0, saved(rule)));
            }
        }
        Some(Row { frame, return_address: return_rule, saved: others, depth })
    }

    /// The beginning of a frame that is the value of an expression: of a register alone, as the stubs of linkage tables
    /// have it, or in a word of the frame, as functions have it that align their stack.
    fn base(
        &self,
        expression: &UnwindExpression<usize>,
        address: u64,
        architecture: &Architecture,
    ) -> Option<Base> {
        let expression = expression.get(&self.section).ok()?;
        let encoding = gimli::Encoding {
            address_size: self.address_size,
            format: gimli::Format::Dwarf32,
            version: 4,
        };
        let mut evaluation = expression.evaluation(encoding);
        let (mut base, mut word) = (None, None);
        let mut state = evaluation.evaluate().ok()?;
        loop {
            state = match state {
                EvaluationResult::Complete => break,
                EvaluationResult::RequiresRegister { register, .. } => {
                    // That of the return address stands for the program counter.
                    let is_base = architecture.link.is_some() || register.0 != 16;
                    if is_base && base.is_some_and(|base| base != register.0) {
                        return None;
                    }
                    base = if is_base { Some(register.0) } else { base };
                    let value = if is_base { 0 } else { address };
                    evaluation.resume_with_register(Value::Generic(value)).ok()?
                }
                EvaluationResult::RequiresMemory { address, .. } if word.is_none() => {
                    word = Some(address as i64);
                    evaluation.resume_with_memory(Value::Generic(0)).ok()?
                }
                _ => return None,
            };
        }
        let result = evaluation.result();
        let gimli::Location::Address { address: offset } = result.first()?.location else {
            return None;
        };
        match word {
            Some(word) => Some(Base::Word(base?, word)).filter(|_| offset == 0),
            None => Some(Base::Register(base?, offset as i64)),
        }
    }
}
