"""The binding to the Rust core. Converts and registers; decides nothing."""

__all__ = ["VERSION"]

VERSION: str
