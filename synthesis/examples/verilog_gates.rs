//! Gates of Verilog modules, each with everything in it, beside each other: `make cva6-gates` compares CVA6 with a trace module.
//!
//! ```text
//! verilog_gates [--quick] [--yosys PATH] TOP=FILE[,FILE...] ...
//! ```

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use tracewright_synthesis::{GateOptions, VerilogGates, count_verilog};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut quick, mut yosys, mut modules) = (false, None, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => quick = true,
            "--yosys" => {
                yosys = Some(PathBuf::from(arguments.next().ok_or("--yosys: expected a path")?));
            }
            module => {
                let (top, files) = module.split_once('=').ok_or("expected TOP=FILE[,FILE...]")?;
                modules.push((top.to_owned(), files.to_owned()));
            }
        }
    }
    let ge_per_bit = GateOptions::default().storage_ge_per_bit;
    let mut first: Option<VerilogGates> = None;
    for (top, files) in modules {
        let text = |file: &str| {
            let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
            let name = file.rsplit('/').next().unwrap_or(file);
            Ok::<_, Box<dyn Error>>((name.to_owned(), text))
        };
        let files = files.split(',').map(text).collect::<Result<Vec<_>, _>>()?;
        let gates = count_verilog(&top, &files, yosys.as_deref(), quick)?;
        let of = first.get_or_insert_with(|| {
            println!("| {} | logic GE | flip-flops | bits of memories | with memories, GE | logic, of the first |", gates.yosys);
            println!("|---|---|---|---|---|---|");
            gates.clone()
        });
        println!(
            "| {top} | {:.0} | {} | {} | {:.0} | {:.2} % |",
            gates.logic_ge,
            gates.flip_flops,
            gates.storage_bits,
            gates.logic_ge + ge_per_bit * gates.storage_bits as f64,
            100.0 * gates.logic_ge / of.logic_ge,
        );
    }
    Ok(())
}
