//! E-Trace as encoders of others send it, and payloads that stand for more than they may, written here by hand.

use std::collections::BTreeMap;

use tracewright_import::e_trace::{self, Code, Encoder, Frames, Known, Options, Payload};
use tracewright_sim::code::Branch;
use tracewright_sim::event::Kind;

use crate::e_trace::Parts;
use crate::n_trace::known;

/// A branch forward, a jump, and a loop with a branch back at its end.
struct Program(BTreeMap<u64, Known>);

impl Program {
    fn new() -> Self {
        let branch = |kind, target| Some(Branch { kind, call: false, is_return: false, target });
        let instructions = [
            (0x8000_0100, known(4, None)),
            (0x8000_0104, known(2, branch(Kind::DirectConditional, 0x8000_0110))),
            (0x8000_0110, known(2, None)),
            (0x8000_0112, known(2, branch(Kind::IndirectJump, 0))),
            (0x8000_0200, known(4, None)),
            (0x8000_0204, known(2, branch(Kind::DirectConditional, 0x8000_0200))),
            (0x8000_0206, known(2, branch(Kind::IndirectJump, 0))),
        ];
        Program(instructions.into_iter().collect())
    }
}

impl Code for Program {
    fn at(&self, address: u64) -> Option<Known> {
        self.0.get(&address).copied()
    }
}

fn decoded(dump: &[u8], encoder: &Encoder) -> Parts {
    let options = Options {
        hart: None,
        address_bits: encoder.iaddress_width_p as u8,
        thread_max: 0,
        has_states: false,
        begins_in_the_middle: false,
        events_max: 1 << 30,
    };
    let mut parts = Parts::default();
    e_trace::decode(dump, encoder, &Program::new(), &options, &mut parts).unwrap();
    parts
}

/// Bytes of fields as values and widths, the first lowest.
fn bytes(fields: &[(u128, u32)]) -> Vec<u8> {
    let (mut value, mut bits) = (0u128, 0);
    for (field, width) in fields {
        value |= field << bits;
        bits += width;
    }
    value.to_le_bytes()[..bits.div_ceil(8) as usize].to_vec()
}

/// A block of rv_tracer: from its end on the header, eight bytes of time, and the payload.
fn block(fields: &[(u128, u32)]) -> Vec<u8> {
    let payload = bytes(fields);
    let mut block = vec![0x80 | payload.len() as u8];
    block.extend([0; 8]);
    block.extend(payload);
    block.resize(40, 0);
    block.reverse();
    block
}

/// rv_tracer: an address has as many whole bytes as it needs and one bit, and a start may tell the last instruction once more.
#[test]
fn blocks_of_rv_tracer_are_read() {
    let encoder = Encoder::rv_tracer().for_addresses(64);
    // Format 3, subformat 0: not taken, machine mode.
    let start = |address| block(&[(3, 2), (0, 2), (1, 1), (3, 2), (address, 33)]);
    let dump = [
        // Format 3, subformat 3: addresses as differences.
        block(&[(3, 2), (3, 2), (0, 4), (0x40, 7)]),
        start(0x8000_0100),
        // Format 1: one branch that is taken, the target of a jump 0x100 further, by updiscon.
        block(&[(1, 2), (1, 5), (0, 1), (0x100, 17), (0, 1), (1, 1), (1, 1)]),
        // The branch at the end is taken, and the start says where that is.
        block(&[(1, 2), (1, 5), (0, 1), (4, 9), (0, 1), (0, 1), (0, 1)]),
        start(0x8000_0204),
        block(&[(1, 2), (1, 5), (1, 1), (0x1_fefc, 17), (0, 1), (1, 1), (1, 1)]),
    ]
    .concat();
    let frames: Vec<_> = Frames::of(&dump, &encoder).unwrap().map(Result::unwrap).collect();
    let payloads: Vec<_> =
        frames.iter().map(|frame| Payload::read(frame, &encoder).unwrap()).collect();
    assert!(matches!(payloads[1], Payload::Start { address: 0x8000_0100, .. }));
    let Payload::Branches { branches: 1, address: Some(address), .. } = &payloads[2] else {
        panic!("{:?}", payloads[2]);
    };
    assert_eq!((address.address, address.notify, address.updiscon), (0x100, false, true));
    let parts = decoded(&dump, &encoder);
    assert_eq!(parts.gaps, []);
    let taken: Vec<_> =
        parts.events(0).iter().map(|event| (event.program_counter, event.taken)).collect();
    assert_eq!(
        taken,
        [
            (0, true),
            (0x8000_0104, true),
            (0x8000_0112, true),
            (0x8000_0204, true),
            (0x8000_0204, false),
            (0x8000_0206, true),
        ]
    );
    // A map of 16 to 30 branches that does not say how many, before an address.
    let unknown = [dump, block(&[(1, 2), (0, 5), (0, 31), (4, 9), (0, 3)])].concat();
    let parts = decoded(&unknown, &encoder);
    assert!(parts.gaps[0].reason.to_string().contains("bytes are left"), "{:?}", parts.gaps);
}

