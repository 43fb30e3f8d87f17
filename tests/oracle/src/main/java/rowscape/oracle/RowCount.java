package rowscape.oracle;

/** Rows that the package says lie in the ranges of a query, and those of them that are asked for. */
class RowCount {
  int read;
  int returned;
}
