//! The names of the functions of an execution.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use tracewright_image::{Image, Owner, Symbol, kernel_helpers};

use crate::blocks::{Block, BlockIndex, Blocks};
use crate::lines::Lines;
use crate::mangling::{demangled, printable};

/// The number of a function in [`Names`], from 0 without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionIndex(u32);

impl FunctionIndex {
    /// The number as an index of a list.
    pub fn place(self) -> usize {
        self.0 as usize
    }

    /// The number for an index of a list.
    pub(crate) fn at(place: usize) -> Self {
        Self(place as u32)
    }
}

/// A function of the execution.
#[derive(Clone, Debug)]
pub struct Function {
    /// The first address, from its symbol or from where it was first entered.
    pub address: u64,
    /// The name as in the source, or `file+0x1234`.
    pub name: String,
    /// True if it has a symbol.
    pub is_known: bool,
    /// The number of its program.
    pub program: usize,
}

/// The functions by address, numbered in the order in which they occur.
#[derive(Debug)]
pub struct Names {
    programs: Vec<OfProgram>,
    functions: Vec<Function>,
    /// The functions by program, file and address.
    by_address: FxHashMap<(usize, Owner, u64), FunctionIndex>,
    /// The functions of each block, once they were looked up.
    of_blocks: Vec<Option<Parts>>,
    inlined: FxHashMap<(usize, String), FunctionIndex>,
}

/// What the names of a program come from.
#[derive(Debug)]
struct OfProgram {
    image: Arc<Image>,
    /// The functions whose unlikely parts begin at these addresses.
    hot: FxHashMap<u64, u64>,
    /// Where inlined functions are found.
    lines: Lines,
}

/// A file of a program.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// The number of the program.
    pub program: usize,
    /// The file, if it is known.
    pub file: Owner,
}

/// The functions of a block, in the order of its instructions.
#[derive(Clone, Debug)]
pub enum Parts {
    /// One function, or none that has a symbol.
    One(Option<FunctionIndex>),
    /// Several functions, when one goes on into the next.
    Several(Arc<[Part]>),
}

/// A part of a block that belongs to one function.
#[derive(Clone, Debug)]
pub struct Part {
    /// The address of the first instruction.
    pub address: u64,
    /// Number of instructions.
    pub instructions: u64,
    /// The function, if it has a symbol.
    pub function: Option<FunctionIndex>,
    /// The functions that the compiler put into it there, from the outermost.
    pub inlined: Option<Arc<[FunctionIndex]>>,
}

impl Parts {
    /// The function at the beginning.
    pub fn first(&self) -> Option<FunctionIndex> {
        match self {
            Parts::One(function) => *function,
            Parts::Several(parts) => parts.first().and_then(|part| part.function),
        }
    }
}

/// The suffix that GCC appends to the name of a function for its unlikely part.
const COLD: &str = ".cold";

impl Names {
    /// Names in images, those of programs in their order, with the functions that compilers put into others as far as
    /// there is debugging information.
    pub fn new(images: impl IntoIterator<Item = Arc<Image>>) -> Self {
        let programs = images.into_iter().map(|image| OfProgram {
            hot: hot_parts(&image),
            lines: Lines::of_image(&image),
            image,
        });
        Self {
            programs: programs.collect(),
            functions: Vec::new(),
            by_address: FxHashMap::default(),
            of_blocks: Vec::new(),
            inlined: FxHashMap::default(),
        }
    }

    /// An address without a Thumb bit, in the program of a function.
    pub fn byte_address(&self, function: FunctionIndex, address: u64) -> u64 {
        self.byte_address_in(self.get(function).program, address)
    }

    /// An address of a program without a Thumb bit.
    pub fn byte_address_in(&self, program: usize, address: u64) -> u64 {
        self.programs[program].image.instruction_set().byte_address(address)
    }

    /// The function with this number.
    pub fn get(&self, index: FunctionIndex) -> &Function {
        &self.functions[index.place()]
    }

    /// The function of a file whose symbol covers an address.
    fn known(&mut self, origin: Origin, address: u64) -> Option<FunctionIndex> {
        let Origin { program, file } = origin;
        let OfProgram { image, hot, .. } = &self.programs[program];
        let symbol = image.function_in(file?, address)?;
        let start = *hot.get(&symbol.address).unwrap_or(&symbol.address);
        if let Some(index) = self.by_address.get(&(program, file, start)) {
            return Some(*index);
        }
        let name = image.function_in(file?, start).map_or(&symbol.name, |symbol| &symbol.name);
        let name = demangled(name);
        let function = Function { address: start, name, is_known: true, program };
        Some(self.insert(file, function))
    }

    /// The function that begins at an address of a file: one that has a symbol, or one that is named after the address.
    pub fn entered(&mut self, origin: Origin, address: u64) -> FunctionIndex {
        if let Some(known) = self.known(origin, address) {
            return known;
        }
        let Origin { program, file } = origin;
        let image = &self.programs[program].image;
        let address = image.instruction_set().byte_address(address);
        match self.by_address.get(&(program, file, address)) {
            Some(index) => *index,
            None => {
                let name = place(image, file, address);
                self.insert(file, Function { address, name, is_known: false, program })
            }
        }
    }