/// A few bytes do not stand for more branches than a payload may, and none of one that leads nowhere retires.
#[test]
fn a_payload_stands_for_so_many_branches() {
    let encoder = Encoder {
        iaddress_width_p: 64,
        bpred_size_p: 2,
        payload_branches: 5000,
        ..Encoder::default()
    };
    let payload = |fields: &[(u128, u32)]| {
        let payload = bytes(fields);
        [vec![payload.len() as u8], payload].concat()
    };
    // At the branch, which is taken: then that is predicted.
    let start = payload(&[(3, 2), (0, 2), (0, 1), (3, 2), (0x8000_0204 >> 1, 63)]);
    // Format 0: so many branches that are predicted, and 31 more; then one that is not, and nothing.
    let counted = |predicted| payload(&[(0, 2), (predicted, 32), (0, 2)]);
    let right = decoded(&[start.clone(), counted(4000)].concat(), &encoder);
    assert!(right.events(0).len() > 4000, "{:?}", right.gaps);
    let many = decoded(&[start.clone(), counted(4970)].concat(), &encoder);
    assert_eq!(many.events(0).len(), 1);
    assert!(many.gaps[0].reason.to_string().contains("more than 5000 branches"), "{:?}", many.gaps);
    // So many, and then an address to which they do not lead.
    let nowhere = payload(&[(0, 2), (4000, 32), (2, 2), (0x40 >> 1, 63), (0, 2)]);
    let lost = decoded(&[start, nowhere].concat(), &encoder);
    assert_eq!((lost.gaps.len(), lost.events(0).len()), (1, 1), "{:?}", lost.gaps);
}

/// A packet of the ESP32: a length that counts all of it, a number, and the payload.
fn esp32(number: u16, fields: &[(u128, u32)]) -> Vec<u8> {
    let payload = bytes(fields);
    [&[payload.len() as u8 + 3][..], &number.to_le_bytes(), &payload].concat()
}

