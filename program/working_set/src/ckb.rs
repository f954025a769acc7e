//! The emulator on the crate `ckb-vm`: its decoders and instruction handlers, with the memory of this crate.

mod flow;

use ckb_vm::instructions::{
    Instruction, Thread, ThreadFactory, a, b, extract_opcode, i, instruction_length, m, rvc,
};
use ckb_vm::machine::VERSION2;
use ckb_vm::{Bytes, CoreMachine, Error, ISA_A, ISA_B, ISA_IMC, Machine, Memory, Register};

use crate::emulator::{Bus, Emulator, Fault, Flow, Step};
use crate::trap_unit::Cause;

use flow::{flow, is_left, mask, store_conditional};

/// Entries of the table of decoded instructions, a power of two.
const DECODED: usize = 1 << 13;

/// RV32 or RV64 IMAC with Zba, Zbb, Zbc and Zbs on `ckb-vm`; `R` is `u32` or `u64`.
pub struct CkbEmulator<R: Register + Copy, B: Bus> {
    core: Core<R, B>,
    decoded: Vec<Decoded<R, B>>,
    handlers: ThreadFactory<Core<R, B>>,
}

/// An instruction at an address.
struct Decoded<R: Register + Copy, B: Bus> {
    address: u64,
    /// The handler, or `None` if the owner executes the instruction.
    handler: Option<Thread<Core<R, B>>>,
    instruction: Instruction,
    word: u32,
    flow: Flow,
}

impl<R: Register + Copy, B: Bus> Clone for Decoded<R, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Register + Copy, B: Bus> Copy for Decoded<R, B> {}

impl<R: Register + Copy, B: Bus> Decoded<R, B> {
    /// No instruction has an odd address.
    const NONE: Self = Decoded {
        address: u64::MAX,
        handler: None,
        instruction: 0,
        word: 0,
        flow: Flow { kind: None, call: false, is_return: false, length: 0 },
    };
}

/// The state that the handlers work on.
struct Core<R, B> {
    registers: [R; 32],
    program_counter: R,
    next: R,
    memory: Hooked<R, B>,
}

/// The memory of this crate in the form of `ckb-vm`'s. Its errors cannot carry our faults, so the fault is kept here.
struct Hooked<R, B> {
    bus: B,
    fault: Option<Fault>,
    reserved: R,
}

impl<R: Register + Copy, B: Bus> Emulator for CkbEmulator<R, B> {
    type Bus = B;

    const BITS: u8 = R::BITS;

    fn new(bus: B) -> Self {
        let zero = R::zero();
        let memory = Hooked { bus, fault: None, reserved: R::max_value() };
        CkbEmulator {
            core: Core { registers: [zero; 32], program_counter: zero, next: zero, memory },
            decoded: vec![Decoded::NONE; DECODED],
            handlers: ThreadFactory::create(),
        }
    }

    fn bus(&self) -> &B {
        &self.core.memory.bus
    }

    #[inline(always)]
    fn bus_mut(&mut self) -> &mut B {
        &mut self.core.memory.bus
    }

    fn into_bus(self) -> B {
        self.core.memory.bus
    }

    #[inline(always)]
    fn program_counter(&self) -> u64 {
        self.core.program_counter.to_u64()
    }

    fn set_program_counter(&mut self, address: u64) {
        self.core.program_counter = R::from_u64(address);
    }

    fn register(&self, index: usize) -> u64 {
        self.core.registers[index & 31].to_u64()
    }

    fn set_register(&mut self, index: usize, value: u64) {
        if index & 31 != 0 {
            self.core.registers[index & 31] = R::from_u64(value);
        }
    }

    fn reserved(&self) -> u64 {
        self.core.memory.reserved.to_u64()
    }

    fn reserve(&mut self, address: u64) {
        self.core.memory.reserved = R::from_u64(address);
    }

