//! Faults in what makes packets: framer, checksum, synchroniser, and the clearing of tables between packets.

use tracewright_sim::event::{Event, Isa, Machine};
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::{Options, Synthetic};

use super::subject::Subject;
use super::texts::{Fault, fault};

/// Packets with all that they can have, for a core that cannot wait.
pub fn subject() -> Subject {
    let mut design = Design::preset("traptor-m4").unwrap();
    for (name, value) in [
        ("framing", "packets"),
        ("sync_interval", "1024"),
        ("when_full", "drop"),
        ("checksum_bits", "8"),
    ] {
        design.set(name, value).unwrap();
    }
    Subject { design, programs: programs() }
}

/// Two programs with exceptions.
pub fn programs() -> [Vec<Event>; 2] {
    [program(1), program(2)]
}

/// A program at the highest addresses, which have enough ones for a zero to be stuffed.
fn program(seed: u64) -> Vec<Event> {
    let options = Options {
        machine: Machine { isa: Isa::Arm, alignment: 2, address_bits: 32 },
        events: 30_000,
        exceptions: true,
        code_base: 0xffff_0000,
        code_span: 0x8000,
        ..Options::from_seed(seed)
    };
    Synthetic::new(options).unwrap().collect()
}

const FRAMER: &str = "_framer";
const STUFFER: &str = "_stuffer";
const CHECKSUM: &str = "_checksum";
const SYNCHRONISER: &str = "_synchroniser";

pub const FAULTS: &[Fault] = &[
    fault("a marker has a one too few", FRAMER, "10'd63", "10'd31"),
    fault("a marker has no zero", FRAMER, "4'd7 :", "4'd6 :"),
    fault(
        "a checksum does not cover its header",
        FRAMER,
        "(!is_header | piece_number) & sends",
        "!is_header & sends",
    ),
    fault(
        "a checksum covers all packets before",
        FRAMER,
        "checksum_restart = is_header",
        "checksum_restart = 1'b0 & is_header",
    ),
    fault(
        "a packet has the number of the one before",
        FRAMER,
        "packet_number + 8'd1",
        "packet_number",
    ),
    fault("a packet follows an end", FRAMER, "if (header_is_end)", "if (1'b0)"),
    fault(
        "a packet ends before its last piece is taken",
        FRAMER,
        "sends && payload_last",
        "payload_valid && payload_last",
    ),
    fault(
        "the trace is not filled up",
        FRAMER,
        "& header_encoder_piece_last",
        "& 1'b0 & header_encoder_piece_last",
    ),
    fault("no zero is stuffed", STUFFER, "assign stuffs = ", "assign stuffs = 1'b0 & "),
    fault("a zero is stuffed a one too early", STUFFER, "allowed = 4'd15", "allowed = 4'd14"),
    fault("a zero does not end a run of ones", STUFFER, "allowed = 4'd15", "allowed = left"),
    fault("ones after the last zero do not count", STUFFER, "(allowed + start) - bits", "allowed"),
    fault("the polynomial is another one", CHECKSUM, "8'd224", "8'd225"),
    fault("a bit is not checked", CHECKSUM, "if (bits > 4'd7)", "if (bits > 4'd8)"),
    fault(
        "the interval is over an instruction late",
        SYNCHRONISER,
        "requested | counted[10]",
        "requested | (counted[10] & (|counted[9:0]))",
    ),
    fault(
        "a request is forgotten",
        SYNCHRONISER,
        "is_requested <= requested",
        "is_requested <= 1'b0",
    ),
    fault(
        "a synchronisation follows a straight run",
        SYNCHRONISER,
        "retire_valid & may_change_flow & is_due",
        "retire_valid & is_due",
    ),
    fault(
        "the interval begins before the synchronisation",
        SYNCHRONISER,
        "is_ended <= 1'b0;\n                            instructions <= 11'd0;",
        "is_ended <= 1'b0;",
    ),
    fault(
        "the first block of a loss is not counted",
        SYNCHRONISER,
        ": {13'd0, retire_count}",
        ": 17'd0",
    ),
    fault(
        "a loss counts the one before",
        SYNCHRONISER,
        "is_losing ? {1'b0, lost}",
        "1'b1 ? {1'b0, lost}",
    ),
    fault(
        "every loss is for want of room",
        SYNCHRONISER,
        "(phase == PHASE_OPEN) ? CAUSE_NO_ROOM",
        "1'b1 ? CAUSE_NO_ROOM",
    ),
    fault(
        "no loss is because tracing is off",
        SYNCHRONISER,
        "is_off ? CAUSE_OFF",
        "1'b0 ? CAUSE_OFF",
    ),
    fault(
        "a header has the address before the flow changed",
        SYNCHRONISER,
        "changes_flow ? retire_target",
        "1'b0 ? retire_target",
    ),
    fault(
        "a branch that is not taken leads to its target",
        SYNCHRONISER,
        "(is_branch & retire_taken)",
        "is_branch",
    ),
    fault(
        "a header says the wrong of two addresses",
        SYNCHRONISER,
        "!changes_flow : is_after",
        "changes_flow : is_after",
    ),
    fault(
        "a loss ends within a straight run",
        SYNCHRONISER,
        "is_lost & may_change_flow & ready",
        "is_lost & ready",
    ),
    fault(
        "the tables are never cleared",
        SYNCHRONISER,
        "restart = (phase == PHASE_EMPTYING) & is_empty",
        "restart = 1'b0",
    ),
    fault(
        "differences are forgotten before they are sent",
        SYNCHRONISER,
        "restart = (phase == PHASE_EMPTYING) & is_empty",
        "restart = (phase == PHASE_DUE) & ready",
    ),
    fault("the sweep is not repeated", "_sequencer", "if (restart)", "if (1'b0 & restart)"),
    fault(
        "targets of the packet before are remembered",
        "_serial_difference",
        "reset || restart_registers",
        "reset",
    ),
    fault("the history of branches is kept", "_gshare", "reset || restart_registers", "reset"),
];
