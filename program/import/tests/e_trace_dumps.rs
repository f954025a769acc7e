//! The forms of dumps, several sources, damage; payloads that the specification prints.

use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_import::e_trace::{
    self, Address, Encoder as Parameters, Frames, Gap, OptionName, Options, Payload, QualStatus,
    Reason, State,
};
use tracewright_sim::event::{Event, Item};

use crate::e_trace::{Parts, decode, encode, image, parameters, random_programs, workload};

/// The payloads of a dump without idle bytes.
fn payloads(dump: &[u8]) -> Vec<Vec<u8>> {
    let parameters = parameters([0, 0, 0]);
    Frames::of(dump, &parameters).unwrap().map(|frame| frame.unwrap().bytes).collect()
}

/// A payload with its header, from a source with a number of 8 bits, with a time stamp of two bytes.
fn framed(source: u8, time: u16, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0x80 | payload.len() as u8, source];
    bytes.extend(time.to_le_bytes());
    bytes.extend(payload);
    bytes
}

#[test]
fn fields_of_payloads_that_the_specification_prints() {
    // E-Trace 2.0, "Code fragment and transport": the illegal instruction and the long loop.
    let encoder = Parameters {
        iaddress_width_p: 64,
        iaddress_lsb_p: 0,
        context_width_p: 32,
        nocontext_p: 0,
        ecause_width_p: 5,
        full_address: 1,
        ..Parameters::default()
    };
    let lines = "\
        0504010080 00\n\
        32040000 02 # the address of the last instruction\n\
        77000000008188000020\n\
        bdaaaa68000020\n";
    let read: Vec<Payload> = Frames::of(lines.as_bytes(), &encoder)
        .unwrap()
        .map(|frame| Payload::read(&frame.unwrap(), &encoder).unwrap())
        .collect();
    let address = |address| Address { address, notify: false, updiscon: false, depth: None };
    let state = State { privilege: 3, time: None, context: 0 };
    let branches = |branches, map, at| {
        let address = Some(address(at));
        Payload::Branches { branches, map, address }
    };
    assert_eq!(
        read,
        [
            branches(1, 0, 0x8000_0104),
            Payload::Address(address(0x8000_010c)),
            Payload::Trap {
                taken: false,
                state,
                cause: 2,
                interrupt: false,
                thaddr: false,
                address: 0x8000_0222,
                tval: Some(0),
            },
            branches(15, 21845, 0x8000_01a2),
        ]
    );
}

#[test]
fn a_dump_as_text_has_a_payload_in_each_line() {
    let (machine, events) = workload("rv32imac-traps.pet.zst");
    let events = &events[..5_000];
    let dump = encode("etrace-base", &[], machine, events);
    let mut text = String::from("# made by hand\n");
    for payload in payloads(&dump) {
        let digits: Vec<String> = payload.iter().map(|byte| format!("{byte:02x}")).collect();
        text += &format!("{}\n", digits.join(" "));
    }
    let image = image("rv32imac-traps.elf");
    let parameters = parameters([0, 0, 0]);
    let (parts, _) = decode(text.as_bytes(), &parameters, &image, machine);
    assert!(parts.events(0) == events);
    // A line that is wrong is one damaged payload, and not a dump in another form.
    let place = text.match_indices('\n').nth(40).expect("a line").0;
    text.insert_str(place, " zz");
    let (parts, _) = decode(text.as_bytes(), &parameters, &image, machine);
    let first = parts.events(0);
    assert!(!first.is_empty() && events.starts_with(&first), "{}", first.len());
}

#[test]
fn several_sources_are_threads() {
    let (machine, events) = workload("rv32imac-traps.pet.zst");
    let executions = [&events[..3_000], &events[..4_000]];
    let dumps = executions.map(|events| payloads(&encode("etrace-base", &[], machine, events)));
    let mut dump = Vec::new();
    for place in 0..dumps[1].len() {
        for (source, payloads) in dumps.iter().enumerate() {
            if let Some(payload) = payloads.get(place) {
                dump.extend(framed(source as u8, place as u16, payload));
            }
        }
    }
    let image = image("rv32imac-traps.elf");
    let parameters = Parameters { source_id_width: 8, timestamp_bytes: 2, ..parameters([0, 0, 0]) };
    let (parts, summary) = decode(&dump, &parameters, &image, machine);
    assert_eq!((parts.gaps.len(), summary.sources.len()), (0, 2));
    let all = parts.events(0);
    for (thread, events) in (0..).zip(executions) {
        let own = all.iter().filter(|event| event.thread == thread);
        assert!(own.map(|event| Event { thread: 0, ..*event }).eq(events.iter().copied()));
    }
    let options = Options {
        hart: Some(1),
        address_bits: machine.address_bits,
        thread_max: 3,
        has_states: true,
        begins_in_the_middle: false,
        events_max: 1_000_000,
    };
    let parameters = parameters.for_addresses(machine.address_bits);
    let mut one = Parts::default();
    e_trace::decode(&dump, &parameters, &image, &options, &mut one).unwrap();
    assert!(one.events(0) == executions[1]);
    let other = Options { hart: Some(5), ..options };
    let error = e_trace::decode(&dump, &parameters, &image, &other, &mut one).unwrap_err();
    assert_eq!(error.to_string(), "expected payloads of source 5, found 0, 1");
    let end = dump.len();
    dump.extend(framed(9, 0, &[0x73]));
    let all = Options { hart: None, ..options };
    let error = e_trace::decode(&dump, &parameters, &image, &all, &mut one).unwrap_err();
    let expected =
        format!("byte {end}: expected sources 0 to 3, found source 9; --hart N takes one");
    assert_eq!(error.to_string(), expected);
}

