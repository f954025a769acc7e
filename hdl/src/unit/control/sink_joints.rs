//! How a sink with a memory is joined to the fields of its registers.

use tracewright_sim::pins::{Pin, module, sinks};

use crate::{Assembly, Connection, Port, Value};

const fn of<C>(pin: &Pin<C>, field: &'static str) -> (&'static str, &'static str) {
    (pin.name, field)
}

/// The ring's ports that are fields of its registers.
const RING: [(&str, &str); 17] = [
    of(&sinks::RAM_ENABLE, "trRamEnable"),
    of(&sinks::RAM_STOP_WHEN_FULL, "trRamStopOnWrap"),
    of(&sinks::RAM_LIMIT, "trRamLimitLow"),
    of(&sinks::RAM_STOPPED, "trRamEnable_clear"),
    of(&sinks::RAM_IS_EMPTY, "trRamEmpty_value"),
    of(&sinks::RAM_LOAD_WRITE_POINTER, "trRamWPLow_load"),
    of(&sinks::RAM_LOADED_WRITE_POINTER, "trRamWPLow_loaded"),
    of(&sinks::RAM_WRITE_POINTER, "trRamWPLow_value"),
    of(&sinks::RAM_LOAD_WRAPPED, "trRamWrap_load"),
    of(&sinks::RAM_LOADED_WRAPPED, "trRamWrap_loaded"),
    of(&sinks::RAM_WRAPPED, "trRamWrap_value"),
    of(&sinks::RAM_LOAD_READ_POINTER, "trRamRPLow_load"),
    of(&sinks::RAM_LOADED_READ_POINTER, "trRamRPLow_loaded"),
    of(&sinks::RAM_READ_POINTER, "trRamRPLow_value"),
    of(&sinks::RAM_READ, "trRamData_read"),
    of(&sinks::RAM_READ_WORD, "trRamData_value"),
    of(&sinks::RAM_READ_READY, "trRamData_ready"),
];

/// The same of the sink that writes to the memory of the system, where an address has 32 bits.
const MEMORY: [(&str, &str); 12] = [
    of(&sinks::MEMORY_ENABLE, "trRamEnable"),
    of(&sinks::MEMORY_STOP_WHEN_FULL, "trRamStopOnWrap"),
    of(&sinks::MEMORY_START, "trRamStartLow"),
    of(&sinks::MEMORY_LIMIT, "trRamLimitLow"),
    of(&sinks::MEMORY_STOPPED, "trRamEnable_clear"),
    of(&sinks::MEMORY_IS_EMPTY, "trRamEmpty_value"),
    of(&sinks::MEMORY_LOAD_WRITE_POINTER, "trRamWPLow_load"),
    of(&sinks::MEMORY_LOADED_WRITE_POINTER, "trRamWPLow_loaded"),
    of(&sinks::MEMORY_WRITE_POINTER, "trRamWPLow_value"),
    of(&sinks::MEMORY_LOAD_WRAPPED, "trRamWrap_load"),
    of(&sinks::MEMORY_LOADED_WRAPPED, "trRamWrap_loaded"),
    of(&sinks::MEMORY_WRAPPED, "trRamWrap_value"),
];

fn of_field(assembly: &mut Assembly, port: &Port, fields: &[(&str, &str)]) -> Option<Connection> {
    let field = fields.iter().find(|(pin, _)| *pin == port.name);
    field.map(|(_, field)| assembly.net(field, port.width).into())
}

/// For a port of the RAM sink; `None` if it is no field of the registers.
pub(crate) fn of_ring(assembly: &mut Assembly, port: &Port) -> Option<Connection> {
    match port.name.as_str() {
        name if name == sinks::RAM_CLEAR.name => Some((!assembly.bit("trRamActive")).into()),
        _ => of_field(assembly, port, &RING),
    }
}

/// For a port of the sink that writes to the memory of the system; `None` if it is no field of the registers and no pin of the
/// bus that AXI wants low from the first moment of a reset, which takes effect at the next edge of the clock only.
pub(crate) fn of_memory(assembly: &mut Assembly, port: &Port, reset: &str) -> Option<Connection> {
    let name = port.name.as_str();
    let gated = [
        (sinks::MEMORY_AWVALID.name, "memory_address_valid"),
        (sinks::MEMORY_WVALID.name, "memory_data_valid"),
    ];
    if let Some((_, offered)) = gated.iter().find(|(pin, _)| *pin == name) {
        let offered = assembly.net(offered, 1);
        let pin = assembly.net(name, 1);
        let value = match reset == module::RESET.name {
            true => offered.value() & !assembly.bit(reset),
            false => offered.value(),
        };
        assembly.drive(pin, value);
        return Some(offered.into());
    }
    match name {
        _ if name == sinks::MEMORY_CLEAR.name => Some((!assembly.bit("trRamActive")).into()),
        _ if name == sinks::MEMORY_ERROR_RESPONSE.name => {
            Some(assembly.net("twRamResponse_value", port.width).into())
        }
        _ => of_wide_field(assembly, port).or_else(|| of_field(assembly, port, &MEMORY)),
    }
}

/// For a port whose value is in two registers; `None` if it is in one, or if an address has 32 bits.
fn of_wide_field(assembly: &mut Assembly, port: &Port) -> Option<Connection> {
    let high = assembly.find("trRamWPHigh_value")?;
    let name = port.name.as_str();
    let both = |names: [&str; 2]| Some(assembly.known_beside(&names).into());
    if name == sinks::MEMORY_START.name {
        return both(["trRamStartHigh", "trRamStartLow"]);
    }
    if name == sinks::MEMORY_LIMIT.name {
        return both(["trRamLimitHigh", "trRamLimitLow"]);
    }
    if name == sinks::MEMORY_LOAD_WRITE_POINTER.name {
        let loads = ["trRamWPLow_load", "trRamWPHigh_load"].map(|load| assembly.known(load));
        let [low, high] = loads;
        return Some((low | high).into());
    }
    if name == sinks::MEMORY_LOADED_WRITE_POINTER.name {
        // What is not written stays as it is.
        let half = |half: &str| {
            let of = |what: &str| assembly.known(&format!("trRamWP{half}_{what}"));
            of("loaded").when(of("load"), of("value"))
        };
        return Some(Value::beside([half("Low"), half("High")]).into());
    }
    if name != sinks::MEMORY_WRITE_POINTER.name {
        return None;
    }
    let low = assembly.find("trRamWPLow_value")?;
    let pointer = assembly.net("write_pointer", port.width);
    assembly.drive(low, pointer.value().bits(0, low.width()));
    assembly.drive(high, pointer.value().bits(low.width(), high.width()));
    Some(pointer.into())
}
