# scan START STOP [ATTRIBUTES [LIMIT]]: rows from START, inclusive, to STOP, exclusive, both Base64; empty is the beginning or the
# end of the table. Each line of the answer holds up to 1,000 whole rows.
scan() {
  scanner=$(curl -fsS -D - -o /dev/null -X PUT -H 'Content-Type: text/xml' \
    -d "<Scanner batch=\"1000\" startRow=\"$1\" endRow=\"$2\"${3-}/>" "$REST/$TABLE/scanner" |
    tr -d '\r' | sed -n 's/^[Ll]ocation: //p')
  [ -n "$scanner" ] || return 1
  left=${4:-2147483647}
  while [ "$left" -gt 0 ]; do
    rows=$((left < 1000 ? left : 1000))
    answer=$(curl -fsS -H 'Accept: application/json' "$scanner?n=$rows&c=2147483647") || return 1
    [ -n "$answer" ] || break
    printf '%s\n' "$answer"
    left=$((left - rows))
  done
  curl -fsS -o /dev/null -X DELETE "$scanner"
}
