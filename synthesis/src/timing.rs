//! Slack by OpenSTA.

use tracewright_hdl::Generated;

use crate::error::{Error, Result};
use crate::liberty::{Library, Surroundings};
use crate::results::Timing;
use crate::tool::{self, Tool};
use crate::wrapper;
use crate::yosys::{CELLS, FAST, Flow, Run};

/// The library of the fast corner in the directory of a run.
const FAST_CELLS: &str = "fast.lib";

/// Memories are flip-flops and gates here: a path through a black box has no delay.
const FLOW: Flow = Flow { flatten: true, map_memories: true, abc: FAST };

/// What finds the slack of designs.
#[derive(Debug)]
pub(crate) struct Timer {
    pub(crate) opensta: Tool,
    pub(crate) clock_mhz: f64,
    /// The corner in which paths must not be too long.
    pub(crate) slow: Library,
    /// That in which they must not be too short.
    pub(crate) fast: Library,
}

impl Timer {
    /// What a slack depends on besides the design.
    pub(crate) fn inputs(&self) -> [String; 5] {
        [
            self.clock_mhz.to_string(),
            self.opensta.version.clone(),
            self.slow.text.clone(),
            self.fast.text.clone(),
            format!("{:?}", self.slow.around),
        ]
    }

    /// Makes a fast netlist of the slow corner's cells and reports its slowest and its shortest path.
    ///
    /// Inputs are there at the clock edge, as from a register, and outputs must be there at the next; there are no
    /// wires yet. Where inputs come from is not known well enough to say that they come too early.
    pub(crate) fn measure(&self, yosys: &Tool, verilog: &Generated) -> Result<Timing> {
        let (top, clock) = (&verilog.top, wrapper::clock(verilog));
        let run = Run::flow(yosys, &self.slow, FLOW, top, &verilog.files)?;
        run.write(FAST_CELLS, &self.fast.text)?;
        let period_ns = 1000.0 / self.clock_mhz;
        let around = self.slow.around.as_ref().map_or(String::new(), |around| {
            let Surroundings { driving_cell, load_ff } = around;
            format!(
                "set_driving_cell -lib_cell {driving_cell} $inputs\n\
                 set_load {load_ff} [all_outputs]\n"
            )
        });
        let run_script = |cells: &str, report: &str| {
            let script = format!(
                "read_liberty {cells}\nread_verilog after.v\nlink_design {top}\nset_cmd_units -time ns -capacitance fF\n\
                 create_clock -name clock -period {period_ns} [get_ports {clock}]\n\
                 set inputs {{}}\n\
                 foreach port [all_inputs] {{ if {{[get_name $port] != \"{clock}\"}} {{ lappend inputs $port }} }}\n{around}\
                 set_input_delay 0 -clock clock $inputs\n\
                 set_output_delay 0 -clock clock [all_outputs]\n\
                 set_false_path -hold -from $inputs\n{report}\nexit\n"
            );
            run.write("timing.tcl", &script)?;
            let mut command = self.opensta.command();
            command.args(["-no_splash", "-exit", "timing.tcl"]).current_dir(run.path());
            self.opensta.run(top, &mut command)
        };
        let setup = run_script(CELLS, "report_worst_slack -digits 4")?;
        let slack = setup.lines().find_map(|line| line.trim().strip_prefix("worst slack"));
        let slack = slack.and_then(|slack| slack.split_whitespace().last()?.parse::<f64>().ok());
        let slack = slack.filter(|slack| slack.is_finite());
        let slack_ns = slack.ok_or_else(|| no_slack(top, "worst slack", &setup))?;
        // `report_worst_slack` has no other slack in the versions of before 2021.
        let hold = run_script(FAST_CELLS, "report_checks -path_delay min -digits 4")?;
        let line = hold.lines().find(|line| line.contains(" slack ("));
        let slack = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
        if slack.is_none() && !hold.contains("No paths found") {
            return Err(no_slack(top, "slack of the shortest path", &hold));
        }
        let fmax_mhz = (1e5 / (period_ns - slack_ns)).round() / 100.0;
        let opensta = self.opensta.version.clone();
        Ok(Timing { opensta, clock_mhz: self.clock_mhz, slack_ns, hold_slack_ns: slack, fmax_mhz })
    }
}

/// What OpenSTA has printed in place of a slack.
fn no_slack(top: &str, what: &str, said: &str) -> Error {
    let first = said.lines().find(|line| line.to_lowercase().contains("error"));
    let first = first.or(said.lines().next()).unwrap_or("nothing");
    Error::Output {
        tool: tool::OPENSTA.name,
        design: top.to_owned(),
        reason: format!("no {what} in it, but: {first}"),
    }
}
