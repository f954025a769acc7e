//! The ports of a module around others, and how it is put together and counted.

use tracewright_sim::pins::{Pin, is_clock, module, sinks};

use crate::unit::sink::is_any_reset;
use crate::{
    Assembly, AssemblyError, Connection, Direction, FAULT_SELECT, Fault, Generated, Net, Options,
    Port, Storage,
};

/// The name of the Verilog parameter that says how long a value stays at the pins of a chip.
const HALF_PERIOD: &str = "HALF_PERIOD";

/// A port.
pub fn port(name: impl Into<String>, direction: Direction, width: usize) -> Port {
    Port { name: name.into(), direction, width }
}

/// The port of a pin of so many bits.
pub fn pin<C>(pin: &Pin<C>, width: u32) -> Port {
    let direction = if pin.is_input() { Direction::Input } else { Direction::Output };
    port(pin.name, direction, width as usize)
}

/// The ports of the pins of a list that are there.
pub fn pins<C>(pins: &[Pin<C>], of: &C) -> Vec<Port> {
    pins.iter().filter(|row| row.bits(of) > 0).map(|row| pin(row, row.bits(of))).collect()
}

/// The ports of a clock and a reset of this name.
pub fn clock_and_reset(reset: &str) -> [Port; 2] {
    [module::CLOCK.name, reset].map(|name| port(name, Direction::Input, 1))
}

/// A module with these ports, whose instances are to be joined; `faults` is for one with an input `fault_select`.
pub fn around(top: &str, ports: &[Port], faults: bool) -> Assembly {
    let mut assembly = Assembly::new(&Options { faults, ..Options::new(top) });
    for port in ports.iter().filter(|port| port.name != FAULT_SELECT) {
        match is_clock(&port.name) || is_any_reset(&port.name) {
            true => assembly.clock(&port.name, ""),
            false => assembly.port(port),
        };
    }
    assembly
}

/// Adds an instance, each of whose ports `join` joins.
pub fn instance(
    assembly: &mut Assembly,
    name: &str,
    of: &Generated,
    join: impl FnMut(&mut Assembly, &Port) -> Connection,
) {
    assembly.instance(name, of.instantiated(), &[], join);
}

/// True for a module with the Verilog parameter of pins of a chip.
pub fn has_half_period(module: &Generated) -> bool {
    module.ports.iter().any(|port| port.name == sinks::PIN_CLOCK.name)
}

/// Adds the parameter of pins of a chip, which is `value` where an integrator does not set it.
pub fn half_period(assembly: &mut Assembly, value: u8) -> Net {
    assembly.parameter(HALF_PERIOD, 8, value.into(), "1 to 128 cycles")
}

/// The file of a module around others, and what is known of it.
pub struct Made {
    /// Its name and its text.
    pub file: (String, String),
    pub ports: Vec<Port>,
    pub faults: Vec<Fault>,
}

/// The module that was put together; `header` begins its file, and `title` says in lines what it is.
///
/// # Errors
/// The first port that cannot be joined as it was.
pub fn made(assembly: Assembly, header: &str, title: &str) -> Result<Made, AssemblyError> {
    let title: Vec<_> =
        title.lines().map(|line| format!("// {line}").trim_end().to_owned()).collect();
    let top = assembly.top().to_owned();
    let made = assembly.finish(header, &title.join("\n"))?;
    Ok(Made { file: (format!("{top}.v"), made.text), ports: made.ports, faults: made.faults })
}

/// The storage of a part as a row of its own.
pub fn storage(instance: &str, bits: usize) -> Storage {
    Storage { instance: instance.into(), bits }
}
