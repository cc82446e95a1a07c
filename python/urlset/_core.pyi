"""The binding to the Rust core. Converts and registers; decides nothing."""

VERSION: str
