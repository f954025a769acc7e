//! Encoded traces as arguments: files that name their design, and the bare bits of a trace port or of a ring buffer.

mod payloads;
mod standard_parts;

pub use standard_parts::{of_standard, only_says_where};

use std::fs::File;
use std::io::{BufReader, Cursor, Read};
use std::path::Path;

use anyhow::{Result, anyhow};
use clap::Args;
use tracewright_sim::bits_file::{self, BitsReader, Fingerprint, Totals};
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::Machine;
use tracewright_sim::funnel::frames::SourceReader;
use tracewright_sim::packet::part::{Gap, Part, Reason, Recovered};
use tracewright_sim::program::Programs;
use tracewright_sim::scheme::{self, Design};
use tracewright_sim::trace_io;

use super::design::{self, Changes};
use super::doubt::Doubt;
use super::failure::usage;
use super::paths::{self, Input};
use super::ring::RamSink;
use super::{limits, progress, ring, standard, uart};

/// Events between updates of the progress bar.
pub const PROGRESS_EVENTS: u64 = 1 << 16;

/// Gaps of damaged packets, and no fewer than whole ones, at which a design is doubted.
const DOUBTFUL_GAPS: u64 = 3;

/// What a file of the name `-` is.
const STANDARD_INPUT: &str = "/dev/stdin";

/// What an encoded trace is.
#[derive(Args, Debug)]
pub struct EncodedArguments {
    /// Fail unless the file was encoded by this design; with --raw or --ring, decode the bits of this design
    #[arg(long, group = "encoder_is_known")]
    design: Option<String>,
    #[command(flatten)]
    changes: Changes,
    /// Fail unless the design has this fingerprint, the value of the register twFingerprint (docs/control.md)
    #[arg(long, value_name = "NUMBER", value_parser = design::parse_fingerprint)]
    fingerprint: Option<u32>,
    /// Read a file that has only the bits of the trace port, bit 0 of byte 0 first
    #[arg(long, requires = "design")]
    raw: bool,
    /// Read a file that has only the bytes of a ring buffer, whose packets begin and end anywhere in it
    #[arg(long, requires = "design")]
    ring: bool,
    /// Read a file that has frames of a funnel: the bits of the trace port of the source with this number, 1 to 111
    #[arg(long, value_name = "ID", requires = "design", conflicts_with_all = ["raw", "ring"])]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=111))]
    source: Option<u8>,
    /// Offset in the ring buffer of the byte that would have been written next; found by trying if not given
    #[arg(long, value_name = "BYTE", requires = "ring")]
    write_pointer: Option<usize>,
    /// Read a file that has the memory of a RAM sink, up to the word at trRamLimitLow, with the value of its register
    /// trRamWPLow, in decimal or with 0x, which says where the trace begins
    #[arg(long, value_name = "WRITE_POINTER", requires = "encoder_is_known")]
    #[arg(conflicts_with_all = ["raw", "ring", "source"], value_parser = RamSink::parse)]
    pub ram_sink: Option<RamSink>,
    /// Read a file that has the bytes from the serial line of `generate --reader uart`: the last whole dump of a ring
    /// among them, which must be of this design
    #[arg(long, requires = "design", conflicts_with_all = ["raw", "ring", "source", "ram_sink"])]
    uart: bool,
    /// Take gaps in a trace as expected: they are printed, and the exit status is 0
    #[arg(long)]
    pub allow_gaps: bool,
}

impl EncodedArguments {
    /// True if the file has nothing but the trace's bits.
    pub fn is_bare(&self) -> bool {
        self.raw || self.ring || self.uart || self.ram_sink.is_some() || self.source.is_some()
    }

    /// True if a design is given.
    pub fn has_design(&self) -> bool {
        self.design.is_some()
    }

