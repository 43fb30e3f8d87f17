//! A piece that was read, as bytes by which another instance of this program takes it in.

use super::line_ends::LineEnds;
use super::problems::ReadProblems;
use super::reader::RecordReader;
use crate::base::Problem;
use crate::base::sentences::known_code;
use crate::bytes::columns::{ColumnBytes, write_bytes, write_list, write_number, write_strings};
use crate::records::columns::{Bitmap, Column, ColumnValues, Dictionary, Records};

/// Pieces have fewer bytes.
const MOST: u64 = 1 << 32;

/// Arguments of the sentences about records.
const ARGUMENTS: [&str; 4] = ["found", "expected", "read", "line"];

impl RecordReader {
    /// A reader of the rest of this file from this byte on, where a record begins; `None` where it can't be read by itself.
    pub fn apart_from(&self, base: u64) -> Option<Self> {
        self.cutter().map(|_| self.of_piece(base))
    }

    /// A piece that was read, as bytes; `None` where it can't be taken in elsewhere.
    pub fn piece_form(&self) -> Option<Vec<u8>> {
        let complete = self.window.bytes().is_empty() && !self.discarding && !self.is_apart;
        if !complete {
            return None;
        }
        let mut form = Vec::with_capacity(self.records.size() / 3 * 2);
        let fields = self.fields_before.map_or(u64::MAX, u64::from);
        let after = u64::from(self.lines.after_cr);
        for number in [self.window.base, self.bytes, self.place.met, self.lines.count, after, fields] {
            write_number(number, &mut form);
        }
        write_problems(&self.problems, &mut form)?;
        write_records(&self.records, &mut form);
        Some(form)
    }

    /// Takes in what another instance has read of the next piece, written by [`RecordReader::piece_form`]. False where this reader
    /// would not read the same: then nothing was taken in, and the bytes are to be pushed.
    ///
    /// The piece must begin behind a line end, and not with the second half of one. Of a table it is the text of the row groups that come
    /// next, read as if they were the first.
    pub fn take_in_form(&mut self, form: &[u8]) -> bool {
        let Some((mut piece, mut values)) = self.piece_of(form) else { return false };
        let length = piece.bytes;
        if self.is_of_tables() {
            // It can't know how much text the row groups before it are.
            let begun = piece.window.base.saturating_sub(length);
            piece.records.offsets = values.take_offsets();
            piece.records.move_on(self.window.base.saturating_sub(begun));
            piece.window.base = self.window.base.saturating_add(length);
        }
        let taken = self.take_in_after(piece, length, false);
        if taken {
            values.append_to(&mut self.records);
        }
        taken
    }

    /// The piece without its values, which are copied once: from where they lie to where they belong.
    fn piece_of<'f>(&self, form: &'f [u8]) -> Option<(Self, PieceValues<'f>)> {
        // The tables by which texts are looked up would be those of the first piece, and its form has none.
        (self.records.rows > 0).then_some(())?;
        let mut form = ColumnBytes(form);
        let mut piece = self.of_piece(form.number()?);
        piece.bytes = form.below(MOST)?;
        piece.place.met = form.below(MOST)?;
        piece.lines = LineEnds { count: form.below(MOST)?, after_cr: form.below(2)? != 0 };
        piece.fields_before = u32::try_from(form.number()?).ok();
        piece.problems = read_problems(&mut form)?;
        let values = read_records(&mut piece.records, &mut form)?;
        form.0.is_empty().then_some((piece, values))
    }
}

/// The values of a piece as they lie in its form.
struct PieceValues<'f> {
    offsets: &'f [[u8; 4]],
    columns: Vec<PieceColumn<'f>>,
}

enum PieceColumn<'f> {
    Integers(&'f [[u8; 8]]),
    Strings(&'f [[u8; 4]], Dictionary),
}

impl PieceValues<'_> {
    fn take_offsets(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.offsets).iter().map(|&offset| u32::from_le_bytes(offset)).collect()
    }

    fn append_to(self, records: &mut Records) {
        records.offsets.extend(self.offsets.iter().map(|&offset| u32::from_le_bytes(offset)));
        for (column, from) in records.columns.iter_mut().zip(self.columns) {
            match (&mut column.values, from) {
                (ColumnValues::Integers(values), PieceColumn::Integers(more)) => {
                    values.extend(more.iter().map(|&value| i64::from_le_bytes(value)));
                }
                (ColumnValues::Strings { ids, dictionary }, PieceColumn::Strings(more, texts)) => {
                    let more = more.iter().map(|&id| u32::from_le_bytes(id));
                    dictionary.intern_entries(more, &texts, ids);
                }
                _ => {}
            }
        }
    }
}

