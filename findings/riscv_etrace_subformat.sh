#!/usr/bin/env bash
# The crate riscv-etrace 0.10.0 (crates.io), which encodes and decodes packets of E-Trace.
#
# Packets of format 0 have a field for the subformat, whose width (`f0s_width_p`) is a parameter of the trace encoder.
# One would guess that a packet which the crate encodes with some parameters is the packet that it decodes with the same
# parameters. Seen: the encoder writes no subformat, whatever its width is, while the decoder reads one. With a width of
# 1, entry 5 of the jump target cache comes back as entry 2, and a count of branches that were predicted comes back as an
# entry of the jump target cache; neither is an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export CARGO_TARGET_DIR=$folder/target RUSTC_WORKSPACE_WRAPPER=
mkdir -p again/src
cd again
cat >Cargo.toml <<'END'
[package]
name = "again"
version = "0.1.0"
edition = "2021"
[dependencies]
riscv-etrace = "=0.10.0"
END
cat >src/main.rs <<'END'
use riscv_etrace::packet::ext::{BranchCount, BranchKind, Extension, JumpTargetIndex};
use riscv_etrace::packet::payload::InstructionTrace;

fn main() {
    let parameters = riscv_etrace::config::Parameters { cache_size_p: 6, f0s_width_p: 1, ..Default::default() };
    let builder = riscv_etrace::packet::builder().with_params(&parameters);
    let jump = JumpTargetIndex { index: 5, branch_map: Default::default(), irdepth: None };
    let count = BranchCount { branch_count: 3, kind: BranchKind::NoAddr };
    for sent in [Extension::JumpTargetIndex(jump), Extension::BranchCount(count)] {
        let sent: InstructionTrace = sent.into();
        let mut bytes = [0; 32];
        let mut encoder = builder.encoder(&mut bytes);
        encoder.encode(&sent).expect("the buffer is large enough");
        let length = 32 - encoder.uncommitted();
        match builder.decoder(&bytes[..length]).decode_payload() {
            Ok(received) => println!("{sent} | {:02x?} | {received}", &bytes[..length]),
            Err(error) => println!("{sent} | {:02x?} | {error}", &bytes[..length]),
        }
    }
}
END
cargo run -q | tee packets.txt
[ "$(cat packets.txt)" = "JTI index: 5, 0 branches | [14] | JTI index: 2, 0 branches
BRANCH COUNT 3 branches predicted correctly | [0c] | JTI index: 1, 0 branches" ]
