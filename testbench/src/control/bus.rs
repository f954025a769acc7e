//! Front ends of buses, with transfers and answers of registers at random.

use rand::Rng;
use tracewright_sim::control::access::{Access, Answer, WORD_ADDRESS_BITS};
use tracewright_sim::control::apb::{self, RegisteredApb, Transfer};
use tracewright_sim::control::axi_lite::{AxiLite, Bus, Outputs};
use tracewright_sim::control::axi_lite_to_apb::AxiLiteToApb;
use tracewright_sim::pins::control as pins;

use super::Bench;
use crate::model::Model;
use crate::sinks::Failure;

/// Cycles of a run, and those in which everything happens as often.
const CYCLES: u32 = 20_000;
const PACE_CYCLES: u32 = 500;

impl Bench {
    fn address(&mut self) -> u32 {
        self.random.random_range(0..1 << WORD_ADDRESS_BITS)
    }

    fn answer(&mut self, ready_cycles: u32) -> Answer {
        Answer {
            is_ready: self.is_time(ready_cycles),
            data: self.data(),
            is_outside: self.random.random(),
        }
    }
}

impl Bench {
    /// What an APB says in a cycle, also what no manager does, and what the registers answer.
    fn transfer(&mut self) -> (Transfer, Answer) {
        let access = Access {
            is_valid: false,
            is_write: self.random.random(),
            address: self.address(),
            data: self.data(),
            strobes: self.random.random_range(0..16),
        };
        let transfer = Transfer {
            is_selected: self.random.random(),
            is_enabled: self.random.random(),
            access,
        };
        let answer = self.answer(2);
        self.set(pins::PSEL.name, transfer.is_selected);
        self.set(pins::PENABLE.name, transfer.is_enabled);
        self.set(pins::PWRITE.name, access.is_write);
        self.set(pins::PADDR.name, access.address);
        self.set(pins::PWDATA.name, access.data);
        self.set(pins::PSTRB.name, access.strobes);
        self.set_answer(&answer);
        (transfer, answer)
    }
}

/// An APB on which everything happens.
pub fn run_apb(mut bench: Bench) -> Result<Model, Failure> {
    for _ in 0..CYCLES / 10 {
        let (transfer, answer) = bench.transfer();
        let outputs = transfer.outputs(&answer);
        let of_bus = [
            (pins::PREADY.name, outputs.is_ready.into()),
            (pins::PRDATA.name, outputs.data.into()),
            (pins::PSLVERR.name, outputs.is_error.into()),
        ];
        let of_access = Bench::expected_access(&transfer.access());
        bench.expect(&[&of_bus[..], &of_access].concat())?;
    }
    Ok(bench.model)
}

/// The same with registers, which say nothing of data where there is no access or answer.
pub fn run_registered_apb(mut bench: Bench) -> Result<Model, Failure> {
    let mut twin = RegisteredApb::default();
    for _ in 0..CYCLES / 10 {
        let (transfer, answer) = bench.transfer();
        let mut expected = vec![
            ("access_valid", twin.access().is_some().into()),
            (pins::PREADY.name, twin.outputs().is_some().into()),
            (pins::PSLVERR.name, twin.outputs().is_some_and(|outputs| outputs.is_error).into()),
        ];
        expected.extend(twin.access().iter().flat_map(Bench::expected_access));
        expected.extend(twin.outputs().map(|outputs| (pins::PRDATA.name, outputs.data.into())));
        bench.expect(&expected)?;
        twin.clock(&transfer, &answer);
    }
    Ok(bench.model)
}

/// What an AXI4-Lite says at random, each channel at its own pace.
struct Manager {
    pace: [u32; 6],
    cycle: u32,
}

impl Manager {
    fn new() -> Manager {
        Manager { pace: [2; 6], cycle: 0 }
    }

