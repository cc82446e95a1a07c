//! Builders of Arrow batches. Decides no rule, opens nothing.

pub mod findings;