/// `None` if a problem has an argument or a place that this form can't hold.
fn write_problems(problems: &ReadProblems, form: &mut Vec<u8>) -> Option<()> {
    let ReadProblems { ragged_short, ragged_long, refused, bad_bytes, told, first, .. } = problems;
    let counts = [*ragged_short, *ragged_long, *refused, *bad_bytes, *told];
    counts.into_iter().chain([first.len() as u64]).for_each(|count| write_number(count, form));
    for Problem { code, place, args } in first {
        write_bytes(code.as_bytes(), form);
        write_number(place.row?, form);
        write_number(place.field.is_some().into(), form);
        write_bytes(place.field.as_deref().unwrap_or_default().as_bytes(), form);
        write_number(args.len() as u64, form);
        for (name, value) in args {
            write_number(ARGUMENTS.iter().position(|known| known == name)? as u64, form);
            write_bytes(value.as_bytes(), form);
        }
    }
    Some(())
}

fn read_problems(form: &mut ColumnBytes) -> Option<ReadProblems> {
    let mut problems = ReadProblems::default();
    let ReadProblems { ragged_short, ragged_long, refused, bad_bytes, told, .. } = &mut problems;
    for count in [ragged_short, ragged_long, refused, bad_bytes, told] {
        *count = form.below(MOST)?;
    }
    for _ in 0..form.number()? {
        let mut problem = Problem::new(known_code(form.text()?)?);
        problem.place.row = Some(form.below(MOST)?);
        let has_field = form.below(2)? != 0;
        problem.place.field = Some(form.text()?.to_owned()).filter(|_| has_field);
        for _ in 0..form.number()? {
            let name = ARGUMENTS.get(form.number()? as usize)?;
            problem.args.insert(name, form.text()?.to_owned());
        }
        problems.first.push(problem);
    }
    Some(problems)
}

fn write_records(records: &Records, form: &mut Vec<u8>) {
    write_number(records.rows as u64, form);
    write_list(&records.offsets, form, |offset| offset.to_le_bytes());
    write_number(records.pages.len() as u64, form);
    for number in records.pages.iter().flat_map(|&(row, file, high)| [row, file, high]) {
        write_number(number.into(), form);
    }
    write_marks(&records.unread, form);
    for column in &records.columns {
        match &column.values {
            ColumnValues::Integers(values) => write_list(values, form, |value| value.to_le_bytes()),
            ColumnValues::Strings { ids, dictionary } => {
                write_list(ids, form, |id| id.to_le_bytes());
                write_strings(&dictionary.entries, form);
            }
        }
        write_marks(&column.invalid, form);
        write_number(column.first_invalid.len() as u64, form);
        for (row, text, code) in &column.first_invalid {
            write_number((*row).into(), form);
            write_bytes(text.as_bytes(), form);
            write_bytes(code.as_bytes(), form);
        }
    }
}

/// Fills records that are empty with all but their values, and finds these.
fn read_records<'f>(records: &mut Records, form: &mut ColumnBytes<'f>) -> Option<PieceValues<'f>> {
    let rows = form.below(MOST)?;
    records.rows = rows as usize;
    let offsets = form.items()?;
    for _ in 0..form.number()? {
        let row = form.below(rows)? as u32;
        records.pages.push((row, form.below(MOST)? as u32, form.below(MOST)? as u32));
    }
    read_marks(&mut records.unread, rows, form)?;
    let columns = records.columns.iter_mut().map(|column| read_column(column, rows, form));
    let columns = columns.collect::<Option<_>>()?;
    (offsets.len() == records.rows).then_some(PieceValues { offsets, columns })
}

fn read_column<'f>(column: &mut Column, rows: u64, form: &mut ColumnBytes<'f>) -> Option<PieceColumn<'f>> {
    let (count, values) = match &column.values {
        ColumnValues::Integers(_) => {
            let values = form.items()?;
            (values.len(), PieceColumn::Integers(values))
        }
        ColumnValues::Strings { .. } => {
            let ids = form.items()?;
            let texts = Dictionary::of_entries(form.strings()?);
            let known = ids.iter().all(|&id| (u32::from_le_bytes(id) as usize) < texts.len());
            (known.then_some(ids.len())?, PieceColumn::Strings(ids, texts))
        }
    };
    read_marks(&mut column.invalid, rows, form)?;
    for _ in 0..form.number()? {
        let row = form.below(rows)? as u32;
        column.first_invalid.push((row, form.text()?.to_owned(), known_code(form.text()?)?));
    }
    // A column of which no values are kept has none.
    (count as u64 == rows || count == 0).then_some(values)
}

fn write_marks(marks: &Bitmap, form: &mut Vec<u8>) {
    let rows: Vec<u32> = marks.rows().map(|row| row as u32).collect();
    write_list(&rows, form, |row| row.to_le_bytes());
}

fn read_marks(marks: &mut Bitmap, rows: u64, form: &mut ColumnBytes) -> Option<()> {
    let marked = form.list(u32::from_le_bytes)?;
    for row in marked {
        (u64::from(row) < rows).then(|| marks.set(row as usize))?;
    }
    Some(())
}
