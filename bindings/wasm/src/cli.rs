//! The system as JavaScript gives it: functions of an object, with the codes of Node's errors.

use js_sys::Uint8Array;
use rowscape::cli::{FileHandle, Host, HostTrouble};
use rowscape::error::Problem;
use rowscape::field::Field;
use rowscape::ingest::StatedFile;
use rowscape::ingest::packed::{PackedForm, Step, Unpacker, problem_of};
use std::ffi::OsString;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The system that a command runs on.
    #[wasm_bindgen(typescript_type = "Host")]
    pub type JsHost;
    #[wasm_bindgen(method, catch)]
    fn open(this: &JsHost, path: &str) -> Result<u32, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn create(this: &JsHost, path: &str, new: bool) -> Result<u32, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn read(this: &JsHost, file: u32, most: u32) -> Result<Uint8Array, JsValue>;
    #[wasm_bindgen(method, catch, js_name = readAt)]
    fn read_at(this: &JsHost, file: u32, offset: f64, most: u32) -> Result<Uint8Array, JsValue>;
    #[wasm_bindgen(method)]
    fn unpacker(this: &JsHost, head: &[u8], size: Option<f64>) -> Option<JsPackedFile>;
    #[wasm_bindgen(method, catch)]
    fn write(this: &JsHost, file: u32, bytes: &[u8]) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn settle(this: &JsHost, file: u32, like: Option<&str>) -> Result<(), JsValue>;
    #[wasm_bindgen(method)]
    fn close(this: &JsHost, file: u32);
    #[wasm_bindgen(method, catch)]
    fn rename(this: &JsHost, from: &str, to: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method)]
    fn remove(this: &JsHost, path: &str);
    #[wasm_bindgen(method, catch)]
    fn list(this: &JsHost, path: &str) -> Result<Option<Vec<String>>, JsValue>;
    #[wasm_bindgen(method)]
    fn real(this: &JsHost, path: &str) -> Option<String>;
    #[wasm_bindgen(method, js_name = isRegular)]
    fn is_regular(this: &JsHost, path: &str) -> bool;
    #[wasm_bindgen(method)]
    fn identity(this: &JsHost, path: &str) -> Option<String>;
    #[wasm_bindgen(method, js_name = identityOfStream)]
    fn identity_of_stream(this: &JsHost, stream: u32) -> Option<String>;
    #[wasm_bindgen(method)]
    fn size(this: &JsHost, file: u32) -> Option<f64>;
    #[wasm_bindgen(method)]
    fn now(this: &JsHost) -> f64;
    #[wasm_bindgen(method)]
    fn wait(this: &JsHost, milliseconds: f64);
    #[wasm_bindgen(method, catch)]
    fn run(this: &JsHost, command: Vec<String>) -> Result<js_sys::Uint8Array, JsValue>;
    #[wasm_bindgen(method)]
    fn ended(this: &JsHost) -> Option<i32>;
    #[wasm_bindgen(method, catch)]
    fn append(this: &JsHost, path: &str, behind: f64) -> Result<u32, JsValue>;
    #[wasm_bindgen(method)]
    fn changed(this: &JsHost, file: u32) -> Option<f64>;
    #[wasm_bindgen(method)]
    fn columns(this: &JsHost, stream: u32) -> Option<u32>;
    #[wasm_bindgen(method)]
    fn memory(this: &JsHost) -> Option<f64>;
    #[wasm_bindgen(method)]
    fn variable(this: &JsHost, name: &str) -> Option<String>;
    #[wasm_bindgen(method)]
    fn milliseconds(this: &JsHost) -> f64;
    #[wasm_bindgen(method)]
    fn pages(this: &JsHost) -> Vec<String>;
    #[wasm_bindgen(method)]
    fn opener(this: &JsHost) -> Vec<String>;
    #[wasm_bindgen(method, catch, js_name = privateFolder)]
    fn private_folder(this: &JsHost) -> Result<String, JsValue>;
    #[wasm_bindgen(method)]
    fn process(this: &JsHost) -> u32;
}

#[wasm_bindgen]
extern "C" {
    /// `PackedFile` of the module for packed files, which is another one: bindings/wasm/src/formats.rs.
    #[wasm_bindgen(typescript_type = "PackedFile")]
    pub type JsPackedFile;
    #[wasm_bindgen(method)]
    fn step(this: &JsPackedFile) -> u8;
    #[wasm_bindgen(method, getter)]
    fn from(this: &JsPackedFile) -> f64;
    #[wasm_bindgen(method, getter)]
    fn to(this: &JsPackedFile) -> f64;
    #[wasm_bindgen(method)]
    fn take(this: &JsPackedFile) -> Uint8Array;
    #[wasm_bindgen(method)]
    fn give(this: &JsPackedFile, from: f64, bytes: &[u8]);
    #[wasm_bindgen(method)]
    fn stated(this: &JsPackedFile) -> String;
    #[wasm_bindgen(method)]
    fn choose(this: &JsPackedFile, fields: &str) -> bool;
    #[wasm_bindgen(method)]
    fn wanted(this: &JsPackedFile) -> Option<f64>;
    #[wasm_bindgen(method)]
    fn within(this: &JsPackedFile, memory: f64);
}

/// The other module at work.
struct Unpacking(JsPackedFile);

impl Unpacker for Unpacking {
    fn step(&mut self) -> Result<Step, Problem> {
        Ok(match self.0.step() {
            0 => Step::End,
            1 => Step::Need(self.0.from() as u64..self.0.to() as u64),
            2 => Step::Stated,
            3 => Step::Text(self.0.take().to_vec()),
            _ => {
                let json = String::from_utf8(self.0.take().to_vec()).unwrap_or_default();
                return Err(problem_of(&json).unwrap_or_else(|| Problem::new("input.broken-table")));
            }
        })
    }

