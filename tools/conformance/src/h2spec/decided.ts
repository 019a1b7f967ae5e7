/** Checks of h2spec that fail by decision. */

/** What is known of a check that fails. */
export interface Decided {
  /** As h2spec counts: section and number. */
  readonly check: string;
  readonly because: string;
}

export const decided: readonly Decided[] = [
  {
    check: 'http2/3.5/2',
    because: 'over plain connections a wrong preface is a wrong request of HTTP/1.1, and treated as one',
  },
];
