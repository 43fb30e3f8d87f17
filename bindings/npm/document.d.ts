// Made of data/schema/design-1.schema.json by scripts/build/schema-types.mjs.

/** A table of HBase before it is created: the fields of a record, how row keys are built from them, split points and queries. */
export type DesignDocument = {
  /** Version of the document. */
  rowscape: 1;
  /** As a person calls it. */
  name?: string;
  /** The columns of a record; no two of one name. */
  fields: DeclaredField[];
  /** Tables of numbers in place of texts, by name: for the step lookup. */
  lookup?: {
    [name: string]: {
      [name: string]: number;
    };
  };
  /** The time field that tells when a record is written. */
  arrival?: string;
  /** The fields that together distinguish any two records of the table. */
  identity?: string[];
  /** The field that tells a read from a write, where the records are both. */
  operation?: {
    /** Its name: a field of type text. */
    field: string;
    /** Its values that mean a read, such as GET and SCAN; all others are writes. */
    read: string[];
  };
  let?: Let;
  rowkey?: Formula;
  kinds?: Kinds;
  splits?: Splits;
  /** Number of region servers. */
  servers?: Count;
  writes?: Writes;
  /** The only table, in the short form. */
  table?: {
    name?: TableName;
    families?: Families;
  };
  /** The tables, in the normal form: designs for the same records. */
  tables?: Table[];
  /** Queries of the tables. */
  queries?: Query[];
  /** Rows written a second, all regions together. A share of the writes is a fault where it comes near what one region takes. */
  writesPerSecond?: number;
  /** How much will come: in rows or in bytes. */
  growth?: {
    /** Rows there are at the start. */
    rowsNow?: number;
    /** Rows that come a day. */
    rowsPerDay?: number;
    /** Bytes there are at the start, uncompressed. */
    bytesNow?: number;
    /** Bytes that come a day, uncompressed. */
    bytesPerDay?: number;
    /** Months to look ahead; 12 without it. */
    months?: number;
    /** Where in the key space it comes: at the end, everywhere alike, at the end and from the beginning again after so many days, or in a table of its own for every so many days. */
    arrivals?: "rising" | "spread" | {
      loop: Period;
    } | {
      tablePerPeriod: Period;
    };
  };
  /** Region servers: their memory and settings, and the load that they take. */
  cluster?: {
    /** Java heap of a region server, GiB; 16 without it. */
    heapGB?: number;
    /** Share of the heap for writes: hbase.regionserver.global.memstore.size; 0.4 without it. */
    memstoreFraction?: number;
    /** hbase.hregion.memstore.flush.size, MiB; 128 without it. */
    flushMB?: number;
    /** hbase.hregion.max.filesize, GiB; 10 without it. */
    maxRegionGB?: number;
    /** Rows a second that one region takes, about; 10,000 without it. */
    regionWrites?: number;
    /** Rows a second that one server takes, about; 20,000 without it. */
    serverWrites?: number;
    /** Increments a second that one row takes, about; 1,000 without it. */
    rowWrites?: number;
    /** Reads a second that one region serves, about; 10,000 without it. */
    regionReads?: number;
    /** Reads a second that one server serves, about; 20,000 without it. */
    serverReads?: number;
    /** hbase.hregion.majorcompaction, days, 0 for never; 7 without it. */
    majorCompactionDays?: number;
    /** hbase.regionserver.region.split.policy without …RegionSplitPolicy; Stepping, as HBase 2 is shipped, without it. */
    splitPolicy?: "ConstantSize" | "IncreasingToUpperBound" | "Stepping" | "Disabled";
  };
  /** How to generate records: rows, seed, start, span, rate, rhythm, tick, late, distinct, fields, and profile, the number of records that a link describes. FORMAT.md says what each may be. */
  generate?: Record<string, unknown>;
};

export type CellFormula = {
  /** A formula as that of a row key. */
  formula: string;
};

/** Effect of a record on a row that has its key: append, each record is a row of its own, without it; bulk, the same in files that are loaded; upsert replaces the row on purpose; counter increments it. */
export type Writes = "append" | "bulk" | "upsert" | "counter";

/** Days. */
export type Period = number;

export type Count = number;

/** A row key formula, as FORMAT.md describes it. */
export type Formula = string;

/** Formulas by name, to be named in other formulas; no name is also that of a field. */
export type Let = {
  [name: string]: Formula;
};

/** Bytes in the notation of the HBase shell: \xNN with upper-case digits. */
export type Bytes = string;

export type TableName = string;

export type DeclaredField = {
  name: string;
  type: "text" | "integer" | "time" | "bytes" | "float" | "decimal" | "boolean";
  /** Form of the text: of a time a Java pattern, iso8601, epoch-seconds, epoch-seconds.SSS, epoch-millis, epoch-micros or epoch-nanos; of bytes escaped, hex or uuid. */
  format?: string;
  /** Zone of a time: Z, UTC or an offset such as +08:00. */
  zone?: string;
  /** Bytes of every value of a text or of bytes, when that never varies; records with others are refused. */
  width?: number;
  /** Columns of a file whose texts, joined by a blank, are the text of the field; without it the column of its name. */
  from?: string[];
  /** True if records may lack it, which is NULL and no value: of text, bytes and decimals without a width. */
  nullable?: boolean;
};

