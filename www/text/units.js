/** Bytes of the units HBase counts in. */
export const MIB = 2 ** 20;
export const GIB = 2 ** 30;

/** A time to live is in seconds; times of records are in milliseconds. */
export const SECONDS_PER_DAY = 86_400;
export const MILLISECONDS_PER_DAY = 1000 * SECONDS_PER_DAY;