    /// Opens an encoded trace.
    ///
    /// # Errors
    /// When the design is bad, or the file cannot be read or has no sound header.
    pub fn open<'a>(&'a self, file: &'a Path) -> Result<Opened<'a>> {
        let file = if paths::is_stdin(file) { Path::new(STANDARD_INPUT) } else { file };
        let wanted = match &self.design {
            Some(argument) => Some(design::load(argument, &self.changes)?),
            None if self.changes.set.is_empty() => None,
            None => {
                return Err(usage(
                    "--set needs --design, because an encoded file has its own design",
                ));
            }
        };
        if self.is_bare() && !self.uart {
            uart::check_is_other(file)?;
        }
        let reader =
            if self.is_bare() { None } else { Some(BitsReader::salvage(file).map_err(explained)?) };
        Ok(Opened { file, arguments: self, wanted, reader })
    }
}

/// The error of a file that is no encoded trace, with what it may be instead.
fn explained(error: bits_file::Error) -> anyhow::Error {
    match error.problem {
        bits_file::Problem::Magic(_) => anyhow!(
            "{error}; --raw and --design read the bytes of a trace port, --ring and --ram-sink a ring, and `tracewright \
             decode --standard` a dump of another encoder"
        ),
        _ => error.into(),
    }
}

/// An open encoded trace of a machine that may not be known yet.
#[derive(Debug)]
pub struct Opened<'a> {
    file: &'a Path,
    arguments: &'a EncodedArguments,
    wanted: Option<Design>,
    reader: Option<BitsReader<File>>,
}

impl<'a> Opened<'a> {
    /// The trace with its design and machine; `machine` is that of the program.
    ///
    /// # Errors
    /// When the file's design is not the one that is wanted, or the wanted one cannot trace the machine.
    pub fn of(self, machine: Machine) -> Result<Encoded<'a>> {
        let Opened { file, arguments, wanted, reader } = self;
        let (design, machine) = match &reader {
            Some(reader) => (agreed(file, reader, wanted)?, reader.header().machine),
            None => {
                let unnamed = "--raw needs --design, because the file does not name its design";
                let wanted = wanted.ok_or_else(|| usage(unnamed))?;
                // The hardware is what it was generated as, whatever ran on it.
                design::check_hardware(&wanted, machine)?;
                (wanted, machine)
            }
        };
        if let Some(fingerprint) = arguments.fingerprint {
            design::check_fingerprint(&design, fingerprint)?;
        }
        if design.framing().is_none() {
            let is_standard = standard::of_scheme(&design).is_some();
            check_ring(arguments, is_standard)?;
        }
        Ok(Encoded { file, arguments, design, machine, reader })
    }
}

/// Refuses a ring of a trace without packets, which only the payloads of a standard can begin in the middle of.
fn check_ring(arguments: &EncodedArguments, is_standard: bool) -> Result<()> {
    let option = match arguments {
        EncodedArguments { ring: true, .. } if is_standard => {
            return Err(usage(
                "--ring needs a design with framing = packets; without packets, expected the ring as a RAM sink has it, \
                 with --ram-sink or --uart",
            ));
        }
        _ if is_standard => return Ok(()),
        EncodedArguments { ring: true, .. } => "--ring",
        EncodedArguments { uart: true, .. } => "--uart",
        EncodedArguments { ram_sink: Some(_), .. } => "--ram-sink",
        _ => return Ok(()),
    };
    Err(usage(format_args!("{option} needs a design with framing = packets")))
}

/// The file's design, if it agrees with `--design`.
fn agreed(file: &Path, reader: &BitsReader<File>, wanted: Option<Design>) -> Result<Design> {
    let (file, header) = (file.display(), reader.header());
    if let Some(wanted) = wanted {
        // A model has the address width and the upper bits of targets that its trace needs, unless they were set.
        let wanted =
            design::for_machine(&wanted, header.machine)?.with_addresses_of(&header.design);
        if let Some(difference) = design::difference(&header.design, &wanted) {
            let (made_by, name) = (&header.design.name, &wanted.name);
            return Err(anyhow!("{file} was encoded by {made_by}, expected {name}: {difference}"));
        }
    }
    Ok(header.design.clone())
}

