//! The command, run as a user runs it.
//!
//! One program for all tests of this crate: each program would link everything again.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod adapters;
mod addresses;
mod adversary;
mod advise;
mod arguments;
mod atb_bridge;
mod bad_input;
mod callgrind;
mod capture;
mod classes;
mod combine;
mod common;
mod compare;
mod contexts;
mod cosim;
mod cosim_units;
mod crashes;
mod data;
mod debug;
mod design_files;
mod distribution;
mod event_times;
mod every_verb;
mod explore;
mod filters;
mod firmware;
mod fit_talon;
mod funnel;
mod gates;
mod generate;
mod help;
mod import;
mod install;
mod instruction_counts;
mod interrupt;
mod limits;
mod live;
mod live_bench;
mod live_ends;
mod live_memory;
mod machine;
mod measurements;
mod one_design;
mod own_trace;
mod packets;
mod pages;
mod paths;
mod pictures;
mod pipes;
mod power;
mod predictor;
mod profile;
mod program_files;
mod programs;
mod questions;
mod regions;
mod regress;
mod report;
mod reproduce;
mod results;
mod round_trip;
mod settings;
mod several_cores;
mod split_files;
mod standard;
mod standard_others;
mod standard_rings;
mod states;
mod structure;
mod system_memory;
mod systems;
mod tables;
mod threads;
mod times;
mod uart;
mod unit_digests;
mod view;
mod workflow;
mod wset;
mod zcmp;
