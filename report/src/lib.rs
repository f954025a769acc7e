//! What the papers print, beside what the designs of this project cost: a page of figures, tables, plots,
//! and one self-contained HTML report.

pub mod data;
pub mod figures;
pub mod gate_figures;
pub mod html;
pub mod papers;
pub mod plot;
pub mod table;
