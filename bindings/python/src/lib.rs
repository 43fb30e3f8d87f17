//! Rowscape for Python: Arrow columns in, keys and answers out. The package `rowscape` (python/rowscape) documents what is offered;
//! here are its handles, whose documents and reports cross as JSON text.

mod column;
mod design;
mod error;
mod keys;
mod records;
mod suggest;
mod summary;
mod text;

use pyo3::prelude::*;

/// The handles of the package.
#[pymodule]
fn _rowscape(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<design::DesignHandle>()?;
    module.add_class::<keys::Keys>()?;
    module.add_class::<summary::PartHandle>()?;
    module.add_class::<summary::SummaryHandle>()?;
    module.add_function(wrap_pyfunction!(suggest::suggest, module)?)?;
    module.add("__version__", rowscape::VERSION)
}
