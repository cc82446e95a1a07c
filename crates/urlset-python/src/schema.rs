//! What `urlset._schema` offers: the table as an Arrow schema, the schema of findings, the registry of codes.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_arrow::PySchema;
use urlset::codes::Code;

use crate::columns::Schema;
use crate::error;

/// The table with a user's own elements.
pub fn table(py: Python<'_>, extensions: Vec<PySchema>) -> PyResult<std::sync::Arc<urlset::schema::Schema>> {
    let extensions: Vec<_> = extensions.into_iter().map(PySchema::into_inner).collect();
    urlset::schema::Schema::with_extensions(&extensions).map_err(|e| error::core(py, &e))
}

/// The URL table.
#[pyfunction]
#[pyo3(signature = (extensions=Vec::new()))]
pub fn schema(py: Python<'_>, extensions: Vec<PySchema>) -> PyResult<Schema> {
    Ok(Schema::new(table(py, extensions)?.arrow()))
}

/// The findings table.
#[pyfunction]
pub fn findings_schema() -> Schema {
    Schema::new(urlset::columns::findings::schema())
}

/// The registry, one dict a code.
#[pyfunction]
pub fn codes(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let row = |code: &Code| {
        let rule = code.rule();
        let row = PyDict::new(py);
        row.set_item("code", rule.code)?;
        row.set_item("name", rule.name)?;
        row.set_item("severity", rule.severity.as_str())?;
        row.set_item("default", rule.default)?;
        row.set_item("authority", rule.authority)?;
        row.set_item("scope", rule.scope.as_str())?;
        row.set_item("fix", rule.fix.as_str())?;
        row.set_item("status", rule.status.as_str())?;
        let profiles = PyDict::new(py);
        for (profile, severity) in rule.profiles {
            profiles.set_item(profile, severity.map(urlset::codes::Severity::as_str))?;
        }
        row.set_item("profiles", profiles)?;
        row.set_item("message", rule.message)?;
        Ok(row)
    };
    Code::ALL.iter().map(row).collect()
}