    /// What it says in a cycle, with addresses below a bound.
    fn drive(&mut self, bench: &mut Bench, addresses: u64) -> Bus {
        if self.cycle.is_multiple_of(PACE_CYCLES) {
            self.pace = self.pace.map(|_| bench.one_of(&[1, 2, 2, 5, 30]));
        }
        self.cycle += 1;
        let times = self.pace.map(|cycles| bench.is_time(cycles));
        let mut address = || (bench.random.random::<u64>() % addresses) as u32;
        let (write, read) = (address(), address());
        let data = (bench.data(), bench.random.random_range(0..16));
        bench.set(pins::AXI_AWADDR.name, write);
        bench.set(pins::AXI_AWVALID.name, times[0]);
        bench.set(pins::AXI_WDATA.name, data.0);
        bench.set(pins::AXI_WSTRB.name, data.1);
        bench.set(pins::AXI_WVALID.name, times[1]);
        bench.set(pins::AXI_BREADY.name, times[2]);
        bench.set(pins::AXI_ARADDR.name, read);
        bench.set(pins::AXI_ARVALID.name, times[3]);
        bench.set(pins::AXI_RREADY.name, times[4]);
        Bus {
            write_address: times[0].then_some(write),
            write_data: times[1].then_some(data),
            takes_write: times[2],
            read_address: times[3].then_some(read),
            takes_read: times[4],
        }
    }

    /// What it should be told.
    fn expected(outputs: &Outputs) -> [(&'static str, u64); 8] {
        [
            (pins::AXI_AWREADY.name, outputs.takes_write_address.into()),
            (pins::AXI_WREADY.name, outputs.takes_write_data.into()),
            (pins::AXI_ARREADY.name, outputs.takes_read_address.into()),
            (pins::AXI_BVALID.name, outputs.write.is_valid.into()),
            (pins::AXI_BRESP.name, u64::from(outputs.write.is_error) << 1),
            (pins::AXI_RVALID.name, outputs.read.is_valid.into()),
            (pins::AXI_RRESP.name, u64::from(outputs.read.is_error) << 1),
            (pins::AXI_RDATA.name, outputs.read.data.into()),
        ]
    }
}

/// An AXI4-Lite on which addresses, data and answers come in any order.
pub fn run_axi_lite(mut bench: Bench) -> Result<Model, Failure> {
    let (mut twin, mut manager) = (AxiLite::default(), Manager::new());
    for _ in 0..CYCLES {
        let bus = manager.drive(&mut bench, 1 << WORD_ADDRESS_BITS);
        let answer = bench.answer(manager.pace[5]);
        // A write ends in any case.
        let access = twin.access(&bus);
        let answer = Answer { is_ready: answer.is_ready || access.is_write, ..answer };
        bench.set_answer(&answer);
        let of_bus = Manager::expected(&twin.outputs());
        bench.expect(&[&of_bus[..], &Bench::expected_access(&access)].concat())?;
        twin.clock(&bus, &answer);
    }
    Ok(bench.model)
}

/// The same before an APB of addresses of so many bits, which is ready at random.
pub fn run_axi_lite_to_apb(mut bench: Bench, bits: u32) -> Result<Model, Failure> {
    let (mut twin, mut manager) = (AxiLiteToApb::default(), Manager::new());
    for _ in 0..CYCLES {
        let bus = manager.drive(&mut bench, 1 << bits);
        let answer = apb::Outputs {
            is_ready: bench.is_time(manager.pace[5]),
            data: bench.data(),
            is_error: bench.random.random(),
        };
        bench.set(pins::PREADY.name, answer.is_ready);
        bench.set(pins::PRDATA.name, answer.data);
        bench.set(pins::PSLVERR.name, answer.is_error);
        let Transfer { is_selected, is_enabled, access } = twin.transfer();
        let mut expected = Manager::expected(&twin.outputs()).to_vec();
        expected.extend([
            (pins::PSEL.name, is_selected.into()),
            (pins::PENABLE.name, is_enabled.into()),
            (pins::PWRITE.name, access.is_write.into()),
            (pins::PADDR.name, access.address.into()),
            (pins::PWDATA.name, access.data.into()),
            (pins::PSTRB.name, access.strobes.into()),
        ]);
        bench.expect(&expected)?;
        twin.clock(&bus, &answer);
    }
    Ok(bench.model)
}
