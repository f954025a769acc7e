//! A plugin for QEMU's emulators of programs and of machines that reports which translated blocks ran, for
//! `tracewright capture`.
//!
//! The hot path is one callback per block, which puts the block's number into the slot of the virtual
//! processor; full slots are sent. The receiver finds out what a block's instructions do.
//! The formats are in [`wire`].
//!
//! A forked child is not traced: it shares nothing with the receiver and every callback returns at once.

#![warn(missing_docs, rust_2018_idioms, clippy::all)]
#![warn(clippy::expect_used, clippy::panic, clippy::too_many_lines, clippy::unwrap_used)]
#![deny(unsafe_op_in_unsafe_fn)]

mod guest;
mod machine;
mod processor;
mod qemu;
mod sender;
mod state;
mod system;
#[path = "../src/wire.rs"]
pub mod wire;

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::sync::atomic::Ordering;

use processor::FORKED;
use qemu::{Block, Id};
use state::{STATE, State};
use wire::{BlockDefinition, Message, NO_IMAGE, Tag};

/// The version of the interface that QEMU looks for.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "the name is QEMU's")]
pub static qemu_plugin_version: c_int = 1;

/// QEMU calls this after loading the plugin.
///
/// # Safety
/// `info` and `arguments` are what QEMU passes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qemu_plugin_install(
    id: Id,
    info: *const qemu::Info,
    count: c_int,
    arguments: *const *const c_char,
) -> c_int {
    // SAFETY: QEMU's info is valid during the call, its strings end in 0.
    let installed = unsafe {
        let target = guest::text((*info).target_name);
        let arguments = (0..count.max(0) as usize).map(|index| guest::text(*arguments.add(index)));
        let processors = (*info).system_emulation.then_some((*info).processors[0]);
        State::new(&target, (*info).version, processors, arguments)
    };
    let state = match installed {
        Ok(state) => state,
        Err(what) => {
            eprintln!("tracewright capture plugin: {what}");
            return 1;
        }
    };
    let is_machine = state.is_machine;
    *STATE.lock().unwrap_or_else(|error| error.into_inner()) = Some(state);
    // SAFETY: the callbacks are of the types that QEMU calls, and live as long as the plugin.
    unsafe {
        if is_machine {
            qemu::qemu_plugin_register_vcpu_tb_trans_cb(id, translated_in_machine);
        } else {
            qemu::qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
            qemu::qemu_plugin_register_vcpu_syscall_cb(id, system_call);
            qemu::qemu_plugin_register_vcpu_exit_cb(id, thread_end);
        }
        qemu::qemu_plugin_register_atexit_cb(id, end, std::ptr::null_mut());
        system::pthread_atfork(None, Some(processor::in_parent), Some(processor::in_child));
    }
    0
}

/// Runs with the state, unless this process is a child that is not traced.
fn with_state<R>(work: impl FnOnce(&mut State) -> R) -> Option<R> {
    if FORKED.load(Ordering::Relaxed) {
        return None;
    }
    STATE.lock().unwrap_or_else(|error| error.into_inner()).as_mut().map(work)
}

/// Called when a block has been translated: describes it and registers the callback for its runs.
unsafe extern "C" fn translated(_: Id, block: *mut Block) {
    with_state(|state| {
        // SAFETY: the block is QEMU's and valid during the call.
        let (address, mut definition, host) = unsafe { describe(block) };
        if host != 0 {
            state.guest.locate(address, host);
        }
        let thumb = state.is_thumb(&definition.lengths);
        if thumb {
            guest::trim_thumb(&mut definition);
        }
        if host != 0 {
            definition.before = state.guest.before(address);
        }
        definition.image = state.image_of(address);
        let number = state.define(address, thumb, definition);
        let handler = state.is_handler(address);
        // SAFETY: as above; the number is data, not a pointer to any.
        unsafe { request_callbacks(block, number, state.data, handler) };
    });
}

