  private val MOST_RUNS = 100000

  /** Times, or numbers, one after the other, of which all have one value: the first and the last of each run. */
  private def runs(first: Instant, last: Instant, value: Instant => Any): List[(Instant, Instant)] =
    runs(first.toEpochMilli, last.toEpochMilli, (millis: Long) => value(Instant.ofEpochMilli(millis))).map {
      case (first, last) => (Instant.ofEpochMilli(first), Instant.ofEpochMilli(last))
    }

  private def runs(first: Long, last: Long, value: Long => Any): List[(Long, Long)] = {
    val found = mutable.ListBuffer.empty[(Long, Long)]
    var from = first
    var ended = first > last
    while (!ended) {
      if (found.size == MOST_RUNS) throw refused(s"a range of more than $MOST_RUNS parts")
      val here = value(from)
      var inside = from
      def same(step: Long): Boolean =
        step <= last - inside && Objects.deepEquals(value(inside + step), here)
      var step = 1L
      while (same(step)) {
        inside += step
        step *= 2
      }
      while (step > 0) {
        if (same(step)) inside += step
        step /= 2
      }
      found += ((from, inside))
      ended = inside == last
      from = inside + 1
    }
    found.toList
  }

