//! Accesses over APB4 and AXI4-Lite, with pauses and in any order where the bus allows it.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::pins::{Pin, control};

use crate::error::Result;
use crate::library::{InputPort, Library, OutputPort};
use crate::model::Model;

/// Cycles after which an access that has not ended is a fault.
const PATIENCE: usize = 200;

/// True if a port of this name is a pin of a bus.
pub fn is_pin(name: &str) -> bool {
    control::APB.iter().chain(control::AXI_LITE).any(|pin| pin.name == name)
}

/// The pins by which the channels of AXI4-Lite answer.
const ANSWERS: [&str; 2] = [control::AXI_RVALID.name, control::AXI_BVALID.name];

/// What an access gave: the data, and whether it ended in an error.
pub type Answer = (u32, bool);

/// Data that is written, and its byte strobes.
type Written = (u32, u32);

/// Why an access over a bus, or what was done by accesses, failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BusError {
    /// An access does not end.
    #[error("the access to {0:#x} does not end within {PATIENCE} cycles")]
    NoEnd(u32),
    /// An answer is there that nobody asked for, or is taken back.
    #[error("{0} comes or goes without a handshake")]
    Handshake(&'static str),
    /// An answer is neither OKAY nor SLVERR.
    #[error("response {0}, expected 0 or 2")]
    Response(u64),
    /// A register does not change.
    #[error("the register at {address:#x} does not become {expected:#x} in the bits {mask:#x}")]
    NoChange {
        /// Its address.
        address: u32,
        /// The bits that were read for.
        mask: u32,
        /// What they should become.
        expected: u32,
    },
    /// The trace module lost something before a core ran.
    #[error("an overflow before the first instruction")]
    EarlyOverflow,
}

/// For tests, which say in words what is wrong.
impl From<BusError> for String {
    fn from(error: BusError) -> String {
        error.to_string()
    }
}

#[derive(Clone, Copy, Debug)]
struct Apb {
    select: InputPort,
    enable: InputPort,
    address: InputPort,
    write: InputPort,
    data: InputPort,
    strobes: InputPort,
    ready: OutputPort,
    read: OutputPort,
    error: OutputPort,
}

#[derive(Clone, Copy, Debug)]
struct Axi {
    read_address: InputPort,
    write_address: InputPort,
    data: InputPort,
    strobes: InputPort,
    read: OutputPort,
    read_response: OutputPort,
    write_response: OutputPort,
    /// `valid` and `ready` of addresses of reads and writes, and of data.
    to_send: [(InputPort, OutputPort); 3],
    /// `valid` and `ready` of answers to reads and writes.
    to_come: [(OutputPort, InputPort); 2],
}

#[derive(Clone, Copy, Debug)]
enum Wires {
    Apb(Apb),
    Axi(Axi),
}

/// The master of a model's bus.
#[derive(Clone, Debug)]
pub struct Master {
    wires: Wires,
    /// When it pauses.
    pub random: ChaCha8Rng,
    /// Cycles in which the last access on APB waited.
    pub waited: usize,
    /// What is added to each address.
    pub base: u32,
}

impl Master {
    /// A master for the bus that a model has.
    ///
    /// # Errors
    /// When it has none, or pins of it are missing.
    pub fn new(library: &Library, seed: u64) -> Result<Master> {
        let wires = match library.input_of_any_width(control::AXI_ARVALID.name) {
            Ok(_) => Wires::Axi(Axi::find(library)?),
            Err(_) => Wires::Apb(Apb::find(library)?),
        };
        Ok(Master { wires, random: ChaCha8Rng::seed_from_u64(seed), waited: 0, base: 0 })
    }
}

impl Apb {
    fn find(library: &Library) -> Result<Apb> {
        let (input, output) = (input(library), output(library));
        Ok(Apb {
            select: input(&control::PSEL)?,
            enable: input(&control::PENABLE)?,
            address: input(&control::PADDR)?,
            write: input(&control::PWRITE)?,
            data: input(&control::PWDATA)?,
            strobes: input(&control::PSTRB)?,
            ready: output(&control::PREADY)?,
            read: output(&control::PRDATA)?,
            error: output(&control::PSLVERR)?,
        })
    }
}

