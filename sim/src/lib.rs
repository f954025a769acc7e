//! The specification of Tracewright's trace compressors, executable.
//!
//! A processor retires instructions; the control-flow instructions among them are [`event`]s. An
//! encoder turns events into records, and records into bits by the [`field`]s of a layout that is
//! stated once. A decoder has the program, reads the bits, and gives the events back exactly. The
//! hardware in `tracewright-hdl` sends the same bits; `tracewright-testbench` holds it to that.
//!
//! ```
//! use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
//! use tracewright_sim::event::Event;
//! use tracewright_sim::golden_encoder::GoldenEncoder;
//! use tracewright_sim::program::ProgramBuilder;
//! use tracewright_sim::scheme::{self, Design, Encoder};
//! use tracewright_sim::trace_io::Reader;
//!
//! // A trace: three times around a loop that calls a function, then an exit.
//! let text = "\
//! machine arm alignment=2 address_bits=32
//! 3 direct-jump 0x1008 call taken 0x2000
//! 2 indirect-jump 0x2004 return taken 0x100c
//! 2 direct-conditional 0x1010 taken 0x1004
//! 2 direct-jump 0x1008 call taken 0x2000
//! 2 indirect-jump 0x2004 return taken 0x100c
//! 2 direct-conditional 0x1010
//! 1 exception 0x1014
//! ";
//! let reader = Reader::new(text.as_bytes())?;
//! let machine = reader.machine();
//! let mut events: Vec<Event> = reader.collect::<Result<_, _>>()?;
//!
//! // The program, learned from the trace; it also knows how long the calls are.
//! let mut builder = ProgramBuilder::new(machine);
//! for event in &events {
//!     builder.event(event)?;
//! }
//! let program = builder.finish()?;
//! for event in events.iter_mut().filter(|event| event.call) {
//!     event.length = program.call_length(event.program_counter).unwrap_or(0);
//! }
//!
//! // Events to records to bits.
//! let design = Design::preset("traptor-m4")?.for_machine(machine)?;
//! let mut encoder = Encoder::new(&design)?;
//! let mut packer = BitPacker::new();
//! for event in &events {
//!     encoder.event(event, &mut packer)?;
//! }
//! encoder.flush(&mut packer);
//! let bytes = packer.finish();
//!
//! // Bits to records to events.
//! let mut decoded = Vec::new();
//! let mut bits = BitUnpacker::new(bytes.as_slice());
//! scheme::decode(&design, &program, &mut bits, u64::MAX, |event| {
//!     decoded.push(event);
//!     Ok::<(), Box<dyn std::error::Error>>(())
//! })?;
//! assert_eq!(decoded, events);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The rooms
//!
//! * [`event`], [`program`], [`code`], [`field`]: the common words. [`parameter`], [`config`], [`preset`]: what a
//!   design is made of.
//! * [`trace_io`] reads and writes traces, [`synthetic`] makes them up, [`bits_file`] keeps encoded ones.
//! * [`encode`] is the back end that all schemes share; [`recency`] the order of the ways of a set,
//!   [`stream_source`], [`decode::stream_replay`] and [`target_difference`] what several rooms need.
//! * [`pins`](mod@pins) has every pin of the hardware.
//! * [`packet`] makes packets of the trace of any scheme, and finds them again.
//! * A room for every scheme: [`traptor`], [`talon`], [`stream_cache`], [`ntuple`], [`nexus`],
//!   [`multicore`], [`data_stride`], [`talon_data`], [`e_trace`],
//!   [`n_trace`]. [`scheme`] is the one place that knows them all.

/// Gives the list of schemes, the only one there is, to another macro.
///
/// A line of the list has the name of the scheme's variant, its room, for several cores also the room of a core's
/// module, and one sentence. `tracewright_sim::ROOM::room` implements [`Room`](room::Room) for the room's
/// configuration, and `tracewright_hdl::ROOM::top::VARIANT` is the hardware.
#[macro_export]
macro_rules! for_each_scheme {
    ($callback:ident) => {
        $callback! {
            Traptor: traptor = "Paper C: tracing branch predictor.",
            Talon: talon = "Our own: tracing branch predictor with coded confidence.",
            StreamCache: stream_cache = "Paper A: stream cache and last stream predictor.",
            Ntuple: ntuple = "Paper B: stream cache and N-tuples.",
            Mctraptor: multicore<traptor> = "Paper E: tracing branch predictors of several cores.",
            Nexus: multicore<nexus> = "Papers C and E: what Nexus has, for one core or several.",
            DataStride: data_stride = "Paper B: strides of data addresses.",
            TalonData: talon_data = "Our own: strides of data addresses with coded confidence.",
            ETrace: e_trace = "RISC-V E-Trace: branch maps and address differences.",
            NTrace: n_trace = "RISC-V N-Trace: branch histories, or taken branches, and addresses.",
        }
    };
}

/// Declares the rooms of the listed schemes as modules, here and in the hardware's crate.
///
/// A scheme for several cores is made of rooms that are declared by hand.
#[macro_export]
macro_rules! declare_rooms {
    (@room $room:ident) => { pub mod $room; };
    (@room $room:ident $module:ident) => {};
    ($($scheme:ident: $room:ident $(<$module:ident>)? = $doc:literal,)+) => {
        $($crate::declare_rooms!(@room $room $($module)?);)+
    };
}

for_each_scheme!(declare_rooms);

pub mod arbitrary;
pub mod bits_file;
pub mod blocks;
pub mod bound;
pub mod cell;
pub mod code;
pub mod combined;
pub mod config;
pub mod configuration;
pub mod control;
pub mod decode;
pub mod encode;
pub mod estimate;
pub mod event;
pub mod event_limit;
pub mod field;
pub mod filter;
pub mod formats;
pub mod funnel;
pub mod golden_encoder;
pub mod ingress;
pub mod message_funnel;
pub mod multicore;
pub mod nexus;
pub mod packet;
pub mod parameter;
pub mod pins;
pub mod preset;
pub mod program;
pub mod ram_sink;
pub mod recency;
pub mod record_table;
pub mod room;
pub mod rvfi;
pub mod scheme;
pub mod session;
pub mod sinks;
pub mod stream_buffer;
pub mod stream_detector;
pub mod stream_source;
pub mod stream_start;
pub mod synthetic;
pub mod system_memory_sink;
pub mod target_difference;
pub mod tip;
pub mod trace_io;
pub mod unit;
