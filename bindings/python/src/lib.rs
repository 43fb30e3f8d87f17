//! Rowscape for Python: Arrow columns in, keys and answers out. The package `rowscape` (python/rowscape) documents what is offered;
//! here are its handles, whose documents and reports cross as JSON text.

mod answers;
mod column;
mod design;
mod error;
mod exports;
mod given;
mod guess;
mod keys;
mod observe;
mod path;
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
    module.add_function(wrap_pyfunction!(answers::compare, module)?)?;
    module.add_function(wrap_pyfunction!(answers::grow, module)?)?;
    module.add_function(wrap_pyfunction!(answers::migrate, module)?)?;
    module.add_function(wrap_pyfunction!(answers::size, module)?)?;
    module.add_function(wrap_pyfunction!(answers::table, module)?)?;
    module.add_function(wrap_pyfunction!(exports::emit, module)?)?;
    module.add_function(wrap_pyfunction!(exports::emitters, module)?)?;
    module.add_function(wrap_pyfunction!(guess::guess, module)?)?;
    module.add_function(wrap_pyfunction!(observe::observe, module)?)?;
    module.add_function(wrap_pyfunction!(suggest::suggest, module)?)?;
    module.add("__version__", rowscape::VERSION)
}