impl Axi {
    fn find(library: &Library) -> Result<Axi> {
        let (input, output) = (input(library), output(library));
        Ok(Axi {
            read_address: input(&control::AXI_ARADDR)?,
            write_address: input(&control::AXI_AWADDR)?,
            data: input(&control::AXI_WDATA)?,
            strobes: input(&control::AXI_WSTRB)?,
            read: output(&control::AXI_RDATA)?,
            read_response: output(&control::AXI_RRESP)?,
            write_response: output(&control::AXI_BRESP)?,
            to_send: [
                (input(&control::AXI_ARVALID)?, output(&control::AXI_ARREADY)?),
                (input(&control::AXI_AWVALID)?, output(&control::AXI_AWREADY)?),
                (input(&control::AXI_WVALID)?, output(&control::AXI_WREADY)?),
            ],
            to_come: [
                (output(&control::AXI_RVALID)?, input(&control::AXI_RREADY)?),
                (output(&control::AXI_BVALID)?, input(&control::AXI_BREADY)?),
            ],
        })
    }
}

fn input(library: &Library) -> impl Fn(&Pin<()>) -> Result<InputPort> + '_ {
    |pin| Ok(library.input_of_any_width(pin.name)?.0)
}

fn output(library: &Library) -> impl Fn(&Pin<()>) -> Result<OutputPort> + '_ {
    |pin| Ok(library.output_of_any_width(pin.name)?.0)
}

/// Something that has a bus, and may have more to do in a cycle.
pub trait Clocked {
    /// What can go wrong in a cycle, and on the bus.
    type Error: From<BusError>;

    /// The model.
    fn model(&mut self) -> &mut Model;

    /// The master of its bus.
    fn master(&mut self) -> &mut Master;

    /// Runs one cycle.
    ///
    /// # Errors
    /// When something is wrong in this cycle.
    fn cycle(&mut self) -> Result<(), Self::Error>;

    /// Reads a register.
    ///
    /// # Errors
    /// When the access does not follow the rules of the bus.
    fn read(&mut self, address: u32) -> Result<Answer, Self::Error> {
        let answer = match self.master().wires {
            Wires::Apb(wires) => apb(self, &wires, address, None)?,
            Wires::Axi(wires) => axi(self, &wires, Some(address), None)?.0,
        };
        random_idle(self)?;
        Ok(answer)
    }

    /// Writes a register, and says whether there was an error.
    ///
    /// # Errors
    /// When the access does not follow the rules of the bus.
    fn write(&mut self, address: u32, data: u32, strobes: u32) -> Result<bool, Self::Error> {
        let written = (data, strobes);
        let is_error = match self.master().wires {
            Wires::Apb(wires) => apb(self, &wires, address, Some(written))?.1,
            Wires::Axi(wires) => axi(self, &wires, None, Some((address, written)))?.1,
        };
        random_idle(self)?;
        Ok(is_error)
    }

    /// Writes one register and reads another at the same time, where the bus can do so.
    ///
    /// # Errors
    /// When the accesses do not follow the rules of the bus.
    fn read_and_write(
        &mut self,
        address: u32,
        (to, data, strobes): (u32, u32, u32),
    ) -> Result<(Answer, bool), Self::Error> {
        let written = (data, strobes);
        match self.master().wires {
            Wires::Apb(_) => Ok((self.read(address)?, self.write(to, data, strobes)?)),
            Wires::Axi(wires) => axi(self, &wires, Some(address), Some((to, written))),
        }
    }
}

fn random_idle<C: Clocked + ?Sized>(clocked: &mut C) -> Result<(), C::Error> {
    while clocked.master().random.random_range(0..3) == 0 {
        clocked.cycle()?;
    }
    Ok(())
}

