//! The rooms of `src/` and the direction of their arrows: each may use only rooms before it, and so may the parts of a room.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The rooms, each with its parts where they have an order of their own. A part that is not named comes last.
const ROOMS: [(&str, &[&[&str]]); 16] = [
    ("base", &[]),
    ("bytes", &[]),
    ("records", &[&["field"], &["columns"], &["read", "guess", "generate"]]),
    ("formula", &[]),
    ("design", &[&["split", "constant", "policy"]]),
    (
        "keys",
        &[
            &["quarters"],
            &["duplicates", "lengths", "encode"],
            &["cells"],
            &["figures", "table"],
            &["decode"],
        ],
    ),
    ("scan", &[]),
    ("hbase", &[&["storage"], &["sizing"], &["simulate"], &["phoenix"], &["existing"]]),
    ("summary", &[]),
    (
        "analysis",
        &[
            &["required", "retained"],
            &["counter"],
            &["report"],
            &["findings"],
            &["settings"],
            &["stream"],
            &["fix_trials"],
            &["plan_cost"],
            &["memory"],
            &["anonymize"],
        ],
    ),
    ("compare", &[]),
    ("suggest", &[]),
    ("emit", &[]),
    ("observe", &[]),
    ("session", &[]),
    ("cli", &[]),
];
/// Files outside all rooms: the crate's root and the program.
const DOORS: [&str; 2] = ["lib.rs", "main.rs"];

type ModulePath = Vec<String>;

/// A path that a file names, such as `crate::records::field::Kind`.
struct NamedPath {
    line: usize,
    segments: ModulePath,
    /// It is offered to others under this name, by `pub use`.
    offered_as: Option<String>,
}

/// The sources of the library by their path below `src/`, with what they name.
struct Sources {
    named: BTreeMap<String, Vec<NamedPath>>,
    files: BTreeMap<ModulePath, String>,
    offered: BTreeMap<(ModulePath, String), ModulePath>,
}

/// `scan/walk.rs` is `scan::walk`, `scan/mod.rs` is `scan`.
fn module_of(file: &str) -> ModulePath {
    let path = file.trim_end_matches(".rs");
    let path = path.trim_end_matches("mod").trim_end_matches('/');
    let is_root = DOORS.contains(&file);
    path.split('/').filter(|part| !part.is_empty() && !is_root).map(str::to_owned).collect()
}

/// Words and marks of Rust code with their lines; comments and unit tests are left out.
fn tokens(source: &str) -> Vec<(usize, String)> {
    let mut tokens: Vec<(usize, String)> = Vec::new();
    for (number, line) in (1..).zip(source.lines()) {
        if line == "mod tests {" {
            break;
        }
        let code = line.split("//").next().unwrap_or("");
        let mut rest = code.trim_start();
        while let Some(first) = rest.chars().next() {
            let is_word = |char: char| char.is_alphanumeric() || char == '_';
            let length = match first {
                _ if is_word(first) => rest.find(|char| !is_word(char)).unwrap_or(rest.len()),
                ':' if rest.starts_with("::") => 2,
                _ => first.len_utf8(),
            };
            tokens.push((number, rest[..length].to_owned()));
            rest = rest[length..].trim_start();
        }
    }
    tokens
}

/// The paths that begin at `at`, with all branches of a `{…}`; and the token after them.
fn branches(tokens: &[(usize, String)], mut at: usize, start: &[String]) -> (Vec<NamedPath>, usize) {
    let token = |at: usize| tokens.get(at).map_or("", |(_, token)| token.as_str());
    let mut segments = start.to_vec();
    let line = tokens.get(at).map_or(0, |(line, _)| *line);
    while at < tokens.len() {
        match token(at) {
            "{" => {
                let mut found = Vec::new();
                at += 1;
                while !matches!(token(at), "}" | "") {
                    let (more, after) = branches(tokens, at, &segments);
                    found.extend(more);
                    at = after + usize::from(token(after) == ",");
                }
                return (found, at + 1);
            }
            "self" if !segments.is_empty() => at += 1,
            "*" => at += 1,
            word => {
                segments.push(word.to_owned());
                at += 1;
            }
        }
        if token(at) != "::" || matches!(token(at + 1), "<" | "") {
            break;
        }
        at += 1;
    }
    let renamed = (token(at) == "as").then(|| token(at + 1).to_owned());
    at += 2 * usize::from(renamed.is_some());
    let offered_as = renamed.or_else(|| segments.last().cloned());
    (vec![NamedPath { line, segments, offered_as }], at)
}