/// An open encoded trace.
#[derive(Debug)]
pub struct Encoded<'a> {
    file: &'a Path,
    arguments: &'a EncodedArguments,
    /// The design that made it.
    pub design: Design,
    /// The machine that was traced.
    pub machine: Machine,
    /// The reader of a file that names its design.
    pub reader: Option<BitsReader<File>>,
}

/// What was decoded of a trace of packets.
#[derive(Debug)]
pub struct Packets {
    /// What there is of it.
    pub recovered: Recovered,
    /// True if it is what was traced, by the totals of its file.
    pub is_verified: bool,
    /// How the file is damaged.
    pub damage: Option<String>,
    /// What was given for bits of which no packet, or few, decode with it.
    pub doubt: Option<Doubt>,
}

impl EncodedArguments {
    /// What may be wrong where bits decode to nothing with this design and program.
    pub fn doubt(&self, design: &Design, program_file: &Path) -> Doubt {
        Doubt::new(design, program_file, self.uart || self.fingerprint.is_some())
    }
}

impl Encoded<'_> {
    /// What may be wrong where bits that name no design decode to nothing with this program.
    pub fn doubt(&self, program_file: &Path) -> Option<Doubt> {
        self.reader.is_none().then(|| self.arguments.doubt(&self.design, program_file))
    }

    /// Opens a file of nothing but the trace's bits, or of frames that have those of several traces.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn bare(&self) -> Result<Box<dyn Read>> {
        let file = self.file;
        let opened = Input::found(file)?.open()?;
        Ok(match self.arguments.source {
            Some(source) => Box::new(SourceReader::new(BufReader::new(opened), source)),
            None => Box::new(opened),
        })
    }

    /// Instructions that were traced where that is known beforehand, else [`u64::MAX`].
    pub fn most_instructions(&self) -> u64 {
        self.reader.as_ref().map_or(u64::MAX, BitsReader::most_instructions)
    }

    /// Decodes a trace of packets and gives its parts to `take`.
    ///
    /// # Errors
    /// When the file cannot be read, or one without damage is not of its programs, the first of which is in
    /// `program_file`, and the errors of `take`.
    pub fn packets(
        self,
        programs: &Programs<'_>,
        program_file: &Path,
        take: impl FnMut(Part) -> Result<()>,
    ) -> Result<Packets> {
        let (file, design, most) = (self.file, &self.design, self.most_instructions());
        let mut parts = Parts::new(file, program_file, take);
        let EncodedArguments { ring: is_ring, write_pointer, .. } = self.arguments;
        let mut reader = match self.reader {
            Some(reader) => reader,
            None => {
                let memory = self.arguments.read_ring(file, Some(design))?;
                let recovered = if let Some((_, bytes)) = memory {
                    parts.decode(design, programs, Cursor::new(bytes), most)?
                } else if *is_ring {
                    let bytes = ring::turned(file, *write_pointer, design, programs)?;
                    // Where the newest byte is tried, what a packet without an end decodes to may be made of the
                    // oldest ones.
                    parts.takes_unverified = write_pointer.is_some();
                    parts.decode(design, programs, Cursor::new(bytes), most)?
                } else {
                    parts.decode(design, programs, self.bare()?, most)?
                };
                let is_none = recovered.events == 0 && parts.damaged > 0;
                let is_doubtful = parts.damaged >= DOUBTFUL_GAPS.max(recovered.packets);
                let doubt =
                    (is_none || is_doubtful).then(|| self.arguments.doubt(design, program_file));
                return Ok(Packets { recovered, is_verified: false, damage: None, doubt });
            }
        };
        let recovered = parts.decode(design, programs, &mut reader, most)?;
        let damage = reader.damage().map(ToString::to_string);
        let is_verified = recovered.gaps == 0 && (damage.is_none() || reader.totals().is_some());
        if is_verified {
            let found = (recovered.events, recovered.instructions, parts.fingerprint.value());
            check_totals(file, program_file, reader.totals(), found)?;
        }
        Ok(Packets { recovered, is_verified, damage, doubt: None })
    }
}

