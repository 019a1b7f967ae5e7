/** Offset and abbreviation at an instant. */
export interface ZonePeriod {
  /** Seconds east of UTC. */
  readonly offset: number;
  /** `CET`, `UTC`, or an offset if the zone has no abbreviation. */
  readonly abbreviation: string;
}

export interface Zone {
  /** `UTC`, `Local`, or a name in the time zone database. */
  readonly name: string;
  /** Returns the offset and abbreviation at an instant, in seconds since the Unix epoch. */
  at(seconds: number): ZonePeriod;
}
