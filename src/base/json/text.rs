//! Values as JSON text, by one small serializer.

use serde::ser::{
    Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, Serializer,
};
use std::fmt::{Display, Error, Write};

type Done = Result<(), Error>;

/// JSON as it is written.
#[derive(Default)]
struct Text(String);

/// A value as JSON.
pub fn text<T: Serialize + ?Sized>(value: &T) -> String {
    let mut text = Text::default();
    // Writing to a text never fails, and no key of ours is anything but a text.
    let _ = value.serialize(&mut text);
    text.0
}

impl Text {
    fn display(&mut self, value: impl Display) -> Done {
        write!(self.0, "{value}")
    }

    fn put(&mut self, text: &str) -> Done {
        self.0.push_str(text);
        Ok(())
    }

    fn string(&mut self, text: &str) -> Done {
        self.0.push('"');
        for char in text.chars() {
            match char {
                '"' | '\\' => {
                    self.0.push('\\');
                    self.0.push(char);
                }
                '\n' => self.0.push_str("\\n"),
                '\r' => self.0.push_str("\\r"),
                '\t' => self.0.push_str("\\t"),
                '\u{8}' => self.0.push_str("\\b"),
                '\u{c}' => self.0.push_str("\\f"),
                ..' ' => write!(self.0, "\\u{:04x}", u32::from(char))?,
                _ => self.0.push(char),
            }
        }
        self.put("\"")
    }

    /// Sets an item of a list or object apart from the one before.
    fn comma(&mut self) {
        if !self.0.ends_with(['[', '{']) {
            self.0.push(',');
        }
    }

    fn name(&mut self, name: &str) -> Done {
        self.comma();
        self.string(name)?;
        self.put(":")
    }

    /// The beginning of a value that names which of several kinds it is.
    fn variant(&mut self, name: &str, open: &str) -> Done {
        self.put("{")?;
        self.name(name)?;
        self.put(open)
    }
}

/// The kinds of numbers, printed as they are.
macro_rules! displayed {
    ($($name:ident: $type:ty),*) => {
        $(fn $name(self, value: $type) -> Done {
            self.display(value)
        })*
    };
}

impl<'a> Serializer for &'a mut Text {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = &'a mut Text;
    type SerializeTuple = &'a mut Text;
    type SerializeTupleStruct = &'a mut Text;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = &'a mut Text;
    type SerializeStruct = &'a mut Text;
    type SerializeStructVariant = &'a mut Text;

    displayed! {
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64
    }

    fn serialize_f32(self, value: f32) -> Done {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Done {
        match value.is_finite() {
            true => write!(self.0, "{value:?}"),
            false => self.put("null"),
        }
    }

    fn serialize_char(self, value: char) -> Done {
        self.string(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Done {
        self.string(value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Done {
        self.collect_seq(value)
    }

    fn serialize_none(self) -> Done {
        self.put("null")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Done {
        self.put("null")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Done {
        self.put("null")
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Done {
        self.string(name)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &T,
    ) -> Done {
        self.variant(name, "")?;
        value.serialize(&mut *self)?;
        self.put("}")
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, Error> {
        self.put("[")?;
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Error> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Error> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        Err(Error)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, Error> {
        self.put("{")?;
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Error> {
        self.serialize_map(None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Self, Error> {
        self.variant(name, "{")?;
        Ok(self)
    }
}

/// Lists of any kind.
macro_rules! listed {
    ($($trait:ident $item:ident),*) => {
        $(impl $trait for &mut Text {
            type Ok = ();
            type Error = Error;

            fn $item<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
                self.comma();
                value.serialize(&mut **self)
            }

            fn end(self) -> Done {
                self.put("]")
            }
        })*
    };
}

listed!(SerializeSeq serialize_element, SerializeTuple serialize_element, SerializeTupleStruct serialize_field);

/// Objects of any kind, with what ends them.
macro_rules! named {
    ($($trait:ident $end:literal),*) => {
        $(impl $trait for &mut Text {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Done {
                self.name(name)?;
                value.serialize(&mut **self)
            }

            fn end(self) -> Done {
                self.put($end)
            }
        })*
    };
}

named!(SerializeStruct "}", SerializeStructVariant "}}");

impl SerializeMap for &mut Text {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Done {
        self.comma();
        key.serialize(&mut **self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        self.put(":")?;
        value.serialize(&mut **self)
    }

    fn end(self) -> Done {
        self.put("}")
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use std::collections::BTreeMap;

    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    enum Kind {
        Plain,
        Of(u8),
        With { some: Option<i64>, none: Option<i64> },
    }

    #[derive(Serialize)]
    struct All {
        kinds: [Kind; 3],
        map: BTreeMap<String, (f64, char)>,
        text: String,
        nothing: (),
        number: f64,
        bytes: &'static [u8],
    }

    #[test]
    fn writes_what_serde_json_writes() {
        let all = All {
            kinds: [Kind::Plain, Kind::Of(7), Kind::With { some: Some(-3), none: None }],
            map: [("b".to_owned(), (1.0, '"')), ("a\\".to_owned(), (-0.25, '\u{1}'))].into(),
            text: "é \u{2028} </script> \n".to_owned(),
            nothing: (),
            number: f64::NAN,
            bytes: &[1, 2],
        };
        let (ours, theirs) = (super::text(&all), serde_json::to_value(&all).expect("JSON"));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&ours).expect(&ours), theirs);
        assert_eq!(super::text(&theirs), theirs.to_string());
    }
}
