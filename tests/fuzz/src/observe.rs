//! Files of HBase: whatever their bytes are, they come to an end in bounded memory, and what is counted adds up.

use rowscape::observe::{
    Depth, GivenFile, ObserveOptions, ObserveStep, ObservedTables, Observer, RequestCounts,
};

/// Steps of a file before its size counts.
const STEPS: usize = 2000;
/// Bytes that may be asked for at a time.
const MOST: u64 = 1 << 26;
/// Where a file lies: its name says what it may be.
const PATHS: [&str; 4] = [
    "/hbase/data/hf/none/3004960074696a709bfc9fc61af05d5a/d/b5f9416bd4c7402c91cfb07de3ddf42c",
    "/hbase/data/hf/none/3004960074696a709bfc9fc61af05d5a/.regioninfo",
    "/hbase/data/hf/none/946cf72f61cade9ce2648afea053a662/d/b5f9416bd4c7402c91cfb07de3ddf42c.3004960074696a709bfc9fc61af05d5a",
    "/hbase/.hbase-snapshot/one/data.manifest",
];

/// A byte for how it is read, and a file: alone, then twice under two names.
pub fn observe(data: &[u8]) {
    let Some((&how, file)) = data.split_first() else { return };
    let options = ObserveOptions {
        depth: if how & 1 == 0 { Depth::All } else { Depth::Index },
        memory: if how & 4 == 0 { 64 << 20 } else { 20_000 },
        ..ObserveOptions::default()
    };
    let path = PATHS[usize::from(how >> 3) % PATHS.len()];
    let alone = read(&[(path, file)], &options);
    let twice = read(&[(path, file), ("/hbase/oldWALs/copy", file)], &options);
    assert!(twice.tables.len() >= alone.tables.len());
}

/// Reads files, and checks that the figures add up.
fn read(files: &[(&str, &[u8])], options: &ObserveOptions) -> ObservedTables {
    let named = |(path, bytes): &(&str, &[u8])| GivenFile {
        path: (*path).to_owned(),
        bytes: bytes.len() as u64,
        changed: Some(1_795_781_834_000),
    };
    let named = files.iter().map(named).collect();
    let mut observer = Observer::new(named, options.clone());
    let all: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    for _ in 0..STEPS + 2 * all {
        match observer.step() {
            ObserveStep::Done => {
                let answer = observer.answer();
                check(&answer);
                return answer;
            }
            ObserveStep::Progress(..) => {}
            ObserveStep::Need(at, range) => {
                assert!(range.start < range.end && range.end - range.start <= MOST, "{range:?}");
                let bytes = files[at].1;
                let [from, to] = [range.start, range.end].map(|at| (at as usize).min(bytes.len()));
                observer.give(range.start, bytes[from..to].to_vec());
            }
        }
    }
    panic!("no end");
}

fn check(answer: &ObservedTables) {
    for table in &answer.tables {
        assert!(table.counts.rows <= table.counts.cells && table.counts.deletes <= table.counts.cells);
        if let Some(heat) = &table.heat {
            assert_eq!(heat.counts.iter().flatten().sum::<u64>() + table.untimed, table.counts.cells);
            assert_eq!(
                table.regions.iter().map(|region| region.counts.cells).sum::<u64>(),
                table.counts.cells
            );
        }
        if let Some(requests) = &table.requests {
            let sum = |of: fn(&RequestCounts) -> u64| {
                requests.regions.iter().map(|region| of(&region.counts)).fold(0, u64::saturating_add)
            };
            assert_eq!(sum(|counts| counts.reads), requests.counts.reads);
            assert_eq!(sum(|counts| counts.writes), requests.counts.writes);
            assert!(requests.regions.iter().all(|region| (0.0..=1.0).contains(&region.share)));
        }
        for problem in table.notes.iter().chain([&table.headline]) {
            let sentence = problem.sentence();
            let has_braces = |text: &str| text.contains(['{', '}']);
            assert!(
                !has_braces(&sentence) || problem.args.values().any(|value| has_braces(value)),
                "{sentence}"
            );
        }
    }
}
