//! What the crate `gdbstub` asks.

use std::num::NonZeroUsize;

use gdbstub::arch::{Arch, RegId, Registers};
use gdbstub::common::{Signal, Tid};
use gdbstub::target::ext::auxv::AuxvOps;
use gdbstub::target::ext::base::BaseOps;
use gdbstub::target::ext::base::multithread::{
    MultiThreadBase, MultiThreadRangeStepping, MultiThreadRangeSteppingOps, MultiThreadResume,
    MultiThreadResumeOps, MultiThreadSchedulerLocking, MultiThreadSchedulerLockingOps,
    MultiThreadSingleStep, MultiThreadSingleStepOps,
};
use gdbstub::target::ext::base::reverse_exec::{
    ReverseCont, ReverseContOps, ReverseStep, ReverseStepOps,
};
use gdbstub::target::ext::base::single_register_access::{
    SingleRegisterAccess, SingleRegisterAccessOps,
};
use gdbstub::target::ext::breakpoints::{
    Breakpoints, BreakpointsOps, HwBreakpoint, HwBreakpointOps, HwWatchpoint, HwWatchpointOps,
    SwBreakpoint, SwBreakpointOps, WatchKind,
};
use gdbstub::target::ext::exec_file::ExecFileOps;
use gdbstub::target::ext::libraries::LibrariesSvr4Ops;
use gdbstub::target::ext::monitor_cmd::{ConsoleOutput, MonitorCmd, MonitorCmdOps};
use gdbstub::target::ext::section_offsets::SectionOffsetsOps;
use gdbstub::target::ext::target_description_xml_override::TargetDescriptionXmlOverrideOps;
use gdbstub::target::ext::thread_extra_info::{ThreadExtraInfo, ThreadExtraInfoOps};
use gdbstub::target::{Target, TargetError, TargetResult};

use super::documents::copy;
use super::resume::Action;
use super::{Debuggee, identifier, number_of};
use crate::error::Error;

/// Any processor: registers are bytes in the order of the description that GDB reads.
#[derive(Debug)]
pub enum AnyProcessor {}

/// The registers of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllRegisters(Vec<Option<u8>>);

impl Registers for AllRegisters {
    type ProgramCounter = u64;

    fn pc(&self) -> u64 {
        0
    }

    fn gdb_serialize(&self, mut write_byte: impl FnMut(Option<u8>)) {
        self.0.iter().for_each(|byte| write_byte(*byte));
    }

    fn gdb_deserialize(&mut self, bytes: &[u8]) -> Result<(), ()> {
        self.0 = bytes.iter().copied().map(Some).collect();
        Ok(())
    }
}

/// The number of a register in the description that the debugger reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterNumber(usize);

impl RegId for RegisterNumber {
    fn from_raw_id(id: usize) -> Option<(RegisterNumber, Option<NonZeroUsize>)> {
        Some((RegisterNumber(id), None))
    }
}

impl Arch for AnyProcessor {
    type Usize = u64;
    type Registers = AllRegisters;
    type BreakpointKind = usize;
    type RegId = RegisterNumber;
}

/// GDB is told that there is no such thread.
const NO_THREAD: u8 = 3;
/// GDB is told that it cannot write.
const READ_ONLY: u8 = 30;
/// GDB is told that there is no such memory.
const NOT_KNOWN: u8 = 14;

impl Debuggee<'_> {
    /// The thread that a debugger means, if there is one with that number.
    fn thread(&self, tid: Tid) -> TargetResult<usize, Self> {
        let number = number_of(tid);
        match number < self.player.recording().stacks().len() {
            true => Ok(number),
            false => Err(TargetError::Errno(NO_THREAD)),
        }
    }

    /// The same, else the thread that the debugger was told of last.
    fn thread_or_reported(&self, tid: Tid) -> usize {
        self.thread(tid).unwrap_or(self.reported)
    }
}

