//! The Verilog of the adapters between the ports of cores and trace modules.

mod switch;

use tracewright_elaborate::{Options, elaborate};
use tracewright_sim::ingress::Queue;
use tracewright_sim::ingress::switch::Config as SwitchConfig;
use tracewright_sim::parameter::ParameterError;
use tracewright_sim::scheme::Design;
use tracewright_sim::{blocks, rvfi, tip};

use crate::parts::retire_buffer::RetireBuffer;
use crate::{Error, Generated, beside, collected, refused};

/// The Verilog of the adapter between a core's port that shows instructions one by one and the module of `design`; each core
/// of a design for several has one of its own.
///
/// # Errors
/// When the design or the adapter breaks a constraint, or the design traces what the interface does not say.
pub fn generate_rvfi_adapter(design: &Design, config: &rvfi::Config) -> Result<Generated, Error> {
    rvfi_adapter(design, config, false)
}

pub(crate) fn rvfi_adapter(
    design: &Design,
    config: &rvfi::Config,
    faults: bool,
) -> Result<Generated, Error> {
    config.validate()?;
    check_control_flow(design, config.port.title())?;
    if design.protocol().traces_state() {
        return Err(Error::NoState { design: design.name.clone() });
    }
    config.validate_for(design.processor())?;
    let sheds = sheds(design, &config.queue)?;
    let (short, port) = match config.port {
        rvfi::Port::Rvfi => ("rvfi", "RISC-V formal interface"),
        rvfi::Port::Retired => ("retired", "Port of retired instructions"),
    };
    let options = adapter_options(design, short, port, faults);
    let adapter =
        crate::rvfi::Rvfi::new(config, design.processor(), sheds, design.port().encoder_registers);
    Ok(collected(elaborate(&adapter, &options).map_err(refused(&design.name))?, &options))
}

/// The Verilog of the adapter between a hart's trace ingress port and the module of `design`; each hart of a
/// design for several has one of its own.
///
/// # Errors
/// When the design or the adapter breaks a constraint, or the design traces what the port does not say.
pub fn generate_tip_adapter(design: &Design, config: &tip::Config) -> Result<Generated, Error> {
    tip_adapter(design, config, false)
}

pub(crate) fn tip_adapter(
    design: &Design,
    config: &tip::Config,
    faults: bool,
) -> Result<Generated, Error> {
    config.validate()?;
    check_control_flow(design, "TIP")?;
    if config.itype_bits == 3 && design.predicts_returns() {
        return Err(Error::NoCalls { design: design.name.clone() });
    }
    let sheds = sheds(design, &config.queue)?;
    let options = adapter_options(design, "tip", "Trace ingress port", faults);
    let adapter = crate::tip::Tip::new(config, design.processor(), design.protocol(), sheds);
    Ok(collected(elaborate(&adapter, &options).map_err(refused(&design.name))?, &options))
}

/// The Verilog of the adapter between a core that shows several blocks in a cycle and the module of `design`; each core
/// of a design for several has one of its own.
///
/// # Errors
/// When the design or the adapter breaks a constraint, such as that of a design that loses blocks.
pub fn generate_blocks_adapter(
    design: &Design,
    config: &blocks::Config,
) -> Result<Generated, Error> {
    blocks_adapter(design, config, false)
}

pub(crate) fn blocks_adapter(
    design: &Design,
    config: &blocks::Config,
    faults: bool,
) -> Result<Generated, Error> {
    config.validate()?;
    check_control_flow(design, "blocks")?;
    config.validate_for(design.protocol())?;
    let options = adapter_options(design, "blocks", "Several blocks per cycle", faults);
    let adapter = crate::blocks::Blocks::new(config, design.processor(), design.protocol());
    Ok(collected(elaborate(&adapter, &options).map_err(refused(&design.name))?, &options))
}

/// The Verilog of what switches the module of `design` off and on after its adapters.
///
/// # Errors
/// When the design breaks a constraint.
pub fn generate_switch(design: &Design) -> Result<Generated, Error> {
    switch_module(design, false)
}

pub(crate) fn switch_module(design: &Design, faults: bool) -> Result<Generated, Error> {
    design.validate()?;
    let options = Options { faults, ..beside(design, "adapter_switch", "Switch after adapters") };
    let switch = switch::Switch::new(SwitchConfig::of(design.protocol()));
    Ok(collected(elaborate(&switch, &options).map_err(refused(&design.name))?, &options))
}

/// The Verilog of the registers between an adapter and the module of `design`, for blocks whose pins beside valid have so many bits.
///
/// # Errors
/// When the design breaks a constraint.
pub fn generate_retire_buffer(design: &Design, width: usize) -> Result<Generated, Error> {
    retire_buffer(design, width, false)
}

pub(crate) fn retire_buffer(
    design: &Design,
    width: usize,
    faults: bool,
) -> Result<Generated, Error> {
    design.validate()?;
    let options =
        Options { faults, ..beside(design, "retire_buffer", "Registers after an adapter") };
    let buffer = RetireBuffer::new(width);
    Ok(collected(elaborate(&buffer, &options).map_err(refused(&design.name))?, &options))
}

/// True if `queue` loses words before it is full and tells the module of `design`.
fn sheds(design: &Design, queue: &Queue) -> Result<bool, ParameterError> {
    let sheds = design.protocol().loss_pins;
    if sheds {
        queue.validate_shedding()?;
    }
    Ok(sheds)
}

/// Checks that an adapter for a core's `port` can stand before a design.
fn check_control_flow(design: &Design, port: &'static str) -> Result<(), Error> {
    design.validate()?;
    if design.traces_data() {
        return Err(Error::NoControlFlow { design: design.name.clone(), port });
    }
    if design.has_event_times() {
        return Err(Error::EventTimes { design: design.name.clone(), port });
    }
    if design.protocol().trap_values {
        return Err(Error::NoTrapValues { design: design.name.clone(), port });
    }
    Ok(())
}

fn adapter_options(design: &Design, short: &str, port: &str, faults: bool) -> Options {
    Options { faults, ..beside(design, &format!("{short}_adapter"), port) }
}
