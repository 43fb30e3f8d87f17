//! Writes the JavaScript bindings of a wasm module: `rowscape-bindgen IN.wasm NAME FOLDER`.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [input, name, folder] = &args[..] else {
        eprintln!("usage: rowscape-bindgen IN.wasm NAME FOLDER");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    let made = bindgen.input_path(input).out_name(name).omit_default_module_path(true).typescript(true);
    match made.bundler(true).and_then(|made| made.generate(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:?}");
            ExitCode::FAILURE
        }
    }
}