    fn within(&mut self, memory: u64) {
        self.0.within(memory as f64);
    }

    fn give(&mut self, offset: u64, bytes: Vec<u8>) {
        self.0.give(offset as f64, &bytes);
    }

    fn stated(&self) -> StatedFile {
        serde_json::from_str(&self.0.stated()).unwrap_or_default()
    }

    fn choose(&mut self, fields: &[Field]) {
        self.0.choose(&rowscape::json::text(fields));
    }

    fn wanted(&self) -> Option<u64> {
        self.0.wanted().map(|bytes| bytes as u64)
    }
}

/// An error as Node throws it: `code` is a name of POSIX, `errno` its number, less than 0.
fn trouble(error: JsValue) -> HostTrouble {
    let member = |name: &str| js_sys::Reflect::get(&error, &name.into()).unwrap_or_default();
    let name = member("code").as_string().unwrap_or_default();
    HostTrouble::named(&name, -member("errno").as_f64().unwrap_or_default() as i32)
}

impl Host for JsHost {
    fn open(&mut self, path: &str) -> Result<FileHandle, HostTrouble> {
        JsHost::open(self, path).map_err(trouble)
    }

    fn create(&mut self, path: &str, new: bool) -> Result<FileHandle, HostTrouble> {
        JsHost::create(self, path, new).map_err(trouble)
    }

    fn read(&mut self, file: FileHandle, buffer: &mut [u8]) -> Result<usize, HostTrouble> {
        let bytes = JsHost::read(self, file, buffer.len() as u32).map_err(trouble)?;
        let length = bytes.length() as usize;
        if let Some(buffer) = buffer.get_mut(..length) {
            bytes.copy_to(buffer);
        }
        Ok(length.min(buffer.len()))
    }

    fn read_at(&mut self, file: FileHandle, offset: u64, buffer: &mut [u8]) -> Result<usize, HostTrouble> {
        let bytes = JsHost::read_at(self, file, offset as f64, buffer.len() as u32).map_err(trouble)?;
        let length = bytes.length() as usize;
        if let Some(buffer) = buffer.get_mut(..length) {
            bytes.copy_to(buffer);
        }
        Ok(length.min(buffer.len()))
    }

    fn unpacker(&mut self, form: PackedForm, size: Option<u64>) -> Option<Box<dyn Unpacker>> {
        let file = JsHost::unpacker(self, form.magic(), size.map(|size| size as f64))?;
        Some(Box::new(Unpacking(file)))
    }

    fn write(&mut self, file: FileHandle, bytes: &[u8]) -> Result<(), HostTrouble> {
        JsHost::write(self, file, bytes).map_err(trouble)
    }

    fn settle(&mut self, file: FileHandle, like: Option<&str>) -> Result<(), HostTrouble> {
        JsHost::settle(self, file, like).map_err(trouble)
    }

    fn close(&mut self, file: FileHandle) {
        JsHost::close(self, file);
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<(), HostTrouble> {
        JsHost::rename(self, from, to).map_err(trouble)
    }

    fn remove(&mut self, path: &str) {
        JsHost::remove(self, path);
    }

    fn list(&mut self, path: &str) -> Result<Option<Vec<String>>, HostTrouble> {
        JsHost::list(self, path).map_err(trouble)
    }

    fn real(&mut self, path: &str) -> Option<(String, bool)> {
        Some((JsHost::real(self, path)?, self.is_regular(path)))
    }

    fn identity(&mut self, path: &str) -> Option<String> {
        JsHost::identity(self, path)
    }

    fn identity_of_stream(&mut self, stream: FileHandle) -> Option<String> {
        JsHost::identity_of_stream(self, stream)
    }

    fn size(&mut self, file: FileHandle) -> Option<u64> {
        JsHost::size(self, file).map(|size| size as u64)
    }

    fn now(&self) -> i64 {
        JsHost::now(self) as i64
    }

    fn wait(&mut self, milliseconds: u64) {
        JsHost::wait(self, milliseconds as f64);
    }

    fn run(&mut self, command: &[String]) -> Result<(Vec<u8>, Option<i32>), HostTrouble> {
        let printed = JsHost::run(self, command.to_vec()).map_err(trouble)?;
        Ok((printed.to_vec(), self.ended()))
    }

    fn append(&mut self, path: &str, behind: u64) -> Result<FileHandle, HostTrouble> {
        JsHost::append(self, path, behind as f64).map_err(trouble)
    }

    fn changed(&mut self, file: FileHandle) -> Option<i64> {
        JsHost::changed(self, file).map(|time| time as i64)
    }

    fn columns(&mut self, stream: FileHandle) -> Option<usize> {
        JsHost::columns(self, stream).map(|columns| columns as usize)
    }

    fn memory(&self) -> Option<u64> {
        JsHost::memory(self).map(|bytes| bytes as u64)
    }

    fn variable(&self, name: &str) -> Option<String> {
        JsHost::variable(self, name)
    }

    fn milliseconds(&self) -> f64 {
        JsHost::milliseconds(self)
    }

    fn pages(&self) -> Vec<String> {
        JsHost::pages(self)
    }

    fn opener(&self) -> Vec<String> {
        JsHost::opener(self)
    }

    fn private_folder(&mut self) -> Result<String, HostTrouble> {
        JsHost::private_folder(self).map_err(trouble)
    }

    fn process(&self) -> u32 {
        JsHost::process(self)
    }
}

/// Runs a command and returns its exit code.
#[wasm_bindgen]
pub fn run(args: Vec<String>, mut host: JsHost) -> u8 {
    rowscape::cli::run(args.into_iter().map(OsString::from), &mut host)
}
