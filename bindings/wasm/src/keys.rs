//! Row keys without a design, in the module that is loaded when there are such files.

use rowscape::hbase::row_keys::guess_untried_keys;
use rowscape::json;
use rowscape::records::guess::SaidOfFile;
use wasm_bindgen::prelude::*;

/// The form of a file of row keys, their parts, and a first design, as JSON; `null` where the bytes tell no more than the separators of
/// text. The bytes are in UTF-8. `guessOfDesign` then checks that the formula makes the keys again.
#[wasm_bindgen(js_name = guessKeys)]
pub fn guess_of_keys(bytes: &[u8], name: &str, are_keys: bool, header: Option<bool>) -> String {
    let said = SaidOfFile { header, ..SaidOfFile::default() };
    let found = guess_untried_keys(bytes, name, &said, are_keys);
    if found.guess.input.keys.is_none() {
        return "null".to_owned();
    }
    let (input, fields) = (json::text(&found.guess.input), json::text(&found.guess.fields));
    let (keys, design) = (json::text(&found.keys), json::text(&found.design()));
    format!("{{\"input\":{input},\"fields\":{fields},\"keys\":{keys},\"design\":{design}}}")
}
