//! Accesses over APB4 and AXI4-Lite, with pauses and in any order where the bus allows it.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_packaging::control::Bus;
use tracewright_testbench::{Library, Model};

use std::sync::Arc;

/// Cycles after which an access that has not ended is a fault.
const PATIENCE: usize = 200;

/// A model's pins by their names.
pub struct Pins {
    pub model: Model,
    pub bus: Bus,
    pub random: ChaCha8Rng,
    /// Cycles in which the last access on APB waited.
    pub waited: usize,
}

/// What an access gave: the data, and whether it ended in an error.
pub type Answer = (u32, bool);

impl Pins {
    /// A model after its reset.
    pub fn new(library: &Arc<Library>, bus: Bus, seed: u64) -> Pins {
        let mut model = Model::new(library, seed).expect("a model");
        model.reset(2).expect("a reset");
        Pins { model, bus, random: ChaCha8Rng::seed_from_u64(seed), waited: 0 }
    }

    pub fn set(&mut self, pin: &str, value: u64) {
        let pin = self.model.library().input_of_any_width(pin).expect("an input").0;
        self.model.set(pin, value);
    }

    pub fn get(&self, pin: &str) -> u64 {
        let pin = self.model.library().output_of_any_width(pin).expect("an output").0;
        self.model.get(pin)
    }

    fn sets(&mut self, pins: &[(&str, u64)]) {
        pins.iter().for_each(|(pin, value)| self.set(pin, *value));
    }
}

/// Something that has a bus, and may have more to do in a cycle.
pub trait Clocked {
    fn pins(&mut self) -> &mut Pins;

    /// Runs one cycle.
    fn cycle(&mut self) -> Result<(), String>;

    fn random_idle(&mut self) -> Result<(), String> {
        while self.pins().random.random_range(0..3) == 0 {
            self.cycle()?;
        }
        Ok(())
    }

    fn read(&mut self, address: u32) -> Result<Answer, String> {
        let answer = match self.pins().bus {
            Bus::Apb => self.apb(address, None),
            Bus::AxiLite => self.axi(Some(address), None).map(|(read, _)| read),
        };
        self.random_idle()?;
        answer
    }

    /// Writes, and says whether there was an error.
    fn write(&mut self, address: u32, data: u32, strobes: u32) -> Result<bool, String> {
        let answer = match self.pins().bus {
            Bus::Apb => self.apb(address, Some((data, strobes))).map(|(_, error)| error),
            Bus::AxiLite => self.axi(None, Some((address, data, strobes))).map(|(_, error)| error),
        };
        self.random_idle()?;
        answer
    }

    fn apb(&mut self, address: u32, write: Option<(u32, u32)>) -> Result<Answer, String> {
        let (data, strobes) = write.unwrap_or((0, 0));
        self.pins().sets(&[
            ("psel", 1),
            ("penable", 0),
            ("paddr", address.into()),
            ("pwrite", write.is_some().into()),
            ("pwdata", data.into()),
            ("pstrb", strobes.into()),
        ]);
        self.cycle()?;
        self.pins().set("penable", 1);
        for waited in 0..PATIENCE {
            self.cycle()?;
            if self.pins().get("pready") == 1 {
                let pins = self.pins();
                pins.waited = waited;
                let answer = (pins.get("prdata") as u32, pins.get("pslverr") == 1);
                pins.sets(&[("psel", 0), ("penable", 0)]);
                return Ok(answer);
            }
        }
        Err(format!("{address:#x}: pready does not come"))
    }

    /// A read, a write or both at the same time.
    fn axi(
        &mut self,
        read: Option<u32>,
        write: Option<(u32, u32, u32)>,
    ) -> Result<(Answer, bool), String> {
        let (address, data, strobes) = write.unwrap_or((0, 0, 0));
        self.pins().sets(&[
            ("s_axi_araddr", read.unwrap_or(0).into()),
            ("s_axi_awaddr", address.into()),
            ("s_axi_wdata", data.into()),
            ("s_axi_wstrb", strobes.into()),
        ]);
        // Channels that have something to send: addresses of reads and writes, and data.
        let mut to_send = [
            ("s_axi_arvalid", "s_axi_arready", read.is_some()),
            ("s_axi_awvalid", "s_axi_awready", write.is_some()),
            ("s_axi_wvalid", "s_axi_wready", write.is_some()),
        ];
        let mut valid = [false; 3];
        let (mut answer, mut written) = ((0, false), false);
        let mut to_come = [
            ("s_axi_rvalid", "s_axi_rready", read.is_some()),
            ("s_axi_bvalid", "s_axi_bready", write.is_some()),
        ];
        let mut came = [false; 2];
        for _ in 0..PATIENCE {
            let pins = self.pins();
            for ((channel, _, left), valid) in to_send.iter().zip(&mut valid) {
                *valid = *left && (*valid || pins.random.random());
                pins.set(channel, (*valid).into());
            }
            let ready = [pins.random.random::<bool>(), pins.random.random()];
            to_come.iter().zip(ready).for_each(|((_, pin, _), ready)| pins.set(pin, ready.into()));
            self.cycle()?;
            let pins = self.pins();
            for ((_, channel, left), valid) in to_send.iter_mut().zip(&mut valid) {
                if *valid && pins.get(channel) == 1 {
                    (*left, *valid) = (false, false);
                }
            }
            for (which, (channel, _, left)) in to_come.iter_mut().enumerate() {
                let is_valid = pins.get(channel) == 1;
                if (came[which] || !*left) && is_valid != *left {
                    return Err(format!("{channel} comes or goes without a handshake"));
                }
                came[which] = is_valid;
                if !(is_valid && ready[which]) {
                    continue;
                }
                (*left, came[which]) = (false, false);
                match which {
                    0 => {
                        answer =
                            (pins.get("s_axi_rdata") as u32, response(pins.get("s_axi_rresp"))?)
                    }
                    _ => written = response(pins.get("s_axi_bresp"))?,
                }
            }
            let is_over =
                |channels: &[(&str, &str, bool)]| channels.iter().all(|(_, _, left)| !left);
            if is_over(&to_send) && is_over(&to_come) {
                to_come.iter().for_each(|(_, channel, _)| pins.set(channel, 0));
                return Ok((answer, written));
            }
        }
        Err(format!("{read:x?}, {write:x?}: the access does not end"))
    }
}

/// True for a slave error.
fn response(bits: u64) -> Result<bool, String> {
    match bits {
        0 => Ok(false),
        2 => Ok(true),
        other => Err(format!("response {other}")),
    }
}