/// Called when a machine's processor has translated a block. The same address may have other code in another address
/// space, so blocks are distinguished by their bytes.
unsafe extern "C" fn translated_in_machine(_: Id, block: *mut Block) {
    with_state(|state| {
        // SAFETY: the block is QEMU's and valid during the call.
        let (address, definition, _) = unsafe { describe(block) };
        let first = &machine::FIRST_BLOCK;
        _ = first.compare_exchange(u64::MAX, address, Ordering::Relaxed, Ordering::Relaxed);
        let number = state.define(address, false, definition);
        let run = machine::block_runs(state.guest.is_wide());
        // SAFETY: as above; the number is data, not a pointer to any.
        unsafe {
            let word = number as usize as *mut c_void;
            qemu::qemu_plugin_register_vcpu_tb_exec_cb(block, run, qemu::NO_REGISTERS, word);
            if state.marks_ends {
                let last = qemu::qemu_plugin_tb_n_insns(block).saturating_sub(1);
                qemu::qemu_plugin_register_vcpu_insn_exec_cb(
                    qemu::qemu_plugin_tb_get_insn(block, last),
                    machine::block_ends,
                    qemu::NO_REGISTERS,
                    std::ptr::null_mut(),
                );
            }
        }
    });
}

/// The address, the instructions, and where they are in QEMU's memory.
unsafe fn describe(block: *const Block) -> (u64, BlockDefinition, u64) {
    let mut definition = BlockDefinition {
        number: 0,
        image: NO_IMAGE,
        lengths: Vec::new(),
        before: Vec::new(),
        bytes: Vec::new(),
    };
    let mut host = 0;
    // SAFETY: the block is valid and has as many instructions as it says, each as long as it says.
    unsafe {
        for index in 0..qemu::qemu_plugin_tb_n_insns(block) {
            let instruction = qemu::qemu_plugin_tb_get_insn(block, index);
            let length = qemu::qemu_plugin_insn_size(instruction);
            if index == 0 {
                host = qemu::qemu_plugin_insn_haddr(instruction) as u64;
            }
            if length != 0 {
                let data = qemu::qemu_plugin_insn_data(instruction).cast::<u8>();
                definition.bytes.extend_from_slice(std::slice::from_raw_parts(data, length));
            }
            definition.lengths.push(length as u8);
        }
        (qemu::qemu_plugin_tb_vaddr(block), definition, host)
    }
}

unsafe fn request_callbacks(block: *mut Block, number: u32, data: bool, handler: bool) {
    let run = match (handler, data) {
        (true, false) => processor::handler_runs::<false>,
        (true, true) => processor::handler_runs::<true>,
        (false, false) => processor::block_runs::<false>,
        (false, true) => processor::block_runs::<true>,
    };
    let word = number as usize as *mut c_void;
    // SAFETY: the block is valid, and so are its instructions.
    unsafe {
        qemu::qemu_plugin_register_vcpu_tb_exec_cb(block, run, qemu::NO_REGISTERS, word);
        if data {
            for index in 0..qemu::qemu_plugin_tb_n_insns(block) {
                qemu::qemu_plugin_register_vcpu_mem_cb(
                    qemu::qemu_plugin_tb_get_insn(block, index),
                    processor::accessed,
                    qemu::NO_REGISTERS,
                    qemu::READ_AND_WRITE,
                    wire::Access::tag(index) as usize as *mut c_void,
                );
            }
        }
    }
}

/// Called before a system call.
#[allow(clippy::too_many_arguments, reason = "the type is QEMU's")]
unsafe extern "C" fn system_call(
    _: Id,
    processor: c_uint,
    number: i64,
    a1: u64,
    a2: u64,
    _: u64,
    _: u64,
    _: u64,
    _: u64,
    _: u64,
    _: u64,
) {
    with_state(|state| {
        let calls = state.guest.calls();
        if number == calls.rt_sigaction || Some(number) == calls.sigaction {
            state.handle(a2, number == calls.rt_sigaction);
        } else if calls.execute.contains(&number) {
            state.send_slot(processor);
            state.send(
                Message { tag: Tag::Execute, processor: processor as u16, length: 0, value: a1 },
                &[],
            );
        } else if calls.mapping.contains(&number) {
            state.forget_maps();
        }
        if state.processors_running() > 1 {
            // Entries are sent now, so that effects of the call on other processors come after them.
            state.send_slot(processor);
        }
    });
}

unsafe extern "C" fn thread_end(_: Id, processor: c_uint) {
    with_state(|state| state.end_thread(processor));
}

/// Called at the end of the program, when no other processor runs.
unsafe extern "C" fn end(_: Id, _: *mut c_void) {
    with_state(State::end);
}
