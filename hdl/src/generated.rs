//! Verilog, and what is known of it.

use tracewright_elaborate::{Fault, Instantiated, Port};

/// The Verilog of a design.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The top module.
    pub top: String,
    /// The comment that every file begins with.
    pub header: String,
    /// The comment that the top module's file begins with: the header and the parameters.
    pub top_header: String,
    /// File names and texts, one module each, every module after those that it instantiates.
    pub files: Vec<(String, String)>,
    /// Names of the files that hold the cells of a memory and nothing else.
    pub memory_files: Vec<String>,
    /// The top's ports, clock and reset included.
    pub ports: Vec<Port>,
    /// Bits of registers and memories in the whole design.
    pub storage_bits: usize,
    /// The same by instance, in the order of the hierarchy.
    pub storage: Vec<Storage>,
    /// Bits of the memories among them.
    pub memory_bits: usize,
    /// What its input `fault_select` can switch on, the fault of number 1 first ([`generate_with_faults`](crate::generate_with_faults)).
    pub faults: Vec<Fault>,
}

/// Registers and memories of an instance, without those of the instances in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Storage {
    /// The path of the instance from the top down, `top` for the top itself. Instances whose names differ in
    /// their number only are counted together.
    pub instance: String,
    /// Number of bits.
    pub bits: usize,
}

impl Generated {
    /// The module as one around it sees it.
    pub fn instantiated(&self) -> Instantiated<'_> {
        Instantiated { module: &self.top, ports: &self.ports, faults: &self.faults }
    }

    /// Every module in one file, which has the name of the top module.
    pub fn one_file(&self) -> (String, String) {
        self.in_one_file(self.files.iter())
    }

    /// The files of a design as a folder has them: a file for each memory in a module of its own, in whose place a macro
    /// can be put, and one with every other module, which has the name of the top module.
    pub fn sources(&self) -> Vec<(String, String)> {
        let is_memory = |file: &&(String, String)| self.memory_files.contains(&file.0);
        let mut sources: Vec<_> = self.files.iter().filter(is_memory).cloned().collect();
        sources.push(self.in_one_file(self.files.iter().filter(|file| !is_memory(file))));
        sources
    }

    fn in_one_file<'a>(
        &'a self,
        files: impl Iterator<Item = &'a (String, String)>,
    ) -> (String, String) {
        let mut text = self.top_header.clone();
        for (_, module) in files {
            text.push('\n');
            let bare = module.strip_prefix(&self.top_header);
            let bare = bare.or_else(|| module.strip_prefix(&self.header));
            text.push_str(bare.unwrap_or(module));
        }
        (format!("{}.v", self.top), text)
    }
}
