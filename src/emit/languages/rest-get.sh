# get ROW: a row; the answer to one that does not exist is "Not found".
get() {
  curl -sS -H 'Accept: application/json' "$REST/$TABLE/$1" && echo
}
