//! Writes results as JUnit XML for CI servers.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::Outcome;
use crate::error::Result;

/// The results as JUnit XML: a test case for every run, a suite for every group.
///
/// # Errors
/// When a result cannot be written as XML.
pub fn junit(outcomes: &[Outcome]) -> Result<String> {
    Ok(report("tracewright.regress", outcomes).to_string()?)
}

/// The outcomes of a group together, groups in the order in which they begin.
fn report(name: &str, outcomes: &[Outcome]) -> Report {
    let mut suites: Vec<TestSuite> = Vec::new();
    for outcome in outcomes {
        let place = suites.iter().position(|suite| suite.name.as_str() == outcome.group);
        let place = place.unwrap_or_else(|| {
            suites.push(TestSuite::new(outcome.group.as_str()));
            suites.len() - 1
        });
        let status = match outcome.failures.as_slice() {
            [] => TestCaseStatus::success(),
            failures => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_message(failures[0].as_str()).set_description(failures.join("\n"));
                status
            }
        };
        let mut test = TestCase::new(outcome.name.as_str(), status);
        test.set_classname(format!("{name}.{}", outcome.group)).set_time(outcome.elapsed);
        suites[place].add_test_case(test);
    }
    let mut report = Report::new(name);
    report.add_test_suites(suites);
    report
}
