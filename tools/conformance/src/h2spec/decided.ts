/** h2spec checks that fail by design. */

/** A check that fails by design, with the reason. */
export interface Decided {
  /** Section and number, as h2spec counts them. */
  readonly check: string;
  readonly because: string;
}

export const decided: readonly Decided[] = [
  {
    check: 'http2/3.5/2',
    because: 'over cleartext connections, an invalid preface is treated as an invalid HTTP/1.1 request',
  },
];
