/** What a time zone is. */

/** Offset and short name at an instant. */
export interface ZonePeriod {
  /** Seconds east of UTC. */
  readonly offset: number;
  /** `CET`, `UTC`, or an offset where the zone has no short name. */
  readonly abbreviation: string;
}

/** A time zone. */
export interface Zone {
  /** `UTC`, `Local`, or a name of the database. */
  readonly name: string;
  /** What holds at an instant, in seconds since 1970. */
  at(seconds: number): ZonePeriod;
}