    #[inline(always)]
    fn step(&mut self) -> Result<Step, Fault> {
        let address = self.core.program_counter.to_u64();
        let mut decoded = self.decoded[place(address)];
        if decoded.address != address {
            decoded = self.decode(address)?;
        }
        let Decoded { handler, instruction, word, flow, .. } = decoded;
        let Some(handler) = handler else {
            return self.left(word, flow);
        };
        let length = R::from_u8(flow.length);
        self.core.next = self.core.program_counter.overflowing_add(&length);
        match handler(&mut self.core, instruction) {
            Ok(()) => {
                self.core.program_counter = self.core.next;
                Ok(Step::Retired(flow))
            }
            Err(_) => Err(self.core.memory.take_fault(word)),
        }
    }

    fn forget_code(&mut self) {
        self.decoded.fill(Decoded::NONE);
    }
}

/// The index of an address in the table.
#[inline(always)]
fn place(address: u64) -> usize {
    (address >> 1) as usize & (DECODED - 1)
}

impl<R: Register + Copy, B: Bus> CkbEmulator<R, B> {
    #[cold]
    #[inline(never)]
    fn decode(&mut self, address: u64) -> Result<Decoded<R, B>, Fault> {
        let bus = &mut self.core.memory.bus;
        let mut word = u32::from(bus.fetch(address)?);
        if word & 3 == 3 {
            // The second halfword is fetched separately, because it may be in another line or page.
            word |= u32::from(bus.fetch(address.wrapping_add(2) & mask(R::BITS))?) << 16;
        }
        let factories =
            [rvc::factory::<R>, i::factory::<R>, m::factory::<R>, a::factory::<R>, b::factory::<R>];
        let instruction = match is_left(word, R::BITS) {
            true => None,
            false => factories.iter().find_map(|factory| factory(word, VERSION2)),
        };
        let decoded = Decoded {
            address,
            handler: instruction.and_then(|known| self.handlers.get_cloned(extract_opcode(known))),
            instruction: instruction.unwrap_or_default(),
            word,
            flow: flow(address, word, R::BITS),
        };
        debug_assert!(
            instruction.is_none_or(|known| instruction_length(known) == decoded.flow.length)
        );
        self.decoded[place(address)] = decoded;
        Ok(decoded)
    }

    /// Handles an instruction without a handler. Store conditionals are executed here, because those of `ckb-vm` write
    /// when they fail; the owner executes all others.
    #[inline(never)]
    fn left(&mut self, word: u32, flow: Flow) -> Result<Step, Fault> {
        let bytes = match store_conditional(word) {
            Some(4) => 4,
            Some(8) if R::BITS == 64 => 8,
            _ => return Ok(Step::Left { word, flow }),
        };
        let (address, value) =
            (self.register(word as usize >> 15), self.register(word as usize >> 20));
        let core = &mut self.core;
        let succeeds = core.memory.reserved.to_u64() == address;
        if succeeds {
            core.memory.bus.store(address, bytes, value)?;
        }
        core.memory.reserved = R::max_value();
        core.program_counter = core.program_counter.overflowing_add(&R::from_u8(4));
        self.set_register(word as usize >> 7, u64::from(!succeeds));
        Ok(Step::Retired(flow))
    }
}

impl<R, B> Hooked<R, B> {
    /// The fault that made an instruction fail.
    fn take_fault(&mut self, word: u32) -> Fault {
        let illegal = Fault::Exception { cause: Cause::IllegalInstruction, value: u64::from(word) };
        self.fault.take().unwrap_or(illegal)
    }

    fn pass<T>(&mut self, result: Result<T, Fault>) -> Result<T, Error> {
        result.map_err(|fault| {
            self.fault = Some(fault);
            Error::MemOutOfBound
        })
    }
}

impl<R: Register + Copy, B: Bus> CoreMachine for Core<R, B> {
    type REG = R;
    type MEM = Hooked<R, B>;

    #[inline(always)]
    fn pc(&self) -> &R {
        &self.program_counter
    }