fn apb<C: Clocked + ?Sized>(
    clocked: &mut C,
    wires: &Apb,
    address: u32,
    written: Option<Written>,
) -> Result<Answer, C::Error> {
    let (data, strobes) = written.unwrap_or((0, 0));
    let whole_address = clocked.master().base.wrapping_add(address);
    let model = clocked.model();
    model.set(wires.select, 1);
    model.set(wires.enable, 0);
    model.set(wires.address, whole_address.into());
    model.set(wires.write, written.is_some().into());
    model.set(wires.data, data.into());
    model.set(wires.strobes, strobes.into());
    clocked.cycle()?;
    clocked.model().set(wires.enable, 1);
    for waited in 0..PATIENCE {
        clocked.cycle()?;
        let model = clocked.model();
        if model.get(wires.ready) == 1 {
            let answer = (model.get(wires.read) as u32, model.get(wires.error) == 1);
            model.set(wires.select, 0);
            model.set(wires.enable, 0);
            clocked.master().waited = waited;
            return Ok(answer);
        }
    }
    Err(BusError::NoEnd(address).into())
}

/// A read, a write or both at the same time.
fn axi<C: Clocked + ?Sized>(
    clocked: &mut C,
    wires: &Axi,
    read: Option<u32>,
    write: Option<(u32, Written)>,
) -> Result<(Answer, bool), C::Error> {
    let (address, (data, strobes)) = write.unwrap_or_default();
    let base = clocked.master().base;
    let whole = |address: u32| u64::from(base.wrapping_add(address));
    let model = clocked.model();
    model.set(wires.read_address, whole(read.unwrap_or(0)));
    model.set(wires.write_address, whole(address));
    model.set(wires.data, data.into());
    model.set(wires.strobes, strobes.into());
    // Channels that have something to send, and answers that are to come.
    let mut left = [read.is_some(), write.is_some(), write.is_some()];
    let mut awaited = [read.is_some(), write.is_some()];
    let (mut valid, mut came) = ([false; 3], [false; 2]);
    let (mut answer, mut written) = ((0, false), false);
    for _ in 0..PATIENCE {
        for (valid, left) in valid.iter_mut().zip(left) {
            *valid = left && (*valid || clocked.master().random.random());
        }
        let ready: [bool; 2] = std::array::from_fn(|_| clocked.master().random.random());
        let model = clocked.model();
        wires.to_send.iter().zip(valid).for_each(|(pins, valid)| model.set(pins.0, valid.into()));
        wires.to_come.iter().zip(ready).for_each(|(pins, ready)| model.set(pins.1, ready.into()));
        clocked.cycle()?;
        let model = clocked.model();
        for (which, (_, ready)) in wires.to_send.iter().enumerate() {
            if valid[which] && model.get(*ready) == 1 {
                (left[which], valid[which]) = (false, false);
            }
        }
        for (which, (valid, _)) in wires.to_come.iter().enumerate() {
            let is_valid = model.get(*valid) == 1;
            if (came[which] || !awaited[which]) && is_valid != awaited[which] {
                return Err(BusError::Handshake(ANSWERS[which]).into());
            }
            came[which] = is_valid;
            if !(is_valid && ready[which]) {
                continue;
            }
            (awaited[which], came[which]) = (false, false);
            match which {
                0 => {
                    let is_error = response(model.get(wires.read_response))?;
                    answer = (model.get(wires.read) as u32, is_error);
                }
                _ => written = response(model.get(wires.write_response))?,
            }
        }
        if !left.contains(&true) && !awaited.contains(&true) {
            wires.to_come.iter().for_each(|(_, ready)| model.set(*ready, 0));
            return Ok((answer, written));
        }
    }
    Err(BusError::NoEnd(read.unwrap_or(address)).into())
}

/// True for a slave error.
fn response(bits: u64) -> Result<bool, BusError> {
    match bits {
        0 => Ok(false),
        2 => Ok(true),
        other => Err(BusError::Response(other)),
    }
}
