//! Fields of payloads that the crate `riscv-etrace` has encoded, with any widths.

use std::num::NonZeroU8;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use riscv_etrace::config;
use riscv_etrace::packet::encap::Normal;
use riscv_etrace::packet::ext::{BranchCount, BranchKind, JumpTargetIndex};
use riscv_etrace::packet::payload::{AddressInfo, Branch, InstructionTrace, Payload as Theirs};
use riscv_etrace::packet::{self, sync};
use riscv_etrace::types::branch::Map;
use riscv_etrace::types::{Privilege, trap};
use tracewright_import::e_trace::{Address, Encoder, Frames, Payload, State};

/// Parameters of both. The crate leaves out the subformat of format 0, so there is only one of its two payloads.
fn parameters(random: &mut ChaCha8Rng) -> (Encoder, config::Parameters) {
    let has_cache: bool = random.random();
    let encoder = Encoder {
        iaddress_width_p: if random.random() { 32 } else { 64 },
        iaddress_lsb_p: random.random_range(0..=2),
        ecause_width_p: random.random_range(1..=16),
        privilege_width_p: 3,
        context_width_p: random.random_range(1..=32),
        nocontext_p: random.random_range(0..=1),
        time_width_p: random.random_range(1..=32),
        notime_p: random.random_range(0..=1),
        return_stack_size_p: random.random_range(1..=5),
        cache_size_p: if has_cache { 6 } else { 0 },
        bpred_size_p: if has_cache { 0 } else { 6 },
        source_id_width: 8,
        timestamp_bytes: random.random_range(1..=4),
        ..Encoder::default()
    };
    let width = |value: u32| NonZeroU8::new(value as u8).unwrap();
    let theirs = config::Parameters {
        iaddress_width_p: width(encoder.iaddress_width_p),
        iaddress_lsb_p: encoder.iaddress_lsb_p as u8,
        ecause_width_p: width(encoder.ecause_width_p),
        privilege_width_p: width(3),
        context_width_p: width(encoder.context_width_p),
        nocontext_p: encoder.nocontext_p == 1,
        time_width_p: width(encoder.time_width_p),
        notime_p: encoder.notime_p == 1,
        return_stack_size_p: encoder.return_stack_size_p as u8,
        cache_size_p: encoder.cache_size_p as u8,
        ..config::PARAMETERS
    };
    (encoder, theirs)
}

/// A number of so many bits.
fn number(random: &mut ChaCha8Rng, bits: u32) -> u64 {
    let kept = random.random_range(0..=bits);
    if kept == 0 { 0 } else { random.random::<u64>() >> (64 - kept) }
}

/// An address with what goes with it, as the crate and as we call it.
fn address(random: &mut ChaCha8Rng, encoder: &Encoder) -> (AddressInfo, Address) {
    let bits = encoder.iaddress_width_p - 1 - encoder.iaddress_lsb_p;
    let value = (number(random, bits) << encoder.iaddress_lsb_p) as i64;
    let address = if random.random() { value } else { -value };
    let (notify, updiscon) = (random.random(), random.random());
    let bits = encoder.return_stack_size_p + 1;
    let depth = random.random::<bool>().then(|| number(random, bits));
    let irdepth = depth.map(|depth| depth as usize);
    let theirs = AddressInfo { address, notify, updiscon, irdepth };
    (theirs, Address { address: address as u64, notify, updiscon, depth })
}

/// A map of branches.
fn map(random: &mut ChaCha8Rng) -> (Map, (u32, u32)) {
    let count = random.random_range(1..=31);
    let bits = random.random::<u32>() & (u32::MAX >> (32 - count));
    let mut map = Map::default();
    (0..count).for_each(|place| map.push_branch_taken(bits >> place & 1 == 0).unwrap());
    (map, (count, bits))
}

/// Privilege level, time and context.
fn state(random: &mut ChaCha8Rng, encoder: &Encoder) -> (sync::Context, State) {
    let privilege = [0u8, 1, 3, 4][random.random_range(0..4)];
    let time = (encoder.notime_p == 0).then(|| number(random, encoder.time_width_p));
    let bits = if encoder.nocontext_p == 1 { 0 } else { encoder.context_width_p };
    let context = number(random, bits);
    let level = Privilege::try_from(privilege).unwrap();
    let theirs = sync::Context { privilege: level, time, context };
    (theirs, State { privilege, time, context })
}