    #[inline(always)]
    fn update_pc(&mut self, pc: R) {
        self.next = pc;
    }

    #[inline(always)]
    fn commit_pc(&mut self) {
        self.program_counter = self.next;
    }

    #[inline(always)]
    fn memory(&self) -> &Self::MEM {
        &self.memory
    }

    #[inline(always)]
    fn memory_mut(&mut self) -> &mut Self::MEM {
        &mut self.memory
    }

    #[inline(always)]
    fn registers(&self) -> &[R] {
        &self.registers
    }

    #[inline(always)]
    fn set_register(&mut self, index: usize, value: R) {
        self.registers[index & 31] = value;
    }

    fn version(&self) -> u32 {
        VERSION2
    }

    fn isa(&self) -> u8 {
        ISA_IMC | ISA_A | ISA_B
    }
}

impl<R: Register + Copy, B: Bus> Machine for Core<R, B> {
    /// Never called, because the owner executes SYSTEM instructions.
    fn ecall(&mut self) -> Result<(), Error> {
        Err(Error::Unimplemented)
    }

    fn ebreak(&mut self) -> Result<(), Error> {
        Err(Error::Unimplemented)
    }
}

/// A load and a store of a width; the rest of the trait is for loaders of `ckb-vm`'s own, which are
/// not used.
macro_rules! access {
    ($($load:ident $store:ident $bytes:literal;)*) => {
        $(
            #[inline(always)]
            fn $load(&mut self, address: &R) -> Result<R, Error> {
                let loaded = self.bus.load(address.to_u64(), $bytes);
                self.pass(loaded).map(R::from_u64)
            }

            #[inline(always)]
            fn $store(&mut self, address: &R, value: &R) -> Result<(), Error> {
                let stored = self.bus.store(address.to_u64(), $bytes, value.to_u64());
                self.pass(stored)
            }
        )*
    };
}

impl<R: Register + Copy, B: Bus> Memory for Hooked<R, B> {
    type REG = R;

    access! {
        load8 store8 1;
        load16 store16 2;
        load32 store32 4;
        load64 store64 8;
    }

    fn lr(&self) -> &R {
        &self.reserved
    }

    fn set_lr(&mut self, value: &R) {
        self.reserved = *value;
    }

    fn new() -> Self {
        unreachable!("the memory is made by its owner")
    }

    fn new_with_memory(_: usize) -> Self {
        unreachable!("the memory is made by its owner")
    }

    fn init_pages(&mut self, _: u64, _: u64, _: u8, _: Option<Bytes>, _: u64) -> Result<(), Error> {
        Err(Error::Unimplemented)
    }

    fn fetch_flag(&mut self, _: u64) -> Result<u8, Error> {
        Err(Error::Unimplemented)
    }

    fn set_flag(&mut self, _: u64, _: u8) -> Result<(), Error> {
        Err(Error::Unimplemented)
    }

    fn clear_flag(&mut self, _: u64, _: u8) -> Result<(), Error> {
        Err(Error::Unimplemented)
    }

    /// No address is out of bounds for `ckb-vm`, because the memory of this crate checks it.
    fn memory_size(&self) -> usize {
        usize::MAX
    }

    fn store_byte(&mut self, _: u64, _: u64, _: u8) -> Result<(), Error> {
        Err(Error::Unimplemented)
    }

    fn store_bytes(&mut self, _: u64, _: &[u8]) -> Result<(), Error> {
        Err(Error::Unimplemented)
    }

    fn load_bytes(&mut self, _: u64, _: u64) -> Result<Bytes, Error> {
        Err(Error::Unimplemented)
    }

    fn execute_load16(&mut self, _: u64) -> Result<u16, Error> {
        Err(Error::Unimplemented)
    }

    fn execute_load32(&mut self, _: u64) -> Result<u32, Error> {
        Err(Error::Unimplemented)
    }
}
