//! Pieces of a file that are read by readers of their own give the records of the whole file.

use super::read::{TANGLED, csv, field, mixed_input, texts};
use proptest::prelude::*;
use rowscape::field::Kind;
use rowscape::ingest::{FileForm, Input, RecordReader};

/// Records and problems to the last byte: also the tables by which texts are looked up.
fn everything(mut reader: RecordReader) -> (String, String, u64) {
    reader.finish();
    let told = (format!("{:?}", reader.problems()), reader.bytes());
    (format!("{:?}", reader.into_records()), told.0, told.1)
}

fn whole(input: &Input, files: &[&[u8]]) -> (String, String, u64) {
    let mut reader = RecordReader::new(input).expect("reader");
    for (number, file) in files.iter().enumerate() {
        reader.next_file(&number.to_string());
        reader.push(file);
    }
    everything(reader)
}

/// Cuts steps off a file, as many at a time as are under way in a command, and has each read by itself.
fn in_pieces(input: &Input, files: &[&[u8]], step: usize, ahead: usize) -> (String, String, u64, usize) {
    let mut reader = RecordReader::new(input).expect("reader");
    let mut taken = 0;
    for (number, file) in files.iter().enumerate() {
        reader.next_file(&number.to_string());
        let (first, rest) = file.split_at(step.min(file.len()));
        reader.push(first);
        for run in rest.chunks(step * ahead) {
            let Some(mut cutter) = reader.cutter() else {
                reader.push(run);
                continue;
            };
            let mut held = reader.give_back();
            let mut base = reader.place();
            let mut pieces = Vec::new();
            for bytes in run.chunks(step) {
                let before = held.len();
                held.extend_from_slice(bytes);
                let Some(end) = cutter.last_end(bytes).map(|end| before + end) else { continue };
                let left = held.split_off(end);
                let mut piece = reader.of_piece(base);
                base += held.len() as u64;
                let quotes = held.contains(&b'"');
                pieces.push((piece.read_piece(held, quotes), piece));
                held = left;
            }
            for (bytes, piece) in pieces {
                // The readers of slices in other programs begin behind a line end.
                let form =
                    piece.piece_form().filter(|_| ahead.is_multiple_of(2) && bytes.first() != Some(&b'\n'));
                if form.is_some_and(|form| reader.take_in_form(&form)) || reader.take_in(piece, &bytes) {
                    taken += 1;
                } else {
                    reader.push(&bytes);
                }
            }
            reader.push(&held);
        }
    }
    let (records, problems, bytes) = everything(reader);
    (records, problems, bytes, taken)
}

fn check(input: &Input, files: &[&[u8]], step: usize, ahead: usize) -> usize {
    let (records, problems, bytes) = whole(input, files);
    let pieces = in_pieces(input, files, step, ahead);
    let text: Vec<_> = files.iter().map(|file| String::from_utf8_lossy(file)).collect();
    assert_eq!(pieces.0, records, "{text:?} in steps of {step}");
    assert_eq!((pieces.1, pieces.2), (problems, bytes), "{text:?} in steps of {step}");
    pieces.3
}

#[test]
fn tangled_files_are_read_alike_in_steps_of_any_length() {
    let fields = vec![field("t", Kind::Text), field("n", Kind::Integer)];
    for (format, header) in [(FileForm::Csv, true), (FileForm::Csv, false), (FileForm::Jsonl, false)] {
        let input = Input { format, header: Some(header), ..csv(fields.clone()) };
        for &file in TANGLED {
            for step in 1..=file.len() {
                for ahead in 1..4 {
                    check(&input, &[file, file], step, ahead);
                }
            }
        }
    }
}

#[test]
fn ordinary_records_are_taken_in_with_their_problems() {
    let input = csv(vec![field("a", Kind::Text), field("n", Kind::Integer), field("b", Kind::Text)]);
    for end in ["\n", "\r\n", "\r"] {
        let line = |row: u32| match row % 11 {
            3 => format!("\"x, {row}\n\"\"y\"\"\",{row},b"),
            5 => format!("short {}", row % 3),
            7 => format!("long,{row},b,and more"),
            9 => format!("a,none {row},\u{e9}"),
            _ => format!("a{},{row},b{}", row % 5, row % 7),
        };
        let text: String = (0..400).map(|row| line(row) + end).collect();
        let text = format!("n,a,b{end}{end}{text}");
        for step in [40, 100, 333, 1000] {
            let taken = check(&input, &[text.as_bytes()], step, 3);
            assert!(taken > text.len() / step / 2, "{taken} pieces of {step} bytes");
        }
    }
}