/// All paths of more than one segment that a source names.
fn named_paths(source: &str) -> Vec<NamedPath> {
    let tokens = tokens(source);
    let token = |at: usize| tokens.get(at).map_or("", |(_, token)| token.as_str());
    let mut found = Vec::new();
    let (mut at, mut public) = (0, false);
    while at < tokens.len() {
        let is_word = token(at).starts_with(|char: char| char.is_alphabetic() || char == '_');
        if is_word && token(at + 1) == "::" {
            let (paths, after) = branches(&tokens, at, &[]);
            found.extend(
                paths
                    .into_iter()
                    .map(|path| NamedPath { offered_as: path.offered_as.filter(|_| public), ..path }),
            );
            at = after.max(at + 1);
            continue;
        }
        public = match token(at) {
            "pub" => true,
            "(" | ")" | "crate" | "super" | "in" | "use" | "," | "}" => public,
            _ => false,
        };
        at += 1;
    }
    found
}

impl Sources {
    fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut texts = BTreeMap::new();
        collect(&root, "", &mut texts);
        let files = texts.keys().map(|file| (module_of(file), file.clone())).collect();
        let named: BTreeMap<_, _> =
            texts.iter().map(|(file, text)| (file.clone(), named_paths(text))).collect();
        let mut sources = Self { named, files, offered: BTreeMap::new() };
        let mut offered = BTreeMap::new();
        for (file, paths) in &sources.named {
            for path in paths {
                if let (Some(name), Some(target)) = (&path.offered_as, sources.absolute(file, &path.segments))
                {
                    offered.insert((module_of(file), name.clone()), target);
                }
            }
        }
        sources.offered = offered;
        sources
    }

    /// The path from the crate's root; `None` for paths of other crates and of types.
    fn absolute(&self, file: &str, segments: &[String]) -> Option<ModulePath> {
        let mut own = module_of(file);
        match segments.first()?.as_str() {
            "crate" => Some(segments[1..].to_vec()),
            "self" => Some([&own, &segments[1..]].concat()),
            "super" => {
                let up = segments.iter().take_while(|segment| *segment == "super").count();
                own.truncate(own.len().checked_sub(up)?);
                own.extend_from_slice(&segments[up..]);
                Some(own)
            }
            child => {
                own.push(child.to_owned());
                self.files.contains_key(&own).then(|| {
                    own.extend_from_slice(&segments[1..]);
                    own
                })
            }
        }
    }

    /// The file that defines what a path from the root names: names offered on the way are followed.
    fn defining(&self, path: &[String], depth: usize) -> Option<&str> {
        (0..=path.len()).rev().find_map(|length| {
            let (module, rest) = path.split_at(length);
            let file = self.files.get(module)?;
            let offered = rest.first().and_then(|name| self.offered.get(&(module.to_vec(), name.clone())));
            match offered {
                Some(target) if depth < 8 => {
                    self.defining(&[target, &rest[1..]].concat(), depth + 1).or(Some(file))
                }
                _ => Some(file.as_str()),
            }
        })
    }

    /// Each use of another file: from, line, path, to. What is only offered on is no use.
    fn arrows(&self) -> impl Iterator<Item = (&str, &NamedPath, &str)> {
        self.named.iter().flat_map(move |(file, paths)| {
            paths.iter().filter_map(move |path| {
                let to = self.defining(&self.absolute(file, &path.segments)?, 0)?;
                (to != file).then_some((file.as_str(), path, to))
            })
        })
    }
}

fn collect(folder: &Path, below: &str, texts: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).expect("folder").map(|entry| entry.expect("entry")) {
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), texts);
        } else if name.ends_with(".rs") {
            texts.insert(name, std::fs::read_to_string(entry.path()).expect("UTF-8"));
        }
    }
}

