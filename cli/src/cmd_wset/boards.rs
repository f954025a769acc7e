//! `tracewright wset boards`: lists the ready boards.

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tracewright_working_set::BoardDescription;
use tracewright_working_set::boards::{self, READY};

use crate::pipeline::failure::usage;
use crate::pipeline::print;
use crate::pipeline::table::Table;

/// List the boards on which `wset capture` runs programs, or print one as TOML
#[derive(Args)]
#[command(after_help = "\
The TOML of a ready board is what a file for --board looks like; docs/firmware.md has all keys.

Examples:
  tracewright wset boards
  tracewright wset boards sifive-e > mine.toml")]
pub struct Arguments {
    /// Print the TOML of this board
    #[arg(value_name = "BOARD")]
    board: Option<String>,
    /// Print JSON: an array of objects with board, about, memory (objects with address and bytes), devices
    /// (objects with kind and address, which is null where the program says it)
    #[arg(long, conflicts_with = "board")]
    json: bool,
}

#[derive(Serialize)]
struct Listed {
    board: String,
    about: String,
    memory: Vec<Memory>,
    devices: Vec<Device>,
}

#[derive(Serialize)]
struct Memory {
    address: u64,
    bytes: u64,
}

#[derive(Serialize)]
struct Device {
    kind: &'static str,
    address: Option<u64>,
}

/// Runs the command.
///
/// # Errors
/// When there is no such board.
pub fn run(arguments: &Arguments) -> Result<()> {
    if let Some(name) = &arguments.board {
        let place = boards::ready().position(|board| board.name == *name);
        let Some(text) = place.and_then(|place| READY.get(place)) else {
            let names: Vec<String> = boards::ready().map(|board| board.name).collect();
            return Err(usage(format!("expected one of {}, found `{name}`", names.join(", "))));
        };
        return print::text(text);
    }
    let listed: Vec<Listed> = boards::ready().map(listed).collect();
    if arguments.json {
        return print::json(&listed);
    }
    let mut table = Table::new(&["board", "what it is", "devices"], 3).prose(1).prose(2);
    for board in &listed {
        let mut kinds: Vec<&str> = board.devices.iter().map(|device| device.kind).collect();
        kinds.dedup();
        table.add_row([board.board.clone(), board.about.clone(), kinds.join(", ")]);
    }
    print::text(table.to_text())
}

fn listed(board: BoardDescription) -> Listed {
    let memory = board.memory.iter();
    let devices = board.devices.iter().map(|device| Device {
        kind: device.kind(),
        address: device.addresses(None).map(|addresses| addresses.start),
    });
    Listed {
        memory: memory.map(|it| Memory { address: it.address, bytes: it.bytes }).collect(),
        devices: devices.collect(),
        board: board.name,
        about: board.about,
    }
}
