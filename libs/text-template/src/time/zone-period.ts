/** UTC offset and abbreviation that apply in a zone at an instant. */
export interface ZonePeriod {
  /** UTC offset in seconds. Positive values are east of UTC. */
  readonly offset: number;
  /** Zone abbreviation such as `CET` or `UTC`, or an offset if the zone has no abbreviation. */
  readonly abbreviation: string;
}

export interface Zone {
  /** Zone name: `UTC`, `Local`, or a name from the time zone database. */
  readonly name: string;
  /** Returns the UTC offset and abbreviation at an instant, which is in seconds since the Unix epoch. */
  at(seconds: number): ZonePeriod;
}
