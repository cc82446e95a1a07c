//! The binding: registers what Python sees as `urlset._core`.

mod errors;
mod json;
mod rows;
mod source;
mod texts;
mod write;

use pyo3::prelude::*;

#[pymodule]
mod _core {
    use super::*;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        write::register(module)
    }
}
