/** Test cases of h2spec that Sluice fails by design. */

/** A test case of h2spec that Sluice fails by design, with the reason. */
export interface Decided {
  /** Section and number of the check, in h2spec's notation. */
  readonly check: string;
  readonly because: string;
}

export const decided: readonly Decided[] = [
  {
    check: 'http2/3.5/2',
    because: 'over cleartext connections, an invalid preface is treated as an invalid HTTP/1.1 request',
  },
];
