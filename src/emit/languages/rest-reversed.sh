# reversed QUERY: rows from the last to the first, without a scanner.
reversed() {
  curl -fsS -H 'Accept: application/json' "$REST/$TABLE/*?$1" && echo
}
