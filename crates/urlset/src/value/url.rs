//! Addresses: what may be a row, what is wrong with it, how it is written, resolved and compared. Never normalises what was read.

mod absolute;
mod class;
mod encode;
mod faults;
mod host;
mod plain;
mod resolve;
mod site;

pub use absolute::{Origins, absolute};
pub use encode::{Encoded, encode, encode_any};
pub use faults::{faults, is_clean, is_plain};
pub use plain::{Heads, plain};
pub use resolve::resolve;
pub use site::{Site, relation, site};