export type Table = {
  name: TableName;
  let?: Let;
  rowkey?: Formula;
  kinds?: Kinds;
  splits?: Splits;
  servers?: Count;
  writes?: Writes;
  families?: Families;
};

export type Regions = number;

/** How the table is cut into regions when it is made; without it, one region. */
export type Splits = {
  points: Bytes[];
} | {
  algorithm: "HexStringSplit" | "DecimalStringSplit" | "UniformSplit";
  regions: Regions;
  first?: Bytes;
  last?: Bytes;
} | {
  between: Bytes[];
  regions: Regions;
} | {
  /** Start and end of a range of hexadecimal numbers, as getHexSplits of the HBase book takes them. */
  hexRange: Bytes[];
  regions: Regions;
} | {
  /** Least and greatest of the numbers written in two bytes. */
  shortRange: number[];
  regions: Regions;
} | {
  salts: Regions;
  /** Decimal digits of a salt; one byte without it. */
  digits?: number;
} | {
  /** First date, and the date before which they end, as 2021-09-01. */
  dates: string[];
  /** How long a region is: 1d, 2w, 1M, 1y. */
  every: string;
  /** How keys write the date: a Java pattern, yyyyMMdd without it. */
  format?: string;
} | {
  sample: Regions;
};

/** Kinds of records by name, each with a row key and cells of its own. */
export type Kinds = {
  [name: string]: {
    /** The field that tells the kind of a record, and its values that mean this one. */
    when: {
      /** A field of type text, integer or boolean. */
      field: string;
      is: unknown[];
    };
    /** The fields that records of this kind have: a query for another one does not read them. All without it. */
    fields?: string[];
    rowkey: Formula;
    /** The cells that only records of this kind write. */
    cells?: ({
      /** Name of a column family of the table. */
      family: string;
      /** The same in all records, or made of their fields. */
      qualifier: Bytes | CellFormula;
      /** Bytes of the value. */
      bytes?: number;
      /** The value, made of the fields of a record. */
      value?: CellFormula;
      /** A cell that the records of a row share: the bytes that each adds, or the formula of these. */
      packed?: number | CellFormula;
      /** The time field that is the cell's timestamp; the time of the write without it. */
      timestamp?: string;
    })[];
  };
};

export type Families = ({
  name: string;
  compression?: "NONE" | "GZ" | "SNAPPY" | "LZO" | "LZ4" | "ZSTD" | "BZIP2" | "LZMA" | "BROTLI";
  versions?: Count;
  /** Fewest versions kept of a cell, however old; at most versions. */
  minVersions?: Count;
  /** Seconds that a cell lives. */
  ttl?: Count;
  /** Share of the rows that have cells of the family; all without it. */
  share?: number;
  /** How many rows have cells of the family, in place of share. */
  rows?: number;
  /** Bytes of a block of its files; 65,536 without it. */
  blocksize?: number;
  /** Bloom filters: of row keys without it; none; or of prefixes of row keys, of so many bytes. */
  bloom?: "NONE" | "ROW" | "ROWCOL" | {
    prefix: number;
  };
  /** Encoding of the blocks of its files. */
  encoding?: "NONE" | "PREFIX" | "DIFF" | "FAST_DIFF" | "ROW_INDEX_V1";
  /** True if its blocks are the last that leave the cache. */
  inMemory?: boolean;
  /** Bytes from which on a value lies in a MOB file. */
  mob?: number;
  cells?: ({
    /** The same in all records, or made of their fields. */
    qualifier: Bytes | CellFormula;
    /** Bytes of the value. */
    bytes?: number;
    /** The value, made of the fields of a record. */
    value?: CellFormula;
    /** A cell that the records of a row share: the bytes that each adds, or the formula of these. */
    packed?: number | CellFormula;
    /** The time field that is the cell's timestamp; the time of the write without it. */
    timestamp?: string;
  })[];
})[];

export type Query = {
  name: string;
  where?: {
    [name: string]: Condition;
  };
  order?: string | {
    field: string;
    direction?: "ascending" | "descending";
  };
  /** Name of the table that it is put to; all of them without it. */
  table?: TableName;
  limit?: Count;
  /** How often it is asked, a second. */
  rate?: number;
  /** Which values it is asked for, over and over: those it names, those of the records as often as they have them, or all of the records alike. */
  popularity?: "named" | "rows" | "values";
  /** True if the rows it returns are deleted then, as those of a queue. */
  deletes?: boolean;
  /** A scan that someone wrote for it, to be held against the plan: start row and stop row. */
  scan?: Bytes[];
};

export type QueryValue = string | number | boolean;

export type Condition = QueryValue | QueryValue[] | {
  /** A value; null of a field that may be NULL. */
  eq: string | number | boolean | null;
} | {
  in: QueryValue[];
} | {
  /** The beginning of values, or a list of beginnings of which they have one. */
  prefix: string | string[];
} | {
  from?: QueryValue;
  to?: QueryValue;
};
