//! Types of Java and Scala that key builders use.

/// A type, as far as it matters for bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JavaType {
    Byte,
    Short,
    Int,
    Long,
    Char,
    Boolean,
    Float,
    Double,
    Decimal,
    String,
    Bytes,
    /// An array of arrays of bytes.
    ByteArrays,
    /// An array or list of texts.
    Strings,
    Time,
    Void,
    /// Any other, or none that is stated.
    Other,
}

impl JavaType {
    /// The type of this name, without its packages.
    pub fn named(name: &str) -> Self {
        match name {
            "byte" | "Byte" => Self::Byte,
            "short" | "Short" => Self::Short,
            "int" | "Integer" | "Int" => Self::Int,
            "long" | "Long" => Self::Long,
            "char" | "Character" | "Char" => Self::Char,
            "boolean" | "Boolean" => Self::Boolean,
            "float" | "Float" => Self::Float,
            "double" | "Double" => Self::Double,
            "BigDecimal" => Self::Decimal,
            "String" | "CharSequence" => Self::String,
            "Date" | "Timestamp" | "Calendar" | "Instant" | "LocalDateTime" | "ZonedDateTime"
            | "OffsetDateTime" | "DateTime" => Self::Time,
            "void" | "Unit" => Self::Void,
            _ => Self::Other,
        }
    }

    /// The type of arrays of it.
    pub fn array(self) -> Self {
        match self {
            Self::Byte => Self::Bytes,
            Self::Bytes => Self::ByteArrays,
            Self::String => Self::Strings,
            _ => Self::Other,
        }
    }

    /// Bits of a whole number.
    pub fn bits(self) -> Option<u32> {
        match self {
            Self::Byte => Some(8),
            Self::Short => Some(16),
            Self::Int => Some(32),
            Self::Long => Some(64),
            _ => None,
        }
    }

    /// Least and greatest whole number of it.
    pub fn range(self) -> Option<(i128, i128)> {
        let bits = self.bits()?;
        let half = 1i128 << (bits - 1);
        Some((-half, half - 1))
    }
}