#[test]
fn texts_of_which_most_are_new_are_held_as_in_one_piece() {
    let input = csv(texts(&["a", "b"]));
    let text: String =
        (0..150_000u32).map(|row| format!("{},{}\n", row / 20 * 20 + row % 16, row % 3)).collect();
    let unique: String = (0..150_000u32).map(|row| format!("{row},{}\n", row % 50_000)).collect();
    for text in [text, unique] {
        let taken = check(&input, &[format!("a,b\n{text}").as_bytes()], 200_000, 2);
        assert!(taken > 3, "{taken}");
    }
}

#[test]
fn what_is_decoded_or_rewritten_is_not_cut() {
    for (format, text) in [(FileForm::Jsonl, "[{\"a\":1},{\"a\":2}\n]"), (FileForm::Csv, "a\n1\n2\n")] {
        let mut input = Input { format, ..csv(texts(&["a"])) };
        assert_eq!(check(&input, &[text.as_bytes()], 2, 1) > 0, format == FileForm::Csv);
        input.encoding = Some(rowscape::ingest::TextEncoding::Windows1252);
        assert_eq!(check(&input, &[text.as_bytes()], 2, 1), 0);
    }
}

proptest! {
    #[test]
    fn any_file_is_read_alike_in_pieces(
        parts in prop::collection::vec(prop::sample::select(vec![
            "a", "b,", "\"", "\"\"", ",", "\n", "\r\n", "\r", "\u{feff}", "12", "2024-05-01 10:20:30", "\u{e9}",
            "\"x,y\"", "\n\"", "a,b,c\n", "x,1,2024-05-01 00:00:00\n", "{\"a\":\"\\u00e9\",", "\"b\":3}\n",
        ]), 0..200),
        step in 1usize..120, ahead in 1usize..4, header: bool, json: bool,
    ) {
        let text = parts.concat();
        let input = mixed_input(if json { FileForm::Jsonl } else { FileForm::Csv }, header);
        check(&input, &[text.as_bytes(), b"a,b,c\n1,2,3\n"], step, ahead);
    }
}

#[test]
fn a_form_of_a_piece_that_is_damaged_is_not_taken_in() {
    let input = csv(vec![field("a", Kind::Text), field("n", Kind::Integer)]);
    let mut reader = RecordReader::new(&input).expect("reader");
    reader.next_file("calls.csv");
    reader.push(b"a,n\nx,1\n");
    let mut piece = reader.apart_from(reader.place()).expect("piece");
    let bytes = b"y,2\nx,\nz,none\nshort\n";
    piece.push(bytes);
    let form = piece.piece_form().expect("form");
    for length in 0..form.len() {
        assert!(!reader.take_in_form(&form[..length]), "{length} of {} bytes", form.len());
        for bit in [0, 6] {
            let mut damaged = form.clone();
            damaged[length] ^= 1 << bit;
            let mut other = RecordReader::new(&input).expect("reader");
            other.push(b"a,n\nx,1\n");
            other.take_in_form(&damaged);
            other.finish();
        }
    }
    assert!(reader.take_in_form(&form));
    assert!(!reader.take_in_form(&form), "its place has passed");
    assert_eq!(reader.bytes(), 8 + bytes.len() as u64);
    assert_eq!(reader.records().columns[1].first_invalid.len(), 3);
    assert_eq!(reader.problems().ragged_short, 1);
}

#[test]
fn a_piece_that_ends_within_a_record_has_no_form() {
    let input = csv(vec![field("a", Kind::Text), field("n", Kind::Integer)]);
    let mut reader = RecordReader::new(&input).expect("reader");
    reader.push(b"a,n\nx,1\n");
    for text in ["y,2\nz", "y,2\n\"z\n"] {
        let mut piece = reader.apart_from(reader.place()).expect("piece");
        piece.push(text.as_bytes());
        assert!(piece.piece_form().is_none(), "{text}");
    }
}
