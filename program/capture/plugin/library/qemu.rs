//! The parts of QEMU's plugin interface, version 1, that are used here.

use std::ffi::{c_char, c_int, c_uint, c_void};

/// The identifier that QEMU gives the plugin for its registrations.
pub type Id = u64;

/// A block being translated.
pub enum Block {}

/// An instruction of a block.
pub enum Instruction {}

/// QEMU's description of itself.
#[repr(C)]
pub struct Info {
    /// Its name of the instruction set.
    pub target_name: *const c_char,
    /// The lowest version of the interface that it takes.
    pub version_min: c_int,
    /// The version of the interface.
    pub version: c_int,
    /// False for an emulator of programs.
    pub system_emulation: bool,
    /// Virtual processors of a system.
    pub processors: [c_int; 2],
}

/// Flag of a callback that does not read registers.
pub const NO_REGISTERS: c_int = 0;
/// Loads and stores.
pub const READ_AND_WRITE: c_int = 3;

/// Called when a block runs.
pub type RunCallback = unsafe extern "C" fn(c_uint, *mut c_void);
/// Called after an access of memory.
pub type AccessCallback = unsafe extern "C" fn(c_uint, u32, u64, *mut c_void);
/// Called for a virtual processor.
pub type ProcessorCallback = unsafe extern "C" fn(Id, c_uint);
/// Called when a block has been translated.
pub type TranslateCallback = unsafe extern "C" fn(Id, *mut Block);
/// Called at the end.
pub type ExitCallback = unsafe extern "C" fn(Id, *mut c_void);
/// Called before a system call.
pub type SystemCallCallback =
    unsafe extern "C" fn(Id, c_uint, i64, u64, u64, u64, u64, u64, u64, u64, u64);

unsafe extern "C" {
    pub fn qemu_plugin_register_vcpu_exit_cb(id: Id, callback: ProcessorCallback);
    pub fn qemu_plugin_register_vcpu_tb_trans_cb(id: Id, callback: TranslateCallback);
    pub fn qemu_plugin_register_vcpu_tb_exec_cb(
        block: *mut Block,
        callback: RunCallback,
        flags: c_int,
        data: *mut c_void,
    );
    pub fn qemu_plugin_register_vcpu_insn_exec_cb(
        instruction: *mut Instruction,
        callback: RunCallback,
        flags: c_int,
        data: *mut c_void,
    );
    pub fn qemu_plugin_register_vcpu_mem_cb(
        instruction: *mut Instruction,
        callback: AccessCallback,
        flags: c_int,
        directions: c_int,
        data: *mut c_void,
    );
    pub fn qemu_plugin_register_vcpu_syscall_cb(id: Id, callback: SystemCallCallback);
    pub fn qemu_plugin_register_atexit_cb(id: Id, callback: ExitCallback, data: *mut c_void);
    pub fn qemu_plugin_mem_is_store(info: u32) -> bool;
    pub fn qemu_plugin_tb_n_insns(block: *const Block) -> usize;
    pub fn qemu_plugin_tb_vaddr(block: *const Block) -> u64;
    pub fn qemu_plugin_tb_get_insn(block: *const Block, index: usize) -> *mut Instruction;
    pub fn qemu_plugin_insn_data(instruction: *const Instruction) -> *const c_void;
    pub fn qemu_plugin_insn_size(instruction: *const Instruction) -> usize;
    pub fn qemu_plugin_insn_haddr(instruction: *const Instruction) -> *mut c_void;
}
