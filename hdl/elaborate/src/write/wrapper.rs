//! Memories in modules of their own, in whose place a macro can be put.

use super::{OWN_NAME, Style, Writer, clocked, range};
use crate::collect::CLOCK_ENABLE;
use crate::fault::FaultKind;
use crate::options::Memories;
use crate::signal::address_width;
use crate::table::MemoryBlock;

/// A memory in a module of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wrapper {
    pub depth: usize,
    pub width: usize,
    reads: usize,
    synchronous: bool,
    /// It is read at the address at which it is written, so that it has that port alone. What the edge reads where it
    /// writes is not used.
    single_port: bool,
}

impl Wrapper {
    fn of(memory: &MemoryBlock) -> Self {
        Self {
            depth: memory.depth,
            width: memory.word_width(),
            reads: memory.reads.len(),
            synchronous: memory.synchronous,
            single_port: false,
        }
    }

    /// Its name after that of the design.
    pub fn kind(&self) -> String {
        let Self { depth, width, reads, synchronous, single_port } = self;
        if *single_port {
            return format!("memory_{depth}x{width}_single_port");
        }
        let reads = if *reads == 1 { String::new() } else { format!("_{reads}_reads") };
        let style = if *synchronous { "_synchronous" } else { "" };
        format!("memory_{depth}x{width}{reads}{style}")
    }

    /// What it must do.
    pub fn description(&self) -> String {
        let Self { depth, width, reads, synchronous, single_port } = self;
        if *single_port {
            return format!(
                "Memory of {depth} entries of {width} bits with one port; the clock edge writes at address, or read_data is \
                 the entry there"
            );
        }
        let ports =
            if *reads == 1 { "one read port".into() } else { format!("{reads} read ports") };
        let when = if *synchronous {
            "read_data is the entry that the clock edge finds at read_address before it writes"
        } else {
            "read_data follows read_address within the cycle"
        };
        format!("Memory of {depth} entries of {width} bits with {ports} and one write port; {when}")
    }

    /// Stands for its name in the modules that use it.
    pub fn placeholder(&self) -> String {
        format!("\u{1}{}\u{1}", self.kind())
    }

    /// The names of its read ports.
    fn ports(&self) -> impl Iterator<Item = (String, String)> + use<> {
        let Self { reads, single_port, .. } = *self;
        (0..reads).map(move |port| {
            let suffix = if reads == 1 { String::new() } else { format!("_{port}") };
            let address =
                if single_port { "address".into() } else { format!("read_address{suffix}") };
            (address, format!("read_data{suffix}"))
        })
    }

    /// The name of the address at which it is written.
    fn write_address(&self) -> &'static str {
        if self.single_port { "address" } else { "write_address" }
    }

    /// The module.
    pub fn text(&self, style: Style) -> String {
        let (address, data) = (range(address_width(self.depth)), range(self.width));
        let widest = address.len().max(data.len());
        let kind = if self.synchronous { "reg" } else { "wire" };
        let mut ports = vec![("input", "wire", "", "clock".to_owned())];
        if style.clock_enable {
            ports.push(("input", "wire", "", CLOCK_ENABLE.to_owned()));
        }
        ports.push(("input", "wire", "", "write_enable".to_owned()));
        let written = self.write_address();
        ports.push(("input", "wire", &address, written.to_owned()));
        ports.push(("input", "wire", &data, "write_data".to_owned()));
        let (mut assigns, mut processes) = (Vec::new(), Vec::new());
        for (from, to) in self.ports() {
            match self.synchronous {
                true => {
                    let line = format!("{to} <= cells[{from}];");
                    let reads = self.single_port.then(|| "!write_enable".into());
                    processes.extend(clocked(style.enabled(reads), &[line]));
                }
                false => assigns.push(format!("assign {to} = cells[{from}];")),
            }
            if !self.single_port {
                ports.push(("input", "wire", &address, from));
            }
            ports.push(("output", kind, &data, to));
        }
        let write = style.enabled(Some("write_enable".into()));
        processes.extend(clocked(write, &[format!("cells[{written}] <= write_data;")]));
        let last = ports.len() - 1;
        let mut text = format!("module {OWN_NAME} (\n");
        for (index, (direction, kind, range, name)) in ports.iter().enumerate() {
            let comma = if index == last { "" } else { "," };
            text.push_str(&format!("    {direction:<6} {kind:<4} {range:<widest$}{name}{comma}\n"));
        }
        text.push_str(&format!(");\n\n    reg {data}cells [0:{}];\n", self.depth - 1));
        for lines in [assigns, processes].iter().filter(|lines| !lines.is_empty()) {
            text.push('\n');
            lines.iter().for_each(|line| text.push_str(&format!("    {line}\n")));
        }
        text.push_str("\nendmodule\n");
        text
    }
}

impl Writer<'_> {
    /// Whether the cells of a memory are in a module of their own.
    pub(super) fn is_wrapped(&self, memory: &MemoryBlock) -> bool {
        self.style.memories == Memories::Wrappers && memory.depth > 1 && memory.width > 0
    }

    /// The instance of the module that holds the cells of a memory.
    pub(super) fn wrapped_memory(&mut self, memory: usize) -> Vec<String> {
        let block = &self.table.memories[memory];
        let (mut wrapper, name, sweep) =
            (Wrapper::of(block), block.name.clone(), block.sweep.clone());
        let (reads, write_address) = (block.reads.clone(), block.write_address);
        let (write_enable, write_data) = (block.write_enable, block.write_data);
        let mut connections = vec![("clock".to_owned(), "clock".to_owned())];
        if self.style.clock_enable {
            let signal = format!("{name}_{CLOCK_ENABLE}");
            let enable = self.with_fault(&signal, FaultKind::StuckAtOne, CLOCK_ENABLE);
            connections.push((CLOCK_ENABLE.into(), enable));
        }
        let (enable, address, data) = match &sweep {
            Some(sweep) => {
                let (enable, data) = self.swept_memory_write(memory, sweep);
                (enable, self.swept_address(memory, &sweep.comes, write_address), data)
            }
            None => {
                let address = self.value(write_address);
                (self.value(write_enable), Some(address), self.value(write_data))
            }
        };
        if let ([(read_address, _)], None) = (&*reads, &sweep) {
            let is_same = Some(self.value(*read_address)) == address;
            wrapper.single_port = wrapper.synchronous && is_same;
        }
        connections.push(("write_enable".into(), enable));
        connections.push((wrapper.write_address().into(), address.unwrap_or_default()));
        connections.push(("write_data".into(), data));
        for (port, ((from, to), (address, data))) in wrapper.ports().zip(reads).enumerate() {
            let (address, data) = match &sweep {
                Some(sweep) => {
                    let swept =
                        (port == 0).then(|| self.swept_address(memory, &sweep.comes, address));
                    let address = swept.flatten().unwrap_or_else(|| self.value(address));
                    (address, sweep.words[port].clone())
                }
                None => (self.value(address), self.table.signals[data].name.clone()),
            };
            if !wrapper.single_port {
                connections.push((from, address));
            }
            connections.push((to, data));
        }
        let widest = connections.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let last = connections.len() - 1;
        let mut lines = vec![format!("{} {name} (", wrapper.placeholder())];
        for (index, (name, value)) in connections.iter().enumerate() {
            let comma = if index == last { "" } else { "," };
            lines.push(format!("    .{name:<widest$} ({value}){comma}"));
        }
        lines.push(");".into());
        self.wrappers.push((name, wrapper));
        lines
    }
}
