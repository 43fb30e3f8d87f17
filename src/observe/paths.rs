//! Paths of files: HBase's folders and names have a fixed form.

/// Facts in the path of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StorePath {
    /// The table, with its namespace unless that is the default one; empty where the path does not say it.
    pub table: String,
    /// The encoded name of the region.
    pub region: String,
    /// The column family.
    pub family: String,
    /// The name of the file.
    pub name: String,
    /// Its form.
    pub form: NameForm,
}

/// The form of the name of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum NameForm {
    /// Nothing that is known.
    #[default]
    Other,
    /// `.regioninfo`.
    RegionInfo,
    /// `data.manifest`.
    Manifest,
    /// A file below `.filelist`, which names the files of a store.
    FileList,
    /// A file that stands for a half of one of the parent: the name of that one, and the region of the parent.
    Reference(String, String),
    /// A link to a file of another table or region: its name, and its region.
    Link(String, String),
    /// Something of HBase without cells.
    Known,
}

/// Looks at a path, of which `/` and `\` part the folders.
pub fn store_path(path: &str) -> StorePath {
    let parts: Vec<&str> = path.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    let at =
        |back: usize| parts.len().checked_sub(back).and_then(|at| parts.get(at)).copied().unwrap_or_default();
    let name = at(1);
    let form = if at(2) == ".filelist" { NameForm::FileList } else { name_form(name) };
    let mut found = StorePath { name: name.to_owned(), form, ..StorePath::default() };
    // table/region/family/file, table/region/family/.filelist/file, or table/region/.regioninfo
    let depth = match found.form {
        NameForm::RegionInfo => 2,
        NameForm::FileList => 4,
        _ => 3,
    };
    let region = at(depth);
    if is_encoded(region) {
        region.clone_into(&mut found.region);
        if depth > 2 {
            at(depth - 1).clone_into(&mut found.family);
        }
        let (namespace, table) = (at(depth + 2), at(depth + 1));
        let is_below_data = at(depth + 3) == "data";
        found.table = match namespace {
            _ if !is_below_data => table.to_owned(),
            "default" => table.to_owned(),
            _ => format!("{namespace}:{table}"),
        };
        if found.table.starts_with('.') {
            found.table.clear();
        }
        if matches!(found.family.as_str(), "recovered.edits" | ".tmp" | ".splits" | ".merges") {
            found.family.clear();
        }
    }
    found
}

/// True for the encoded name of a region: 32 digits of a hash, or the ten of `hbase:meta`.
fn is_encoded(name: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    name.len() == 32 && digits(name) || name == "1588230740"
}

fn name_form(name: &str) -> NameForm {
    match name {
        ".regioninfo" => return NameForm::RegionInfo,
        "data.manifest" => return NameForm::Manifest,
        ".snapshotinfo" | ".tabledesc" | ".filelist" | "hbase.version" | "hbase.id" => {
            return NameForm::Known;
        }
        _ if name.starts_with(".tableinfo") || name.ends_with(".seqid") || name.ends_with(".crc") => {
            return NameForm::Known;
        }
        _ => {}
    }
    // table=region-file
    if let Some((_, rest)) = name.split_once('=')
        && let Some((region, file)) = rest.rsplit_once('=').map_or(rest, |(_, rest)| rest).split_once('-')
        && is_encoded(region)
    {
        return NameForm::Link(file.to_owned(), region.to_owned());
    }
    match name.rsplit_once('.') {
        Some((file, region)) if is_encoded(region) => NameForm::Reference(file.to_owned(), region.to_owned()),
        _ => NameForm::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGION: &str = "3004960074696a709bfc9fc61af05d5a";

    #[test]
    fn paths_say_table_region_and_family() {
        let of = |path: &str| {
            let found = store_path(path);
            [found.table, found.region, found.family]
        };
        let file = "b5f9416bd4c7402c91cfb07de3ddf42c";
        assert_eq!(of(&format!("/hbase/data/hf/none/{REGION}/d/{file}")), ["hf:none", REGION, "d"]);
        assert_eq!(of(&format!("data/default/none/{REGION}/d/{file}")), ["none", REGION, "d"]);
        assert_eq!(of(&format!("none/{REGION}/d/{file}")), ["none", REGION, "d"]);
        assert_eq!(of(&format!("{REGION}/d/{file}")), ["", REGION, "d"]);
        assert_eq!(of(&format!("archive\\data\\hf\\none\\{REGION}\\.regioninfo")), ["hf:none", REGION, ""]);
        assert_eq!(of("none.hfile"), ["", "", ""]);
    }

    #[test]
    fn names_say_what_a_file_stands_for() {
        let list = store_path(&format!("none/{REGION}/d/.filelist/f1.1795782813076"));
        assert_eq!(
            (list.form, list.region.as_str(), list.family.as_str()),
            (NameForm::FileList, REGION, "d")
        );
        let of = |name: &str| store_path(name).form;
        assert_eq!(of(&format!("abc.{REGION}")), NameForm::Reference("abc".to_owned(), REGION.to_owned()));
        let link = |name: &str| NameForm::Link(name.to_owned(), REGION.to_owned());
        assert_eq!(of(&format!("meter={REGION}-216f69")), link("216f69"));
        assert_eq!(of(&format!("load=meter={REGION}-216f69")), link("216f69"));
        assert_eq!(of(".tableinfo.0000000001.382"), NameForm::Known);
    }
}