/// The place of a file in the order of rooms and of the parts of its room.
fn place_of(file: &str) -> Option<(usize, usize)> {
    let mut parts = file.split('/');
    let room = parts.next()?;
    let index = ROOMS.iter().position(|(name, _)| *name == room)?;
    let part = parts.next()?.trim_end_matches(".rs");
    let order = ROOMS[index].1;
    Some((index, order.iter().position(|names| names.contains(&part)).unwrap_or(order.len())))
}

#[test]
fn every_file_is_in_a_room() {
    let sources = Sources::read();
    let outside: Vec<_> = sources
        .named
        .keys()
        .filter(|file| place_of(file).is_none() && !DOORS.contains(&file.as_str()))
        .collect();
    assert!(outside.is_empty(), "in no room: {outside:?}");
    assert!(sources.arrows().count() > 1000, "arrows are found");
}

#[test]
fn paths_begin_with_a_room() {
    let sources = Sources::read();
    let mut wrong = Vec::new();
    for (file, paths) in sources.named.iter().filter(|(file, _)| !DOORS.contains(&file.as_str())) {
        for path in paths.iter().filter(|path| path.segments[0] == "crate") {
            let first = path.segments.get(1).map_or("", String::as_str);
            if ROOMS.iter().all(|(room, _)| *room != first) {
                wrong.push(format!("src/{file}:{}: {}", path.line, path.segments.join("::")));
            }
        }
    }
    assert!(wrong.is_empty(), "paths begin with a room:\n{}", wrong.join("\n"));
}

#[test]
fn arrows_point_down() {
    let sources = Sources::read();
    let mut wrong = Vec::new();
    for (from, path, to) in sources.arrows() {
        let (Some(own), Some(other)) = (place_of(from), place_of(to)) else { continue };
        // The front of a room declares its parts and may be named by them.
        let front = |file: &str| file.ends_with("/mod.rs") && file.matches('/').count() == 1;
        let inside = own.0 == other.0 && !front(from) && !front(to) && other.1 > own.1;
        if other.0 > own.0 || inside {
            wrong.push(format!("src/{from}:{}: {} -> src/{to}", path.line, path.segments.join("::")));
        }
    }
    assert!(wrong.is_empty(), "arrows that point up:\n{}", wrong.join("\n"));
}

#[test]
fn no_circle_has_more_than_two_files() {
    let sources = Sources::read();
    let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, path, to) in sources.arrows() {
        if path.offered_as.is_none() && !DOORS.contains(&from) {
            uses.entry(from).or_default().insert(to);
        }
    }
    let reached = |start: &str| {
        let mut reached = BTreeSet::new();
        let mut open: Vec<&str> = uses.get(start).into_iter().flatten().copied().collect();
        while let Some(file) = open.pop() {
            if reached.insert(file) {
                open.extend(uses.get(file).into_iter().flatten().copied());
            }
        }
        reached
    };
    let from: BTreeMap<&str, BTreeSet<&str>> = uses.keys().map(|&file| (file, reached(file))).collect();
    let circles: BTreeSet<Vec<&str>> = from
        .iter()
        .filter(|(file, reached)| reached.contains(*file))
        .map(|(&file, reached)| {
            reached
                .iter()
                .copied()
                .filter(|other| from.get(other).is_some_and(|back| back.contains(file)))
                .collect()
        })
        .filter(|circle: &Vec<&str>| circle.len() > 2)
        .collect();
    assert!(circles.is_empty(), "circles of more than two files: {circles:#?}");
}

/// The picture of the rooms in the crate's documentation and in docs/architecture.md has each of them, in this order.
#[test]
fn the_picture_of_the_rooms_is_true() {
    for path in ["src/lib.rs", "docs/architecture.md"] {
        let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect(path);
        let listed: Vec<&str> = text
            .lines()
            .filter_map(|line| line.trim_start_matches("//! ").strip_prefix("| `")?.split_once("` |"))
            .map(|(name, _)| name)
            .filter(|name| ROOMS.iter().any(|(room, _)| room == name))
            .collect();
        assert_eq!(listed, ROOMS.map(|(room, _)| room), "{path}");
    }
}
