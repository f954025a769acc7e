//! Reports the papers' figures beside the costs of the designs of this project: a page of figures, tables, plots,
//! and one self-contained HTML report.

pub mod advice;
pub mod data;
pub mod figures;
pub mod gate_figures;
pub mod html;
pub mod papers;
pub mod plot;
pub mod table;
