// Defaults for a document without growth and cluster members. The core has the same defaults:
// tests/node/boundary.test.mjs compares them.

/** When regions split, in the order they are offered. */
export const SPLIT_POLICIES = ['ConstantSize', 'IncreasingToUpperBound', 'Stepping', 'Disabled'];
/** The policy of HBase 2. */
export const SPLIT_POLICY = 'Stepping';
/** The cluster as HBase is shipped. */
export const CLUSTER = { maxRegionGB: 10, flushMB: 128, majorCompactionDays: 7 };

/** Rows per day where no records tell how many. */
export const ROWS_PER_DAY = 1_000_000;
/** Months to look ahead. */
export const MONTHS = 12;
/** Region servers. */
export const SERVERS = 4;
/** Days of a period, once rows are said to come in periods. */
export const PERIOD_DAYS = 28;
