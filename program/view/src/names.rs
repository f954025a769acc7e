//! The names of the functions of an execution.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use tracewright_image::{Image, Symbol};

use crate::blocks::{BlockIndex, Blocks};
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
}

/// The functions by address, numbered in the order in which they occur.
#[derive(Clone, Debug)]
pub struct Names {
    image: Arc<Image>,
    functions: Vec<Function>,
    by_address: FxHashMap<u64, FunctionIndex>,
    /// The functions whose unlikely parts begin at these addresses.
    hot: FxHashMap<u64, u64>,
    /// The function of each block: not yet looked up, no symbol, or a function.
    of_blocks: Vec<Option<Option<FunctionIndex>>>,
}

/// The suffix that GCC appends to the name of a function for its unlikely part.
const COLD: &str = ".cold";

impl Names {
    /// The names in an image.
    pub fn new(image: Arc<Image>) -> Self {
        let hot = hot_parts(&image);
        Self {
            image,
            functions: Vec::new(),
            by_address: FxHashMap::default(),
            hot,
            of_blocks: Vec::new(),
        }
    }

    /// The image.
    pub fn image(&self) -> &Arc<Image> {
        &self.image
    }

    /// An address without a Thumb bit.
    pub fn byte_address(&self, address: u64) -> u64 {
        self.image.instruction_set().byte_address(address)
    }

    /// The function with this number.
    pub fn get(&self, index: FunctionIndex) -> &Function {
        &self.functions[index.place()]
    }

    /// The function whose symbol covers an address.
    pub fn known(&mut self, address: u64) -> Option<FunctionIndex> {
        let symbol = self.image.function_at(address)?;
        let start = *self.hot.get(&symbol.address).unwrap_or(&symbol.address);
        if let Some(index) = self.by_address.get(&start) {
            return Some(*index);
        }
        let name = self.image.function_at(start).map_or(&symbol.name, |symbol| &symbol.name);
        let name = demangled(name);
        Some(self.insert(Function { address: start, name, is_known: true }))
    }

    /// The function that begins at an address: one that has a symbol, or one that is named after the address.
    pub fn entered(&mut self, address: u64) -> FunctionIndex {
        if let Some(known) = self.known(address) {
            return known;
        }
        let address = self.image.instruction_set().byte_address(address);
        match self.by_address.get(&address) {
            Some(index) => *index,
            None => {
                let name = place(&self.image, address);
                self.insert(Function { address, name, is_known: false })
            }
        }
    }

    /// The function whose symbol covers the beginning of a block.
    #[inline]
    pub fn of_block(&mut self, blocks: &Blocks, index: BlockIndex) -> Option<FunctionIndex> {
        match self.of_blocks.get(index.place()) {
            Some(Some(known)) => *known,
            _ => self.ask(blocks, index),
        }
    }

    #[cold]
    fn ask(&mut self, blocks: &Blocks, index: BlockIndex) -> Option<FunctionIndex> {
        let known = self.known(blocks.get(index).start);
        self.of_blocks.resize(blocks.len(), None);
        self.of_blocks[index.place()] = Some(known);
        known
    }

    fn insert(&mut self, function: Function) -> FunctionIndex {
        let index = FunctionIndex(self.functions.len() as u32);
        self.by_address.insert(function.address, index);
        self.functions.push(function);
        index
    }
}

/// The first addresses of functions whose unlikely parts have their own symbols, by the address of that part.
fn hot_parts(image: &Image) -> FxHashMap<u64, u64> {
    let base = |symbol: &Symbol| symbol.name.split_once(COLD).map(|(base, _)| base.to_owned());
    let cold: FxHashMap<String, u64> =
        image.functions().filter_map(|symbol| Some((base(symbol)?, symbol.address))).collect();
    let hot = |symbol: &Symbol| Some((*cold.get(&symbol.name)?, symbol.address));
    image.functions().filter_map(hot).collect()
}

/// An address as its file and the offset in it: `prog+0x1234`.
pub fn place(image: &Image, address: u64) -> String {
    match image.file_at(address) {
        Some(file) => {
            let name = file.path.file_name().unwrap_or(file.path.as_os_str());
            let offset = address.wrapping_sub(file.load_address);
            format!("{}+{offset:#x}", printable(&name.to_string_lossy()))
        }
        None => format!("{address:#x}"),
    }
}

/// An address in the code in a readable form: `main`, `main+0x1c`, `prog+0x1234`.
pub fn spoken(image: &Image, address: u64) -> String {
    let address = image.instruction_set().byte_address(address);
    match image.function_at(address) {
        Some(symbol) if symbol.address == address => demangled(&symbol.name),
        Some(symbol) => format!("{}+{:#x}", demangled(&symbol.name), address - symbol.address),
        None => place(image, address),
    }
}