/// Takes the parts of a trace of packets.
struct Parts<'a, F> {
    file: &'a Path,
    program_file: &'a Path,
    take: F,
    fingerprint: Fingerprint,
    takes_unverified: bool,
    /// Gaps of bits that are no packets of the design.
    damaged: u64,
}

impl<'a, F: FnMut(Part) -> Result<()>> Parts<'a, F> {
    fn new(file: &'a Path, program_file: &'a Path, take: F) -> Self {
        let fingerprint = Fingerprint::default();
        Self { file, program_file, take, fingerprint, takes_unverified: true, damaged: 0 }
    }

    fn decode(
        &mut self,
        design: &Design,
        programs: &Programs<'_>,
        bits: impl Read,
        most_instructions: u64,
    ) -> Result<Recovered> {
        let most_events = limits::events().of_bytes(limits::bytes_of(self.file));
        let known = if most_instructions == u64::MAX { 0 } else { most_instructions };
        let progress = progress::bar(known, "instructions");
        let (mut events, mut shown, mut instructions) = (0u64, 0, 0u64);
        let mut is_left_out = false;
        let emit = |mut part| {
            if let Part::Gap(Gap { reason, .. }) = &part {
                let is_damage = matches!(
                    reason,
                    Reason::Damaged(_) | Reason::Undecodable(_) | Reason::NoPacket
                );
                self.damaged += u64::from(is_damage);
            }
            match &mut part {
                Part::Unverified => is_left_out = !self.takes_unverified,
                Part::Event(_) if is_left_out => return Ok(()),
                Part::Gap(gap) if is_left_out => {
                    (gap.unverified_events, gap.trailing_instructions) = (0, 0);
                }
                _ => {}
            }
            if let Part::Event(event) = &part {
                self.fingerprint.add(event);
                events += 1;
                instructions = instructions.saturating_add(event.instructions);
                if events.is_multiple_of(PROGRESS_EVENTS) {
                    limits::check(self.file, events, most_events, "events")?;
                    progress.add(instructions - shown);
                    shown = instructions;
                }
            }
            (self.take)(part)
        };
        let mut bits = BitUnpacker::new(bits);
        let recovered =
            scheme::decode_packets(design, programs.clone(), &mut bits, most_instructions, emit)
                .map_err(|error| explain(self.file, self.program_file, error))?;
        Ok(if is_left_out { ring::verified(&recovered) } else { recovered })
    }
}

/// Compares the events, the instructions and the fingerprint of a decoded trace with the totals of its file.
///
/// # Errors
/// When they differ, or the file has no totals.
pub fn check_totals(
    file: &Path,
    program_file: &Path,
    totals: Option<Totals>,
    decoded: (u64, u64, u64),
) -> Result<()> {
    let file = file.display();
    let totals =
        totals.ok_or_else(|| anyhow!("{file}: the trace ends before the end of the file"))?;
    match decoded == (totals.events, totals.instructions, totals.fingerprint) {
        true => Ok(()),
        false => Err(anyhow!(
            "{file} does not decode to the execution that was traced; is {} the program that was traced?",
            program_file.display()
        )),
    }
}

/// Adds the name of the file to an error of the decoder.
pub fn explain(file: &Path, program_file: &Path, error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref::<trace_io::Error>().map(trace_io::Error::problem) {
        // An invalid event comes from bits and a program that do not belong together.
        Some(trace_io::Problem::Invalid(violation)) => anyhow!(
            "{} does not decode to a valid trace ({violation}); is {} the program that was traced?",
            file.display(),
            program_file.display()
        ),
        Some(_) => error,
        None => error.context(file.display().to_string()),
    }
}
