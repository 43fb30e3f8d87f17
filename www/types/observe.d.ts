// Tables as the files of HBase and the counters of a cluster show them.
import type { Problem } from './design.d.ts';

/** A file of HBase, or of a folder of it, or a dump of a cluster; `changed` is the time of one that is no file. */
export type ObservedFile = { path: string; data: Blob; changed?: number };

/** Figures by key and time. */
export type Heat = { starts: string[]; times: number[]; step: number; counts: number[][] };

/** Reads and writes are 0 where a dump has both in one number. */
export type RequestCounts = { reads: number; writes: number; requests: number };

/** An event of a region. */
export type RegionEvent = {
  time: number;
  kind: 'split' | 'merge' | 'move' | 'reset' | 'missing';
  region: string;
  start?: string;
  to?: string;
};

/** Requests to a table between dumps of its counters. */
export type ObservedRequests = RequestCounts & {
  metric: 'reads' | 'writes' | 'requests' | 'size';
  origin: 'server' | 'master' | 'totals' | 'rates';
  dumps: number;
  times: [number, number] | null;
  regions: (RequestCounts & {
    region: string;
    start: string | null;
    end: string | null;
    server?: string;
    covered: number;
    last: RequestCounts;
    size?: number;
    share: number;
    gone: boolean;
  })[];
  servers: (RequestCounts & { server: string; regions: number; share: number })[];
  heat: Heat | null;
  headline: Problem;
  events: RegionEvent[];
};

/** A row, or the beginning of rows, that takes much. */
export type HotKey = { key: string; cells: { value: number; low: number; high: number }; share: number };

/** A table. Keys are in the notation of HBase's shell, times in milliseconds. */
export type ObservedTable = {
  table: string;
  source: 'wal' | 'hfile' | 'index' | 'both' | 'counters';
  cells: number;
  rows: number;
  bytes: number;
  deletes: number;
  times: [number, number] | null;
  untimed: number;
  borders: 'regioninfo' | 'manifest' | 'shell' | 'dumps' | 'wal' | 'design' | 'files' | 'keys';
  regions: { start: string; end: string; server?: string; cells: number; bytes: number; share: number }[];
  heat: Heat | null;
  hotRows: HotKey[];
  prefixes: HotKey[];
  families: {
    family: string;
    files: number;
    stored: number;
    cells: number;
    encodings: string[];
    compressions: string[];
  }[];
  requests?: ObservedRequests;
  headline: Problem;
  notes: Problem[];
};

/** All tables of the files, and the files. */
export type ObservedAnswer = {
  tables: ObservedTable[];
  files: { path: string; kind: string; counted: boolean; problem?: Problem }[];
  kinds: [string, number][];
  unread: number;
};

/** Files that were given, and what they come to. */
export type Observed = {
  files: ObservedFile[];
  all: boolean;
  answer: ObservedAnswer | null;
  /** Bytes read, and to be read; nothing when it is done. */
  progress: [number, number] | null;
  problem: Problem | null;
};
