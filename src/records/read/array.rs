//! A JSON array of records, read as JSON Lines.

/// Rewrites a JSON array as lines, a byte for a byte: the commas between its elements and its last bracket become line ends, line ends
/// within an element become spaces, as does its first bracket. Offsets stay what they are in the file. Text that does
/// not begin with a bracket is left alone; several arrays, one after the other, are read as one.
#[derive(Clone, Debug, Default)]
pub struct ArrayUnfolder {
    form: ArrayForm,
    /// Objects and arrays open around the next byte, the outer array not counted.
    depth: u32,
    quoted: bool,
    escaped: bool,
    /// True once something of the element under way was read.
    begun: bool,
    /// True behind a comma, before anything of the next element.
    behind_comma: bool,
    /// Elements that hold something.
    elements: u64,
    empty: Vec<EmptyElement>,
}

/// A place where commas enclose no element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmptyElement {
    /// A message code.
    pub code: &'static str,
    /// The number of the record that it is told of, from 1.
    pub record: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ArrayForm {
    #[default]
    Unknown,
    Lines,
    Array,
}

impl ArrayUnfolder {
    /// Rewrites the next bytes of a file.
    pub fn apply(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            match self.form {
                ArrayForm::Lines => return,
                ArrayForm::Unknown => match byte {
                    // White space, and the mark that some programs put before UTF-8, also between arrays.
                    b' ' | b'\t' | b'\r' | b'\n' | 0xef | 0xbb | 0xbf => {}
                    b'[' => {
                        self.form = ArrayForm::Array;
                        (self.begun, self.behind_comma) = (false, false);
                        *byte = b' ';
                    }
                    _ => self.form = ArrayForm::Lines,
                },
                ArrayForm::Array => self.element(byte),
            }
        }
    }

    /// True if the text is known to be no array.
    pub fn is_of_lines(&self) -> bool {
        self.form == ArrayForm::Lines
    }

    /// True within an array: it ends too early when nothing follows.
    pub fn is_open(&self) -> bool {
        self.form == ArrayForm::Array
    }

    /// Empty elements met since the last call.
    pub fn take_empty(&mut self) -> Vec<EmptyElement> {
        std::mem::take(&mut self.empty)
    }

    /// A comma or the last bracket ends an element, which may hold nothing.
    fn end_element(&mut self, is_last: bool) {
        if self.begun {
            self.elements += 1;
        } else if !is_last {
            self.empty.push(EmptyElement { code: "input.empty-element", record: self.elements + 1 });
        } else if self.behind_comma && self.elements > 0 {
            self.empty.push(EmptyElement { code: "input.trailing-comma", record: self.elements });
        }
        (self.begun, self.behind_comma) = (false, !is_last);
    }

    fn element(&mut self, byte: &mut u8) {
        let ends = self.depth == 0 && !self.quoted && matches!(*byte, b',' | b']');
        self.begun |= !ends && !byte.is_ascii_whitespace();
        if ends {
            self.end_element(*byte == b']');
        }
        if self.quoted {
            match *byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.quoted = false,
                _ => {}
            }
            return;
        }
        match *byte {
            b'"' => self.quoted = true,
            b'{' | b'[' => self.depth += 1,
            b']' if self.depth == 0 => {
                self.form = ArrayForm::Unknown;
                *byte = b'\n';
            }
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            b',' if self.depth == 0 => *byte = b'\n',
            b'\n' | b'\r' => *byte = b' ',
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ArrayUnfolder;
    use proptest::prelude::*;

    fn unfolded(text: &str, cut: usize) -> String {
        let mut bytes = text.as_bytes().to_vec();
        let mut unfold = ArrayUnfolder::default();
        let (first, second) = bytes.split_at_mut(cut.min(text.len()));
        unfold.apply(first);
        unfold.apply(second);
        String::from_utf8(bytes).expect("utf-8")
    }

    proptest! {
        #[test]
        fn an_array_of_objects_becomes_a_line_each(
            texts in prop::collection::vec("[a-z,\"\\\\\\[\\]{}\n]{0,8}", 0..6), pretty in any::<bool>(), cut in 0usize..200,
        ) {
            let records: Vec<serde_json::Value> =
                texts.iter().map(|text| serde_json::json!({ "t": text, "l": [text, 1] })).collect();
            let json = if pretty { serde_json::to_string_pretty(&records) } else { serde_json::to_string(&records) };
            let lines = unfolded(&json.expect("json"), cut);
            let read: Vec<serde_json::Value> = lines
                .lines()
                .filter(|line| !line.trim().is_empty())
                .map(|line| serde_json::from_str(line).expect("a line is JSON"))
                .collect();
            prop_assert_eq!(read, records);
        }

        #[test]
        fn lines_are_left_alone(text in "\\{[a-z\n,\\[\\]]{0,40}", cut in 0usize..40) {
            prop_assert_eq!(unfolded(&text, cut), text);
        }
    }
}
