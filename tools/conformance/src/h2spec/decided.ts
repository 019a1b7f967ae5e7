/** Checks of h2spec that fail by decision: of nghttp2, which reads and writes the frames, or of RFC 9113 against its predecessor. */

/** What is known of a check that fails. */
export interface Decided {
  /** As h2spec counts: section and number. */
  readonly check: string;
  readonly because: string;
}

const closed = 'nghttp2 ignores frames for streams that it has closed and forgotten';
const priority = 'RFC 9113 §5.3.2 has done away with priorities: nghttp2 ignores PRIORITY frames';

export const decided: readonly Decided[] = [
  { check: 'http2/5.1/8', because: closed },
  { check: 'http2/5.1/9', because: closed },
  { check: 'http2/5.1/11', because: closed },
  { check: 'http2/5.1/12', because: closed },
  { check: 'http2/5.1.1/2', because: 'nghttp2 takes a stream of a lower number for one that is closed' },
  { check: 'http2/5.3.1/2', because: priority },
  { check: 'http2/6.3/1', because: priority },
  {
    check: 'http2/6.9.1/3',
    because: 'nghttp2 ends the connection instead of the stream, as RFC 9113 §5.4.1 allows',
  },
  {
    check: 'http2/3.5/2',
    because: 'over plain connections a wrong preface is a wrong request of HTTP/1.1, and answered as one',
  },
];