/// ESP32: addresses are whole, traps are as in the first version of the standard, and a number that is missing is a loss.
#[test]
fn packets_of_the_esp32_are_read() {
    let encoder = Encoder::esp32();
    let start = |number, address: u128| {
        esp32(number, &[(3, 2), (0, 2), (1, 1), (1, 1), (address >> 1, 31)])
    };
    let branch = |number| {
        // One branch that is taken, then the target of a jump.
        let target = 0x8000_0200 >> 1;
        esp32(number, &[(1, 2), (1, 5), (0, 1), (target, 31), (1, 1), (0, 1), (0, 7)])
    };
    let right = [vec![0; 14], start(0xffff, 0x8000_0100), branch(0)].concat();
    // The public reader of such packets finds the same.
    let mut theirs = riscv_etrace::packet::builder().decoder(&right[14..]);
    for (frame, number) in Frames::of(&right, &encoder).unwrap().zip([0xffff, 0]) {
        let frame = frame.unwrap();
        assert_eq!(frame.number, Some(number));
        let packet = theirs.decode_esp32_packet().unwrap().into_normal().unwrap();
        assert_eq!(u32::from(packet.index()), number);
        assert_eq!(packet.payload().bytes_left(), frame.bytes.len());
    }
    let parts = decoded(&right, &encoder);
    assert_eq!(parts.gaps, []);
    let taken: Vec<_> = parts.events(0).iter().map(|event| event.program_counter).collect();
    assert_eq!(taken, [0, 0x8000_0104, 0x8000_0112]);
    // Number 1 is missing: nothing is told of what comes before the next start.
    let lost = [right.clone(), branch(2), start(3, 0x8000_0204)].concat();
    let parts = decoded(&lost, &encoder);
    let told = |gap: &e_trace::Gap| (gap.reason.name(), gap.goes_on);
    assert_eq!(
        parts.gaps.iter().map(told).collect::<Vec<_>>(),
        [("payloads-lost", Some(0x8000_0204))]
    );
    let trap = esp32(
        1,
        &[(3, 2), (1, 2), (1, 1), (1, 1), (7, 5), (1, 1), (0x8000_0110 >> 1, 31), (5, 32), (0, 5)],
    );
    let frame = Frames::of(&trap, &encoder).unwrap().next().unwrap().unwrap();
    let payload = Payload::read(&frame, &encoder).unwrap();
    let Payload::Trap { cause: 7, interrupt: true, thaddr: true, address, tval, state, .. } =
        payload
    else {
        panic!("{payload:?}");
    };
    assert_eq!((address, tval, state.privilege), (0x8000_0110, Some(5), 3));
    // A length that has no room for a payload.
    let short = [right, vec![3, 1, 0]].concat();
    assert_eq!(decoded(&short, &encoder).gaps.len(), 1);
}

/// Siemens' messages: the type in the header, then a time tag, the number of the hart in whole bytes, and the payload.
#[test]
fn messages_of_siemens_are_read() {
    let encoder = Encoder { source_id_width: 6, ..Encoder::siemens() }.for_addresses(64);
    let message = |kind: u8, time: Option<u16>, hart: u8, fields: &[(u128, u32)]| {
        let payload = bytes(fields);
        let header = payload.len() as u8 | kind << 5 | u8::from(time.is_some()) << 7;
        let time = time.map_or(Vec::new(), |time| time.to_le_bytes().to_vec());
        [&[header][..], &time, &[hart], &payload].concat()
    };
    let start = [(3, 2), (0, 2), (1, 1), (3, 2), (0x8000_0100 >> 1, 63)];
    let dump = [
        message(2, Some(0x1234), 5, &start),
        message(3, None, 5, &[(0x77, 8)]),
        message(2, None, 4, &start),
    ]
    .concat();
    let frames: Vec<_> = Frames::of(&dump, &encoder).unwrap().map(Result::unwrap).collect();
    let builder = riscv_etrace::packet::builder().with_hart_index_width(6);
    let mut theirs = builder.decoder(&dump);
    for frame in &frames {
        let packet = theirs.decode_smi_packet().unwrap();
        assert_eq!(packet.hart(), u64::from(frame.source));
        assert_eq!(packet.time_tag().map(u64::from), frame.timestamp);
        assert_eq!(packet.raw_trace_type() == 2, frame.is_of_instructions);
        assert_eq!(packet.payload().bytes_left(), frame.bytes.len());
    }
    let found: Vec<_> = frames
        .iter()
        .map(|frame| (frame.source, frame.timestamp, frame.is_of_instructions))
        .collect();
    assert_eq!(found, [(5, Some(0x1234), true), (5, None, false), (4, None, true)]);
    let first = Payload::read(&frames[0], &encoder).unwrap();
    assert!(matches!(first, Payload::Start { address: 0x8000_0100, .. }), "{first:?}");
}
