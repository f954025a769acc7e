//! Traces as tables, and back.

use tracewright_import::rows::{Form, Writer};
use tracewright_import::{Import, Options};
use tracewright_sim::event::{ExecutionState, Item};
use tracewright_sim::synthetic::{Options as SyntheticOptions, Synthetic};
use tracewright_sim::trace_io::Extensions;

use crate::common::{error, import_with, of_program, whole};

/// What is written is read back, with the machine and every extension.
#[test]
fn round_trips() {
    for (seed, form) in [(1, Form::Csv), (2, Form::JsonLines), (3, Form::Csv), (4, Form::JsonLines)]
    {
        let threads = if seed < 3 { 1 } else { 8 };
        let options = SyntheticOptions {
            events: 500,
            threads,
            data_accesses: 20,
            ..SyntheticOptions::from_seed(seed)
        };
        let trace = Synthetic::new(options).expect("options");
        let extensions = Extensions {
            data: true,
            threads: threads > 4,
            states: threads == 1,
            ..Extensions::LENGTHS
        };
        let machine = trace.machine();
        let mut items: Vec<Item> = trace.items().collect();
        if extensions.states {
            let state = |cause| ExecutionState { context: 1 << 40, privilege: 3, cause };
            items.insert(1, Item::State(state(None)));
            items.insert(2, Item::State(state(Some(1 << 63 | 7))));
        }
        let mut writer = Writer::new(Vec::new(), form, machine, extensions).expect("memory");
        items.iter().for_each(|item| writer.write(item).expect("memory"));
        let table = writer.finish().expect("memory");
        let log = Box::new(std::io::Cursor::new(table));
        let import = Import::new(log, "table", Options::default()).expect("a table");
        assert_eq!((import.machine(), import.extensions()), (machine, extensions));
        let mut back = Vec::new();
        let summary = import.run(&mut |item| {
            // The lengths of instructions that are no calls may be left out.
            back.push(*item);
            Ok(())
        });
        let instructions = items.iter().filter_map(|item| match item {
            Item::Event(event) => Some(event.instructions),
            _ => None,
        });
        assert_eq!(summary.expect("a table").instructions, instructions.sum::<u64>());
        assert!(back == items, "{form:?}, seed {seed}");
    }
}

/// A table that somebody made: some columns in another order, decimal addresses, no machine.
#[test]
fn a_table_of_ones_own() {
    let log = "\
kind, instructions, program_counter, target
exception, 0, 0, 4096
direct-jump, 3, 4104, 0x1000
direct-conditional, 3, 0x1008,
";
    let expected = "\
0 exception 0x0 taken 0x1000
3 direct-jump 0x1008 taken 0x1000
3 direct-conditional 0x1008
";
    let (trace, summary) = import_with(log, of_program("rv32imac-crc.elf")).expect("a table");
    assert_eq!((trace.as_str(), summary.instructions), (expected, 6));
    // As spreadsheets write it: with the mark of UTF-8, and other separators.
    let machine = "# machine riscv alignment=1 address_bits=32 lengths";
    for separator in [";", "\t"] {
        let table =
            log.replace(", ", separator).replace(',', separator).replace("kind", "\"Kind\"");
        let table = format!("\u{feff}{machine}{}\r\n{table}", separator.repeat(3));
        assert_eq!(import_with(&table, Options::default()).expect("a table").0, expected);
    }
    let counters = "\u{feff}PC;Insn\r\n0000000000001000;0000a001\r\n0000000000001000;0000a001\r\n";
    let (trace, _) = whole(counters.as_bytes(), Options::default()).expect("a table");
    assert!(trace.contains("address_bits=64") && trace.ends_with("taken 0x1000\n"), "{trace}");
}

/// RISCV-DV calls the words `binary`.
#[test]
fn a_table_of_riscv_dv() {
    let table = "pc,instr,gpr,csr,binary,mode\n80,c.li,a0:3,,0000450d,3\n82,c.j,,,0000a001,3\n";
    let (trace, _) = import_with(table, Options::default()).expect("a table");
    assert_eq!(trace, "0 exception 0x0 taken 0x80\n2 direct-jump 0x82 taken 0x82\n");
}

/// A table of which a row is missing is refused with the row that does not follow.
#[test]
fn a_missing_row_is_refused() {
    let head = "# machine riscv alignment=1 address_bits=32 lengths\n\
                instructions,kind,program_counter,call,return,taken,target,length,thread\n";
    let rows = [
        "0,exception,0x0,0,0,1,0x80000000,,0\n",
        "4,direct-conditional,0x8000000c,0,0,1,0x80000004,,0\n",
        "0,exception,0x8000000c,0,0,1,0x80000100,,0\n",
        "1,indirect-jump,0x80000100,0,0,1,0x80000004,,0\n",
    ];
    import_with(&format!("{head}{}", rows.concat()), Options::default()).expect("a table");
    let missing = format!("{head}{}{}{}", rows[0], rows[1], rows[3]);
    let says = error(missing, Options::default());
    assert!(says.starts_with("run.log, line 5: event 2 (1 instructions"), "{says}");
    assert!(says.ends_with("a row before it is missing, or wrong"), "{says}");
}
