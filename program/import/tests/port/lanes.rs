//! Several lanes of a waveform, in any order.

use tracewright_import::Options;
use tracewright_import::port::Convention;

use super::{check, count};

/// Two lanes of a waveform, also with the older instruction in the second one. With numbers of any width they are traced
/// nevertheless, and imported.
#[test]
fn lanes_of_a_waveform() {
    let ways = [(false, None), (true, None), (false, Some(64)), (true, Some(64)), (true, Some(3))];
    for (swapped, number_bits) in ways {
        let (vcd, core) = waveform(swapped, number_bits);
        let options = Options { core: Some(core), ..Options::default() };
        let checked = check(vcd.as_bytes(), &options);
        let mixed = count(&checked, Convention::LanesMixed) > 0;
        assert_eq!(mixed, swapped, "{:#?}", checked.report);
        let settings = &checked.report.settings;
        let takes_numbers = settings.pins.contains(&"number");
        assert_eq!(takes_numbers, swapped && number_bits.is_some(), "{settings:?}");
        assert_eq!(checked.report.is_traceable(), !swapped || takes_numbers);
        assert_eq!(settings.lanes, 2);
        assert_eq!(checked.places(), "time");
        if number_bits.is_some() {
            let (_, imported) = crate::common::whole(vcd.as_bytes(), options).expect("a flow");
            assert_eq!((imported.instructions, imported.exceptions), (40, 0));
        }
    }
}

/// Two instructions in each cycle, in the wrong lanes or not.
fn waveform(swapped: bool, number_bits: Option<u32>) -> (String, tracewright_import::Core) {
    let mut vcd = String::from(
        "$scope module core $end\n$var wire 1 c clock $end\n$var wire 1 v valid $end\n",
    );
    let mut core = String::from("scope = \"core\"\nclock = \"clock\"\nisa = \"rv32\"\n");
    for lane in 0..2 {
        vcd +=
            &format!("$var wire 32 p{lane} pc{lane} $end\n$var wire 32 i{lane} insn{lane} $end\n");
        vcd += &format!("$var wire 64 n{lane} order{lane} $end\n");
        core += &format!(
            "[[lane]]\nvalid = \"valid\"\nprogram_counter = \"pc{lane}\"\ninstruction = \"insn{lane}\"\n"
        );
        if number_bits.is_some() {
            core += &format!("number = \"order{lane}\"\n");
        }
    }
    vcd += "$upscope $end\n$enddefinitions $end\n#0 0c 1v b10011 i0 b10011 i1\n";
    for cycle in 0..20u64 {
        for place in 0..2 {
            let (number, lane) = (2 * cycle + place, if swapped { 1 - place } else { place });
            let shown = number % (1u64 << number_bits.unwrap_or(32).min(32));
            vcd += &format!("b{:b} p{lane} b{shown:b} n{lane}\n", 0x100 + 4 * number);
        }
        vcd += &format!("#{} 1c\n#{} 0c\n", 10 * cycle + 5, 10 * cycle + 10);
    }
    (vcd, toml::from_str(&core).expect("a core"))
}