/// A payload of every kind that both have.
fn payload(random: &mut ChaCha8Rng, encoder: &Encoder) -> (InstructionTrace, Payload) {
    let address = address(random, encoder);
    let (branches, map) = map(random);
    let whole = number(random, encoder.iaddress_width_p - encoder.iaddress_lsb_p);
    let whole = whole << encoder.iaddress_lsb_p;
    let (ctx, state) = state(random, encoder);
    let branch: bool = random.random();
    match random.random_range(0..6) {
        0 => (InstructionTrace::Address(address.0), Payload::Address(address.1)),
        1 => {
            let theirs = Branch { branch_map: branches, address: Some(address.0) };
            let (branches, map) = map;
            (theirs.into(), Payload::Branches { branches, map, address: Some(address.1) })
        }
        2 if encoder.bpred_size_p > 0 => {
            // The crate makes no byte of a payload of zeros.
            let branch_count = number(random, 32) as u32 | 1;
            let (kind, fails, address) = match random.random_range(0..3) {
                0 => (BranchKind::NoAddr, true, None),
                1 => (BranchKind::Addr(address.0), false, Some(address.1)),
                _ => (BranchKind::AddrFail(address.0), true, Some(address.1)),
            };
            let predicted = u64::from(branch_count) + 31;
            let ours = Payload::BranchCount { predicted, fails, address };
            (BranchCount { branch_count, kind }.into(), ours)
        }
        2 => {
            let index = number(random, 6);
            let depth = address.1.depth;
            let irdepth = depth.map(|depth| depth as usize);
            let theirs = JumpTargetIndex { index: index as usize, branch_map: branches, irdepth };
            let (branches, map) = map;
            (theirs.into(), Payload::JumpTarget { index, branches, map, depth })
        }
        3 => {
            let theirs = sync::Start { branch, ctx, address: whole };
            (theirs.into(), Payload::Start { taken: !branch, state, address: whole })
        }
        4 => {
            let cause = number(random, encoder.ecause_width_p);
            let (interrupt, thaddr): (bool, bool) = (random.random(), random.random());
            let tval = (!interrupt).then(|| number(random, encoder.iaddress_width_p));
            let info = trap::Info { ecause: cause as u16, tval };
            let theirs = sync::Trap { branch, ctx, thaddr, address: whole, info };
            let taken = !branch;
            let ours =
                Payload::Trap { taken, state, cause, interrupt, thaddr, address: whole, tval };
            (theirs.into(), ours)
        }
        _ => (ctx.into(), Payload::Context(state)),
    }
}

#[test]
fn payloads_of_the_crate_are_read() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..2_000 {
        let (encoder, theirs) = parameters(&mut random);
        let bytes = encoder.timestamp_bytes;
        let builder = packet::builder()
            .with_params(&theirs)
            .with_hart_index_width(8)
            .with_timestamp_width(bytes as u8);
        let (mut dump, mut expected) = (Vec::new(), Vec::new());
        for _ in 0..5 {
            let (theirs, ours) = payload(&mut random, &encoder);
            let (source, time) = (random.random::<u8>(), number(&mut random, 8 * bytes));
            let packet = Normal::new(1, source.into(), Theirs::InstructionTrace(theirs));
            let mut buffer = [0; 64];
            let mut packer = builder.encoder(&mut buffer);
            packer.encode(&packet.with_timestamp(time)).unwrap();
            let length = 64 - packer.uncommitted();
            dump.extend(&buffer[..length]);
            expected.push((u32::from(source), Some(time), ours));
        }
        let frames = Frames::of(&dump, &encoder).unwrap().map(|frame| frame.unwrap());
        let found: Vec<_> = frames
            .map(|frame| {
                let payload = Payload::read(&frame, &encoder);
                (frame.source, frame.timestamp, payload.unwrap())
            })
            .collect();
        assert_eq!(found, expected, "{encoder:?}");
    }
}
