//! Strips the command: cargo forgets `strip` for a package whose `opt-level` is its own.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-link-arg=-s");
}