    /// The file that a block is from.
    pub fn origin_of(&self, blocks: &Blocks, index: BlockIndex) -> Origin {
        let Block { program, start, .. } = *blocks.get(index);
        let file = match blocks.own_code(index) {
            Some((_, file)) => file,
            None => self.programs[program].image.owner_at(start),
        };
        Origin { program, file }
    }

    /// The functions of a block.
    #[inline]
    pub fn of_block(&mut self, blocks: &Blocks, index: BlockIndex) -> Parts {
        match self.of_blocks.get(index.place()) {
            Some(Some(known)) => known.clone(),
            _ => self.ask(blocks, index),
        }
    }

    #[cold]
    fn ask(&mut self, blocks: &Blocks, index: BlockIndex) -> Parts {
        let origin = self.origin_of(blocks, index);
        let mut parts: Vec<Part> = Vec::new();
        for address in blocks.program_counters(index, u64::MAX) {
            let function = self.known(origin, address);
            let inlined = self.inlined_at(origin, address);
            let is_same = |last: &&mut Part| last.function == function && last.inlined == inlined;
            match parts.last_mut().filter(is_same) {
                Some(last) => last.instructions += 1,
                None => parts.push(Part { address, instructions: 1, function, inlined }),
            }
        }
        let parts = match parts.as_slice() {
            [] => Parts::One(self.known(origin, blocks.get(index).start)),
            [one] if one.inlined.is_none() => Parts::One(one.function),
            _ => Parts::Several(parts.into()),
        };
        self.of_blocks.resize(blocks.len(), None);
        self.of_blocks[index.place()] = Some(parts.clone());
        parts
    }

    /// The functions that the compiler put into another at an address, from the outermost.
    fn inlined_at(&mut self, origin: Origin, address: u64) -> Option<Arc<[FunctionIndex]>> {
        let Origin { program, file } = origin;
        let OfProgram { image, lines, .. } = &self.programs[program];
        // Lines are those of the files as they were loaded first.
        file.filter(|_| file == image.owner_at(address))?;
        let address = image.instruction_set().byte_address(address);
        let names = lines.inlined(address);
        let indices = names.into_iter().map(|name| {
            let key = (program, name);
            if let Some(index) = self.inlined.get(&key) {
                return *index;
            }
            let index = FunctionIndex(self.functions.len() as u32);
            let name = format!("{} (inlined)", demangled(&key.1));
            self.functions.push(Function { address, name, is_known: true, program });
            self.inlined.insert(key, index);
            index
        });
        let indices: Vec<FunctionIndex> = indices.collect();
        (!indices.is_empty()).then(|| indices.into())
    }

    fn insert(&mut self, file: Owner, function: Function) -> FunctionIndex {
        let index = FunctionIndex(self.functions.len() as u32);
        self.by_address.insert((function.program, file, function.address), index);
        self.functions.push(function);
        index
    }
}

/// The first addresses of functions whose unlikely parts have their own symbols, by the address of that part.
pub(crate) fn hot_parts(image: &Image) -> FxHashMap<u64, u64> {
    let base = |symbol: &Symbol| symbol.name.split_once(COLD).map(|(base, _)| base.to_owned());
    let cold: FxHashMap<String, u64> =
        image.functions().filter_map(|symbol| Some((base(symbol)?, symbol.address))).collect();
    let hot = |symbol: &Symbol| Some((*cold.get(&symbol.name)?, symbol.address));
    image.functions().filter_map(hot).collect()
}

/// An address as its file and the offset in it: `prog+0x1234`.
fn place(image: &Image, file: Owner, address: u64) -> String {
    match file.and_then(|file| image.files().get(file as usize)) {
        Some(file) => {
            let name = file.path.file_name().unwrap_or(file.path.as_os_str());
            let offset = address.wrapping_sub(file.load_address);
            format!("{}+{offset:#x}", printable(&name.to_string_lossy()))
        }
        None => match kernel_helpers::name(image.instruction_set(), address) {
            Some(name) => name.into(),
            None => format!("{address:#x}"),
        },
    }
}

/// An address in the code in a readable form: `main`, `main+0x1c`, `prog+0x1234`.
pub fn spoken(image: &Image, address: u64) -> String {
    spoken_in(image, image.owner_at(address), address)
}

/// An address in the code of a file in a readable form.
pub fn spoken_in(image: &Image, file: Owner, address: u64) -> String {
    let address = image.instruction_set().byte_address(address);
    match file.and_then(|file| image.function_in(file, address)) {
        Some(symbol) if symbol.address == address => demangled(&symbol.name),
        Some(symbol) => format!("{}+{:#x}", demangled(&symbol.name), address - symbol.address),
        None => place(image, file, address),
    }
}