#[test]
fn what_comes_before_a_cut_is_kept() {
    let (machine, events) = workload("rv32imac-traps.pet.zst");
    let dump = encode("etrace-base", &[], machine, &events[..2_000]);
    let image = image("rv32imac-traps.elf");
    for length in [100, 101, 500, 777, dump.len() - 1] {
        let (parts, _) = decode(&dump[..length], &parameters([0, 0, 0]), &image, machine);
        let found = parts.events(0);
        assert!(!found.is_empty() && events.starts_with(&found), "{length} bytes");
        for Gap { offset, end, .. } in &parts.gaps {
            assert!((*offset as usize) < length && *end as usize == length, "{length} bytes");
        }
    }
}

#[test]
fn damage_is_a_gap_up_to_the_next_start() {
    let (machine, events) = workload("rv32imac-traps.pet.zst");
    let dump = encode("etrace-base", &[], machine, &events[..4_000]);
    let image = image("rv32imac-traps.elf");
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut gaps = 0;
    for _ in 0..200 {
        let mut damaged = dump.clone();
        let place = random.random_range(20..damaged.len());
        damaged[place] ^= 1 << random.random_range(0..8);
        let (parts, _) = decode(&damaged, &parameters([0, 0, 0]), &image, machine);
        let is_damage = |gap: &Gap| matches!(gap.reason, Reason::Damaged(_));
        gaps += usize::from(parts.gaps.iter().any(is_damage));
        // Up to the damage all is right.
        let found = parts.events(0);
        assert!(found.iter().zip(&events).take_while(|(one, other)| one == other).count() > 0);
    }
    assert!(gaps > 100, "{gaps} gaps");
}

#[test]
fn nothing_of_a_dump_is_an_error_that_says_where() {
    let (machine, events) = workload("rv32imac-traps.pet.zst");
    let dump = encode("etrace-base", &[], machine, &events[..100]);
    let image = image("rv32imac-traps.elf");
    let options = Options {
        hart: None,
        address_bits: 32,
        thread_max: 3,
        has_states: true,
        begins_in_the_middle: false,
        events_max: 1_000_000,
    };
    let error = |dump: &[u8], parameters: Parameters| {
        let parameters = parameters.for_addresses(32);
        let decoded = e_trace::decode(dump, &parameters, &image, &options, &mut Parts::default());
        decoded.unwrap_err().to_string()
    };
    let plain = Parameters::default;
    assert_eq!(error(&[], plain()), "expected a dump, found nothing");
    assert_eq!(
        error(&[0x05, 0x73], plain()),
        "byte 0: expected 5 bytes after the header, found 1: the dump ends in a payload; nothing of the dump is \
         decoded"
    );
    assert_eq!(
        error(&[1, payloads(&dump)[1][0]], plain()),
        "byte 0: no start comes before these payloads; nothing of the dump is decoded"
    );
    assert_eq!(
        error(b"73 0\n", plain()),
        "byte 0: line 1: expected the bytes of a payload in hexadecimal, found \"73 0\"; nothing of the dump is decoded"
    );
    let wide = Parameters { context_width_p: 32, nocontext_p: 0, ..plain() };
    assert!(error(&dump, wide).ends_with("nothing of the dump is decoded"));
    // The dump says what the parameters contradict: implicit return is the first option of the reference flow's order.
    let contradicted = [&[2, 0x1f, 1][..], &dump].concat();
    assert_eq!(
        error(&contradicted, plain()),
        "byte 0: a support payload says that implicit_return is on, and return_stack_size_p is 0: expected the encoder's \
         parameters, the order of ioptions among them; nothing of the dump is decoded"
    );
    let parameters = Parameters { iaddress_lsb_p: 3, ..plain() };
    assert_eq!(error(&dump, parameters), "iaddress_lsb_p is 3, expected 0 to 2");
}

