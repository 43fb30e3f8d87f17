//! A search in turns: as good as one in one go, and over once it has answered.

use super::{lines, logs, study};
use rowscape::suggest::{SuggestOptions, SuggestSearch, suggest};
use serde_json::{Value, json};

fn asked() -> Value {
    logs(json!([{ "name": "q", "where": { "host": "a", "at": ["2024-01-01", "2024-01-02"] } }]), json!({}))
}

#[test]
fn a_search_in_turns_answers_as_in_one_go_and_its_progress_never_falls() {
    let (asked, records) = study(asked(), &lines(600, |row| format!("h{}", row % 7)));
    let options = SuggestOptions { tables: 1, ..SuggestOptions::default() };
    let mut search = SuggestSearch::new(asked.clone(), records.clone(), options.clone());
    let (mut turns, mut last) = (0, 0.0);
    let found = loop {
        let found = search.poll();
        let (_, done) = search.progress();
        assert!(last <= done && done <= 1.0, "{done} after {last}");
        (turns, last) = (turns + 1, done);
        if let Some(found) = found {
            break found.expect("suggestions");
        }
    };
    assert!(turns > 50, "{turns} turns");
    let whole = suggest(&asked, &records, &options, &mut |_, _| true).expect("suggestions");
    assert_eq!(json!(found), json!(whole));
    let after = search.poll().expect("an answer");
    assert_eq!(after.expect_err("no second answer").code, "suggest.cancelled");
}