impl Target for Debuggee<'_> {
    type Arch = AnyProcessor;
    type Error = Error;

    fn base_ops(&mut self) -> BaseOps<'_, AnyProcessor, Error> {
        BaseOps::MultiThread(self)
    }

    fn support_breakpoints(&mut self) -> Option<BreakpointsOps<'_, Self>> {
        Some(self)
    }

    fn support_monitor_cmd(&mut self) -> Option<MonitorCmdOps<'_, Self>> {
        Some(self)
    }

    fn support_section_offsets(&mut self) -> Option<SectionOffsetsOps<'_, Self>> {
        Some(self)
    }

    fn support_target_description_xml_override(
        &mut self,
    ) -> Option<TargetDescriptionXmlOverrideOps<'_, Self>> {
        Some(self)
    }

    fn support_exec_file(&mut self) -> Option<ExecFileOps<'_, Self>> {
        Some(self)
    }

    fn support_auxv(&mut self) -> Option<AuxvOps<'_, Self>> {
        None
    }

    fn support_libraries_svr4(&mut self) -> Option<LibrariesSvr4Ops<'_, Self>> {
        Some(self)
    }
}

impl MultiThreadBase for Debuggee<'_> {
    fn read_registers(&mut self, registers: &mut AllRegisters, tid: Tid) -> TargetResult<(), Self> {
        let number = self.thread(tid)?;
        registers.0 = self.registers(number).map_err(TargetError::Fatal)?;
        Ok(())
    }

    fn support_single_register_access(&mut self) -> Option<SingleRegisterAccessOps<'_, Tid, Self>> {
        Some(self)
    }

    fn write_registers(&mut self, _: &AllRegisters, _: Tid) -> TargetResult<(), Self> {
        Err(TargetError::Errno(READ_ONLY))
    }

    fn read_addrs(&mut self, start: u64, data: &mut [u8], tid: Tid) -> TargetResult<usize, Self> {
        let number = self.thread(tid)?;
        match self.read(number, start, data) {
            0 if !data.is_empty() => Err(TargetError::Errno(NOT_KNOWN)),
            known => Ok(known),
        }
    }

    fn write_addrs(&mut self, _: u64, _: &[u8], _: Tid) -> TargetResult<(), Self> {
        Err(TargetError::Errno(READ_ONLY))
    }

    /// The first thread of the list is the one that is meant where GDB steps any: the one that has stopped.
    fn list_active_threads(&mut self, take: &mut dyn FnMut(Tid)) -> Result<(), Error> {
        let mut numbers = self.player.numbers();
        numbers.sort_by_key(|number| *number != self.reported);
        numbers.into_iter().for_each(|number| take(identifier(number)));
        Ok(())
    }

    fn support_resume(&mut self) -> Option<MultiThreadResumeOps<'_, Self>> {
        Some(self)
    }

    fn support_thread_extra_info(&mut self) -> Option<ThreadExtraInfoOps<'_, Self>> {
        Some(self)
    }
}

impl SingleRegisterAccess<Tid> for Debuggee<'_> {
    fn read_register(
        &mut self,
        tid: Tid,
        register: RegisterNumber,
        into: &mut [u8],
    ) -> TargetResult<usize, Self> {
        let number = self.thread(tid)?;
        let slots = &self.program_of(number).rules.architecture().slots;
        let Some(at) = slots.iter().position(|slot| slot.number == register.0) else {
            return Err(TargetError::Errno(NOT_KNOWN));
        };
        let (begin, bytes) = (slots[..at].iter().map(|slot| slot.bytes).sum(), slots[at].bytes);
        let all = self.registers(number).map_err(TargetError::Fatal)?;
        let known: Option<Vec<u8>> = all.iter().skip(begin).take(bytes).copied().collect();
        match known {
            Some(known) if known.len() == bytes => Ok(copy(&known, 0, bytes, into)),
            _ => Err(TargetError::Errno(NOT_KNOWN)),
        }
    }

    fn write_register(&mut self, _: Tid, _: RegisterNumber, _: &[u8]) -> TargetResult<(), Self> {
        Err(TargetError::Errno(READ_ONLY))
    }
}

impl ThreadExtraInfo for Debuggee<'_> {
    fn thread_extra_info(&self, tid: Tid, into: &mut [u8]) -> Result<usize, Error> {
        let number = number_of(tid);
        let text = match self.player.recording().stacks().get(number) {
            Some(stack) if stack.context.is_some() => {
                format!("context {:#x}", stack.context.unwrap_or(0))
            }
            _ => format!("thread {number} of the trace"),
        };
        Ok(copy(text.as_bytes(), 0, into.len(), into))
    }
}

