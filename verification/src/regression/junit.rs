//! Writes results as JUnit XML for CI servers.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::Outcome;
use crate::error::Result;

/// One test.
struct Case {
    suite: String,
    /// Unique in the suite.
    name: String,
    elapsed: Duration,
    failures: Vec<String>,
}

/// The results as JUnit XML: a test case for every run, a suite for every group.
///
/// # Errors
/// When a result cannot be written as XML.
pub fn junit(outcomes: &[Outcome]) -> Result<String> {
    let cases = outcomes.iter().map(|outcome| Case {
        suite: outcome.group.clone(),
        name: outcome.name.clone(),
        elapsed: outcome.elapsed,
        failures: outcome.failures.clone(),
    });
    Ok(report("tracewright.regress", &cases.collect::<Vec<_>>()).to_string()?)
}

/// The cases of a suite together, suites in the order in which they begin.
fn report(name: &str, cases: &[Case]) -> Report {
    let mut suites: Vec<TestSuite> = Vec::new();
    for case in cases {
        let place = suites.iter().position(|suite| suite.name.as_str() == case.suite);
        let place = place.unwrap_or_else(|| {
            suites.push(TestSuite::new(case.suite.as_str()));
            suites.len() - 1
        });
        let status = match case.failures.as_slice() {
            [] => TestCaseStatus::success(),
            failures => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_message(failures[0].as_str()).set_description(failures.join("\n"));
                status
            }
        };
        let mut test = TestCase::new(case.name.as_str(), status);
        test.set_classname(format!("{name}.{}", case.suite)).set_time(case.elapsed);
        suites[place].add_test_case(test);
    }
    let mut report = Report::new(name);
    report.add_test_suites(suites);
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_failures_and_marks() {
        let case = |suite: &str, name: &str, failures: &[&str]| Case {
            suite: suite.into(),
            name: name.into(),
            elapsed: Duration::from_millis(1500),
            failures: failures.iter().map(ToString::to_string).collect(),
        };
        let cases = [
            case("traptor-m4", "a", &[]),
            case("random nexus", "b", &["bit 3 is 0 & not 1", "<no end>"]),
            case("traptor-m4", "c", &[]),
        ];
        let text = report("tracewright.regress", &cases).to_string().expect("text");
        insta::assert_snapshot!(text);
    }
}