#[test]
fn support_payloads_say_options_and_losses() {
    let encoder = Parameters::default().for_addresses(32);
    let read = |bytes: &str| {
        let frame = Frames::of(bytes.as_bytes(), &encoder).unwrap().next().unwrap();
        Payload::read(&frame.unwrap(), &encoder).unwrap()
    };
    let qual_status = QualStatus::NoChange;
    let ioptions = vec![OptionName::FullAddress];
    let support = Payload::Support { ienable: true, encoder_mode: 0, qual_status, ioptions };
    assert_eq!(read("1f04"), support);
    let (qual_status, ioptions) = (QualStatus::TraceLost, Vec::new());
    let lost = Payload::Support { ienable: true, encoder_mode: 0, qual_status, ioptions };
    assert_eq!(read("9f00"), lost);

    // Lost payloads: what comes before and after is two parts.
    let (machine, events) = workload("rv32imac-traps.pet.zst");
    let dump = encode("etrace-base", &[], machine, &events[..2_000]);
    let half = payloads(&dump).into_iter().take(100);
    let mut both: Vec<u8> =
        half.flat_map(|payload| [vec![payload.len() as u8], payload].concat()).collect();
    both.extend([2, 0x9f, 0]);
    both.extend(&dump);
    let image = image("rv32imac-traps.elf");
    let (parts, _) = decode(&both, &parameters([0, 0, 0]), &image, machine);
    assert_eq!(parts.gaps.iter().map(|gap| &gap.reason).collect::<Vec<_>>(), [&Reason::Lost]);
    assert!(events.starts_with(&parts.events(0)) && parts.events(1) == events[..2_000]);
}

/// A ring that has wrapped begins in the middle of a payload.
#[test]
fn a_dump_that_begins_anywhere_is_decoded_from_its_first_start() {
    let (machine, events) = workload("rv32imac-traps.pet.zst");
    let events = &events[..20_000];
    let dump = encode("etrace-base", &[], machine, events);
    let image = image("rv32imac-traps.elf");
    let parameters = parameters([0, 0, 0]).for_addresses(machine.address_bits);
    let options = Options {
        hart: None,
        address_bits: machine.address_bits,
        thread_max: 3,
        has_states: true,
        begins_in_the_middle: false,
        events_max: 1_000_000,
    };
    let least = dump.len() - 4_096;
    for begin in (least..least + 500).step_by(7) {
        let rest = &dump[begin..];
        let first = e_trace::first_payload(rest, &parameters, &image, &options);
        let (parts, _) = decode(&rest[first..], &parameters, &image, machine);
        let is_beginning = |gap: &Gap| gap.reason == Reason::Beginning;
        assert!(parts.gaps.iter().all(is_beginning), "{begin}: {:?}", parts.gaps);
        let found = parts.events(parts.items.len() - 1);
        // The first one leads to where it begins.
        assert!(found.len() > 3_000 && events.ends_with(&found[2..]), "{begin}: {}", found.len());
    }
}

/// Whatever is in a dump, and whatever the encoder is said to be, nothing panics and no invalid item comes out.
#[test]
fn any_bytes_are_read() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let (_, machine, events) = random_programs(10).next().unwrap();
    let image = image("rv32imac-traps.elf");
    let real = encode("etrace-base", &[], machine, &events);
    for round in 0..2_000 {
        let mut dump = match round % 2 {
            0 => vec![0; random.random_range(1..200)],
            _ => real[..random.random_range(1..300)].to_vec(),
        };
        if round % 2 == 0 {
            random.fill_bytes(&mut dump);
        }
        let mut up_to = |most| random.random_range(0..=most);
        let parameters = Parameters {
            iaddress_width_p: 3 + up_to(61),
            iaddress_lsb_p: up_to(2),
            ecause_width_p: 1 + up_to(15),
            privilege_width_p: up_to(3),
            context_width_p: up_to(64),
            nocontext_p: up_to(1),
            time_width_p: up_to(64),
            notime_p: up_to(1),
            return_stack_size_p: up_to(8),
            call_counter_size_p: up_to(8),
            bpred_size_p: up_to(6),
            cache_size_p: up_to(6),
            sijump_p: up_to(1),
            full_address: up_to(1),
            source_id_width: up_to(4),
            type_width: up_to(2),
            timestamp_bytes: up_to(8),
            ..Parameters::default()
        };
        let options = Options {
            hart: None,
            address_bits: 32,
            thread_max: 7,
            has_states: parameters.source_id_width == 0,
            begins_in_the_middle: false,
            events_max: 100_000,
        };
        let mut parts = Parts::default();
        let _ = e_trace::decode(&dump, &parameters, &image, &options, &mut parts);
        let states = parts.items.iter().flatten().filter(|item| matches!(item, Item::State(_)));
        assert!(parameters.source_id_width == 0 || states.count() == 0);
    }
}
