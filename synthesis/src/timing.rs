//! Slack by OpenSTA.

use tracewright_hdl::Generated;

use crate::error::{Error, Result};
use crate::liberty::Library;
use crate::results::Timing;
use crate::tool::{self, Tool};
use crate::wrapper;
use crate::yosys::{CELLS, Flow, Run, TIMED};

/// Maps a design for a clock and reports its slowest path.
///
/// The memories are flip-flops and gates here: a path through a black box has no delay. Inputs are
/// there at the clock edge, as from a register, and outputs must be there at the next; there are no wires yet.
pub(crate) fn measure(
    yosys: &Tool,
    opensta: &Tool,
    library: &Library,
    clock_mhz: f64,
    verilog: &Generated,
) -> Result<Timing> {
    let (top, clock) = (&verilog.top, wrapper::clock(verilog));
    let period_ns = 1000.0 / clock_mhz;
    let delay_ps = Some((period_ns * 1000.0).round() as u64);
    let flow = Flow { flatten: true, map_memories: true, abc: TIMED, delay_ps };
    let run = Run::flow(yosys, library, flow, top, &verilog.files)?;
    let script = format!(
        "read_liberty {CELLS}\nread_verilog after.v\nlink_design {top}\nset_cmd_units -time ns\n\
         create_clock -name clock -period {period_ns} [get_ports {clock}]\n\
         set_input_delay 0 -clock clock [all_inputs]\n\
         set_output_delay 0 -clock clock [all_outputs]\nreport_worst_slack -digits 4\nexit\n"
    );
    run.write("timing.tcl", &script)?;
    let mut command = opensta.command();
    command.args(["-no_splash", "-exit", "timing.tcl"]).current_dir(run.path());
    let said = opensta.run(top, &mut command)?;
    let slack = said.lines().find_map(|line| line.trim().strip_prefix("worst slack"));
    let slack = slack.and_then(|slack| slack.split_whitespace().last()?.parse::<f64>().ok());
    let slack_ns = slack.filter(|slack| slack.is_finite()).ok_or_else(|| {
        let first = said.lines().find(|line| line.to_lowercase().contains("error"));
        let first = first.or(said.lines().next()).unwrap_or("nothing");
        Error::Output {
            tool: tool::OPENSTA.name,
            design: top.clone(),
            reason: format!("no worst slack in it, but: {first}"),
        }
    })?;
    let fmax_mhz = (1e5 / (period_ns - slack_ns)).round() / 100.0;
    Ok(Timing { opensta: opensta.version.clone(), clock_mhz, slack_ns, fmax_mhz })
}
