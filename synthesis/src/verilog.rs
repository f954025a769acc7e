//! The gates of Verilog that is not of a design, such as a processor core, in the way that those of designs are counted.

use std::path::Path;

use crate::error::Result;
use crate::liberty::Library;
use crate::memory::Shape;
use crate::tool::{self, Tool};
use crate::yosys::{Flow, LOGIC, MEMORY, Run};

/// The logic and the memories of a module with everything in it.
#[derive(Clone, Debug, PartialEq)]
pub struct VerilogGates {
    /// The version of Yosys.
    pub yosys: String,
    /// GE of everything but memories.
    pub logic_ge: f64,
    /// Flip-flops among the logic.
    pub flip_flops: u64,
    /// Bits of the memories.
    pub storage_bits: u64,
}

/// Counts the gates of the module `top` in these files, their names and texts, with the library of gate equivalents.
///
/// `quick` maps without optimizing first, which is for very large modules. Nothing is cached.
///
/// # Errors
/// When Yosys is missing or does not read the Verilog.
pub fn count_verilog(
    top: &str,
    files: &[(String, String)],
    yosys: Option<&Path>,
    quick: bool,
) -> Result<VerilogGates> {
    let library = Library::generic()?;
    let yosys = Tool::find(tool::YOSYS, yosys)?;
    let abc = if quick { MEMORY } else { LOGIC };
    let flow = Flow { flatten: true, map_memories: false, abc };
    let run = Run::flow(&yosys, &library, flow, top, files)?;
    let (before, after) = (run.netlist(top, "before.json")?, run.netlist(top, "after.json")?);
    let flat = before.module(top)?;
    let mut logic_ge = 0.0;
    for cell in after.module(top)?.counted().filter(|cell| !cell.is_memory()) {
        let area = library.areas.get(&cell.kind).copied();
        logic_ge +=
            area.ok_or_else(|| library.error(format!("it has no cell for {}", cell.kind)))?;
    }
    let bits = flat.memories().map(|cell| Ok(Shape::of(top, cell)?.bits()));
    let storage_bits = bits.sum::<Result<u64>>()?;
    Ok(VerilogGates { yosys: yosys.version, logic_ge, flip_flops: flat.flip_flops(), storage_bits })
}