impl MultiThreadResume for Debuggee<'_> {
    fn resume(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn clear_resume_actions(&mut self) -> Result<(), Error> {
        self.action = Action::Continue;
        Ok(())
    }

    fn set_resume_action_continue(&mut self, _: Tid, _: Option<Signal>) -> Result<(), Error> {
        Ok(())
    }

    fn support_single_step(&mut self) -> Option<MultiThreadSingleStepOps<'_, Self>> {
        Some(self)
    }

    fn support_range_step(&mut self) -> Option<MultiThreadRangeSteppingOps<'_, Self>> {
        Some(self)
    }

    fn support_reverse_step(&mut self) -> Option<ReverseStepOps<'_, Tid, Self>> {
        Some(self)
    }

    fn support_reverse_cont(&mut self) -> Option<ReverseContOps<'_, Tid, Self>> {
        Some(self)
    }

    fn support_scheduler_locking(&mut self) -> Option<MultiThreadSchedulerLockingOps<'_, Self>> {
        Some(self)
    }
}

impl MultiThreadSchedulerLocking for Debuggee<'_> {
    /// What the other threads did is recorded, and cannot be held back.
    fn set_resume_action_scheduler_lock(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

impl MultiThreadSingleStep for Debuggee<'_> {
    fn set_resume_action_step(&mut self, tid: Tid, _: Option<Signal>) -> Result<(), Error> {
        self.action = Action::Step(self.thread_or_reported(tid));
        Ok(())
    }
}

impl MultiThreadRangeStepping for Debuggee<'_> {
    fn set_resume_action_range_step(
        &mut self,
        tid: Tid,
        start: u64,
        end: u64,
    ) -> Result<(), Error> {
        self.action = Action::Range(self.thread_or_reported(tid), start, end);
        Ok(())
    }
}

impl ReverseStep<Tid> for Debuggee<'_> {
    fn reverse_step(&mut self, tid: Tid) -> Result<(), Error> {
        self.action = Action::StepBack(self.thread_or_reported(tid));
        Ok(())
    }
}

impl ReverseCont<Tid> for Debuggee<'_> {
    fn reverse_cont(&mut self) -> Result<(), Error> {
        self.action = Action::Back;
        Ok(())
    }
}

impl Breakpoints for Debuggee<'_> {
    fn support_sw_breakpoint(&mut self) -> Option<SwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_breakpoint(&mut self) -> Option<HwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_watchpoint(&mut self) -> Option<HwWatchpointOps<'_, Self>> {
        Some(self)
    }
}

impl SwBreakpoint for Debuggee<'_> {
    fn add_sw_breakpoint(&mut self, address: u64, _: usize) -> TargetResult<bool, Self> {
        self.breakpoints.add(address);
        self.last_set = Some(address);
        Ok(true)
    }

    fn remove_sw_breakpoint(&mut self, address: u64, _: usize) -> TargetResult<bool, Self> {
        Ok(self.breakpoints.remove(address))
    }
}

impl HwBreakpoint for Debuggee<'_> {
    fn add_hw_breakpoint(&mut self, address: u64, kind: usize) -> TargetResult<bool, Self> {
        self.add_sw_breakpoint(address, kind)
    }

    fn remove_hw_breakpoint(&mut self, address: u64, kind: usize) -> TargetResult<bool, Self> {
        self.remove_sw_breakpoint(address, kind)
    }
}

impl HwWatchpoint for Debuggee<'_> {
    /// They are taken, so that the debugger goes on, and it is told then that they stop nowhere.
    fn add_hw_watchpoint(
        &mut self,
        address: u64,
        _: u64,
        _: WatchKind,
    ) -> TargetResult<bool, Self> {
        if !self.unheeded.contains(&address) {
            self.unheeded.push(address);
            self.is_untold = true;
        }
        Ok(true)
    }

    fn remove_hw_watchpoint(&mut self, _: u64, _: u64, _: WatchKind) -> TargetResult<bool, Self> {
        Ok(true)
    }
}

impl MonitorCmd for Debuggee<'_> {
    fn handle_monitor_cmd(
        &mut self,
        command: &[u8],
        mut out: ConsoleOutput<'_>,
    ) -> Result<(), Error> {
        self.complete()?;
        let text = self.monitor(&String::from_utf8_lossy(command))?;
        out.write_raw(text.as_bytes());
        Ok(())
    }
}
