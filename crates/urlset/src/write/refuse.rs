//! What is said of a row that cannot be written, by the codes that the table has for its fields. Decides nothing about when.

use super::plan::Leaf;
use crate::codes::{Code, Fault};
use crate::error::Result as CoreResult;

/// Why a row cannot be written.
pub(super) type Refused = Box<Fault>;

#[cold]
pub(super) fn missing(name: &str, code: Code) -> Refused {
    let fault = Fault::new(code).element(name);
    if code == Code::STR020 {
        return Box::new(fault.detail(format!("{name} has no value, one was expected")));
    }
    Box::new(fault)
}

#[cold]
pub(super) fn bad_loc(code: Code, text: &str) -> Refused {
    Box::new(Fault::new(code).element("loc").value(text))
}

#[cold]
pub(super) fn too_many(name: &str, code: Code, max: u32) -> Refused {
    let fault = Fault::new(code).element(name);
    if code == Code::STR010 {
        return Box::new(fault.detail(format!("{name} has more than {max} items")));
    }
    Box::new(fault)
}

#[cold]
pub(super) fn refused(leaf: &Leaf, code: Code, value: &str) -> Refused {
    let fault = Fault::new(code).element(&leaf.name).value(value);
    if code == Code::STR020 {
        let detail = format!("{} is \"{}\", another value was expected", leaf.name, crate::codes::cut(value));
        return Box::new(fault.detail(detail));
    }
    Box::new(fault)
}

#[cold]
pub(super) fn out_of_range(leaf: &Leaf, value: &str) -> Refused {
    let mut fault = refused(leaf, leaf.codes.range, value);
    if let (Code::STR020, Some((low, high))) = (fault.code, leaf.range) {
        fault.detail = Some(format!("{} is {value}, {low} to {high} was expected", leaf.name));
    }
    fault
}

/// The result of an operation of the core, for callers that have no row to refuse.
pub(super) fn as_error(fault: &Fault, row: u64) -> CoreResult<()> {
    Err(crate::error::Error::at(crate::error::ErrorKind::Refused(fault.message()), row))
}
