//! What to write, and what was written.

use crate::fault::Fault;

/// The reset of every register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reset {
    /// An active-high port `reset`, looked at on the clock edge.
    #[default]
    Synchronous,
    /// An active-low port `reset_n` that acts at once.
    AsynchronousActiveLow,
}

/// Where the cells of memories are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memories {
    /// In the modules that use them, from which a synthesis tool infers what it has.
    #[default]
    Inferred,
    /// In modules of their own with stable ports, to put a macro in their place. A memory of one entry is a register
    /// and stays where it is used.
    Wrappers,
}

/// How to write a design.
#[derive(Clone, Debug)]
pub struct Options {
    /// The name of the top module, and the prefix of every other.
    pub top: String,
    /// The reset of every register.
    pub reset: Reset,
    /// There is an input `clock_enable`, and registers and memories change only in cycles in which it is high. A reset
    /// acts in any cycle.
    pub clock_enable: bool,
    /// Where the cells of memories are.
    pub memories: Memories,
    /// There is an input `fault_select`, and its value N switches on the fault of that number in [`Verilog::faults`]; with
    /// 0 the design is right.
    pub faults: bool,
    /// The comment at the head of every file, above the line that says what the module does.
    pub header: Vec<String>,
    /// The comment that follows in the file of the top module: the configuration.
    pub parameters: Vec<String>,
}

impl Options {
    /// A top of this name, synchronous reset and no header.
    pub fn new(top: impl Into<String>) -> Self {
        Self {
            top: top.into(),
            reset: Reset::default(),
            clock_enable: false,
            memories: Memories::default(),
            faults: false,
            header: Vec::new(),
            parameters: Vec::new(),
        }
    }

    /// The header as every file begins with it.
    pub fn header_text(&self) -> String {
        comment(&self.header)
    }

    /// The header as the file of the top module begins with it.
    pub fn top_header_text(&self) -> String {
        comment(&self.header) + &comment(&self.parameters)
    }
}

fn comment(lines: &[String]) -> String {
    lines.iter().map(|line| format!("// {line}").trim_end().to_owned() + "\n").collect()
}

/// A design in Verilog-2001.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verilog {
    /// The name of the top module.
    pub top: String,
    /// The modules, each after those it instantiates; the top comes last.
    pub modules: Vec<Module>,
    /// The ports of the top; those of no bits are left out.
    pub ports: Vec<Port>,
    /// What its input `fault_select` can switch on, the fault of number 1 first ([`Options::faults`]).
    pub faults: Vec<Fault>,
}

/// One module and the file that holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The module's name.
    pub name: String,
    /// The file's name: the module's, with `.v`.
    pub file_name: String,
    /// The file's text.
    pub text: String,
    /// The registers of the module itself.
    pub registers: Vec<RegisterShape>,
    /// The memories of the module itself.
    pub memories: Vec<MemoryShape>,
    /// The modules it instantiates.
    pub instances: Vec<Instance>,
    /// It holds the cells of a memory and nothing else ([`Memories::Wrappers`]).
    pub is_memory: bool,
}

/// A register of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterShape {
    /// Its name in the Verilog.
    pub name: String,
    /// Its number of bits.
    pub width: usize,
}

/// A memory of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryShape {
    /// Its name in the Verilog.
    pub name: String,
    /// Its number of entries.
    pub depth: usize,
    /// The number of bits of an entry.
    pub width: usize,
}

/// A use of one module in another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The instance's name.
    pub name: String,
    /// The module's name.
    pub module: String,
}

/// Which way a port points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Into the module.
    Input,
    /// Out of the module.
    Output,
}

/// A port of the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Which way it points.
    pub direction: Direction,
    /// Its number of bits.
    pub width: usize,
}

impl Verilog {
    /// The module of this name.
    pub fn module(&self, name: &str) -> Option<&Module> {
        self.modules.iter().find(|module| module.name == name)
    }

    /// The bits that registers and memories of the whole design hold.
    pub fn storage_bits(&self) -> usize {
        self.bits_of(&self.top)
    }

    fn bits_of(&self, name: &str) -> usize {
        self.module(name).map_or(0, |module| {
            let registers: usize = module.registers.iter().map(|register| register.width).sum();
            let memories: usize =
                module.memories.iter().map(|memory| memory.depth * memory.width).sum();
            let below: usize =
                module.instances.iter().map(|instance| self.bits_of(&instance.module)).sum();
            registers + memories + below
        })
    }
}
