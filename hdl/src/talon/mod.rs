//! Talon in hardware.
