//! `open`: the page in one file with files in it, as they are: nothing is served and nothing leaves the machine.

use super::args::CommandArgs;
use super::context::{CommandContext, FINE, Failure};
use super::figures::bytes;
use super::svg::escaped;
use super::words::say;
use crate::base::Problem;
use crate::base::units::MB;
use crate::bytes::base64;

/// Bytes of files that a page holds. Larger ones are dropped on it.
const MOST: u64 = 128 * MB;
/// Files that a page holds.
const MOST_FILES: usize = 10_000;
/// Folders within each other that are looked into.
const DEEPEST: usize = 32;
/// Bytes that are written at a time: whole groups of three.
const CHUNK: usize = 3 << 18;
/// Bytes of the page.
const LARGEST_PAGE: u64 = 64 * MB;
/// Begins the first of the blocks that the page is made of.
const FIRST_BLOCK: &str = "<script type=\"text/plain\" id=\"";
/// Name of the file that is made.
const NAME: &str = "rowscape.html";

/// A file to be opened.
struct GivenFile {
    path: String,
    /// Path that the page shows, relative to the parent of the folder given.
    name: String,
    bytes: u64,
}

/// Runs the command.
pub fn run(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let mut files: Vec<GivenFile> = Vec::new();
    for path in asked.words.iter().skip(1) {
        let name = path.trim_end_matches('/').rsplit(['/', '\\']).next().unwrap_or_default();
        found(context, (path, name), 0, &mut files)?;
    }
    if files.is_empty() {
        return Err(Problem::new("cli.no-file").into());
    }
    let all = files.iter().map(|file| file.bytes).sum::<u64>();
    if all > MOST {
        let (found, most) = (bytes(all as f64), bytes(MOST as f64));
        return Err(Problem::new("cli.open-too-large").with("found", found).with("most", most).into());
    }
    let page = page(context, asked)?;
    let at = page.find(FIRST_BLOCK).ok_or_else(|| Problem::new("cli.not-the-page"))?;
    let (before, after) = page.split_at(at);
    let path = match asked.get("output") {
        Some(path) => path.to_owned(),
        None => {
            let folder = context.host.private_folder();
            format!("{}/{NAME}", folder.map_err(|trouble| Failure::trouble(&trouble, NAME))?)
        }
    };
    context.begin_file(&path)?;
    context.write_file(before.as_bytes())?;
    for file in &files {
        write(context, file)?;
    }
    context.write_file(after.as_bytes())?;
    context.end_file()?;
    if asked.has("no-browser") || asked.has("output") {
        context.line(&path);
        return Ok(FINE);
    }
    let mut command = context.host.opener();
    // The shell of Windows takes a slash for an option.
    let is_windows = command.first().is_some_and(|program| program == "cmd");
    command.push(if is_windows { path.replace('/', "\\") } else { path.clone() });
    let shown = context.host.run(&command);
    if !shown.is_ok_and(|(_, code)| code == Some(0)) {
        context.note(&say("cli.no-browser", &[("file", &path)]));
    }
    Ok(FINE)
}

/// Adds a file, or all files below a folder, with their bytes.
fn found(
    context: &mut CommandContext<'_>,
    (path, name): (&str, &str),
    depth: usize,
    files: &mut Vec<GivenFile>,
) -> Result<(), Failure> {
    let trouble = |trouble| Failure::trouble(&trouble, path);
    if files.len() >= MOST_FILES {
        return Err(Problem::new("cli.open-too-many").with("most", MOST_FILES).into());
    }
    if depth < DEEPEST
        && let Some(names) = context.host.list(path).map_err(trouble)?
    {
        let folder = path.trim_end_matches('/');
        for inner in names {
            let inner = (&*format!("{folder}/{inner}"), &*format!("{name}/{inner}"));
            found(context, inner, depth + 1, files)?;
        }
        return Ok(());
    }
    let file = context.host.open(path).map_err(trouble)?;
    let size = context.host.size(file);
    context.host.close(file);
    let size = size.ok_or_else(|| Failure::from(Problem::new("observe.no-size")).in_file(path))?;
    files.push(GivenFile { path: path.to_owned(), name: name.to_owned(), bytes: size });
    Ok(())
}

/// The page: the file that is given, or that lies beside the program.
fn page(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<String, Failure> {
    let given = asked.get("page").map(str::to_owned);
    let places = given.map_or_else(|| context.host.pages(), |page| vec![page]);
    for place in &places {
        let Ok(file) = context.host.open(place) else { continue };
        let size = context.host.size(file).filter(|&size| size <= LARGEST_PAGE).unwrap_or_default();
        let mut content = vec![0; size as usize];
        let read = context.host.read_at(file, 0, &mut content);
        context.host.close(file);
        content.truncate(read.map_err(|trouble| Failure::trouble(&trouble, place))?);
        let page = String::from_utf8(content).ok().filter(|page| page.contains(FIRST_BLOCK));
        return page.ok_or_else(|| Failure::from(Problem::new("cli.not-the-page")).in_file(place));
    }
    Err(Problem::new("cli.no-page").into())
}

/// Writes a file as a block of the page.
fn write(context: &mut CommandContext<'_>, GivenFile { path, name, .. }: &GivenFile) -> Result<(), Failure> {
    let trouble = |trouble| Failure::trouble(&trouble, path);
    let head = format!("<script type=\"text/plain\" class=\"given\" data-name=\"{}\">", escaped(name));
    context.write_file(head.as_bytes())?;
    let file = context.host.open(path).map_err(trouble)?;
    let mut buffer = vec![0; CHUNK];
    let mut at = 0u64;
    loop {
        let read = context.host.read_at(file, at, &mut buffer).map_err(trouble)?;
        at += read as u64;
        context.write_file(base64(buffer.get(..read).unwrap_or_default()).as_bytes())?;
        if read < CHUNK {
            break;
        }
    }
    context.host.close(file);
    context.write_file(b"</script>\n")
}
