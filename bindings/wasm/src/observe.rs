//! Tables as HBase's own files show them: bytes of files in as they are asked for, an answer out.

use rowscape::error::Problem;
use rowscape::json;
use rowscape::observe::{Depth, GivenFile, Metric, ObserveOptions, ObserveStep, Observer};
use serde::Deserialize;
use wasm_bindgen::prelude::*;

/// All was read.
const DONE: u8 = 0;
/// Bytes of a file are needed: `file`, `from` and `to`.
const NEED: u8 = 1;
/// So many bytes were read, of so many that will be: `read` and `total`.
const PROGRESS: u8 = 2;

/// Options of a person.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Asked {
    all: bool,
    table: Option<String>,
    since: Option<i64>,
    until: Option<i64>,
    metric: Option<String>,
    regions: Option<usize>,
    memory: u64,
}

impl Default for Asked {
    fn default() -> Self {
        Self {
            all: false,
            table: None,
            since: None,
            until: None,
            metric: None,
            regions: None,
            memory: 256 << 20,
        }
    }
}

/// Reads files of HBase step by step.
#[wasm_bindgen(js_name = Observer)]
pub struct ObserverHandle {
    observer: Observer,
    need: (u32, f64, f64),
    progress: (f64, f64),
}

#[wasm_bindgen(js_class = Observer)]
impl ObserverHandle {
    /// For files, each with its path, its bytes and the time of its last change where that is known, and options, both as JSON; nothing
    /// when these can't be read.
    pub fn open(files: &str, options: &str) -> Option<ObserverHandle> {
        let files: Vec<(String, f64, Option<f64>)> = serde_json::from_str(files).ok()?;
        let Asked { all, table, since, until, metric, regions, memory } =
            serde_json::from_str(options).ok()?;
        let options = ObserveOptions {
            depth: if all { Depth::All } else { Depth::Index },
            table,
            times: (since.is_some() || until.is_some())
                .then(|| (since.unwrap_or(i64::MIN), until.unwrap_or(i64::MAX))),
            metric: metric.as_deref().and_then(Metric::named),
            regions,
            memory,
        };
        let given = |(path, bytes, changed): (String, f64, Option<f64>)| GivenFile {
            path,
            bytes: bytes as u64,
            changed: changed.map(|time| time as i64),
        };
        let files = files.into_iter().map(given).collect();
        Some(Self { observer: Observer::new(files, options), need: (0, 0.0, 0.0), progress: (0.0, 0.0) })
    }

    /// The next step, by its number.
    pub fn step(&mut self) -> u8 {
        match self.observer.step() {
            ObserveStep::Done => DONE,
            ObserveStep::Need(file, range) => {
                self.need = (file as u32, range.start as f64, range.end as f64);
                NEED
            }
            ObserveStep::Progress(read, total) => {
                self.progress = (read as f64, total as f64);
                PROGRESS
            }
        }
    }

    /// The file whose bytes are needed.
    #[wasm_bindgen(getter)]
    pub fn file(&self) -> u32 {
        self.need.0
    }

    /// The first byte that is needed.
    #[wasm_bindgen(getter)]
    pub fn from(&self) -> f64 {
        self.need.1
    }

    /// The byte after the last that is needed.
    #[wasm_bindgen(getter)]
    pub fn to(&self) -> f64 {
        self.need.2
    }

    /// Bytes that were read.
    #[wasm_bindgen(getter)]
    pub fn read(&self) -> f64 {
        self.progress.0
    }

    /// Bytes that will be read.
    #[wasm_bindgen(getter)]
    pub fn total(&self) -> f64 {
        self.progress.1
    }

    /// Gives bytes of the file that was asked for; fewer where it ends.
    pub fn give(&mut self, from: f64, bytes: Vec<u8>) {
        self.observer.give(from as u64, bytes);
    }

    /// The file that was asked for can't be read.
    pub fn fail(&mut self, error: &str) {
        self.observer.fail(Problem::new("observe.unreadable").with("error", error));
    }

    /// The answer, as JSON.
    pub fn answer(&self) -> String {
        json::text(&self.observer.answer())
    }
}
