/** Policy for PROXY headers by peer. */
import { compileRanges, type IpMatcher } from '@sluice/base';

/**
 * `IGNORE` discards the header, `USE` accepts it, `REJECT` closes connections with a header, `REQUIRE` closes connections without a header,
 * and `SKIP` does not look for a header.
 */
export type Policy = 'IGNORE' | 'USE' | 'REJECT' | 'REQUIRE' | 'SKIP';

const policies: readonly string[] = ['IGNORE', 'USE', 'REJECT', 'REQUIRE', 'SKIP'] satisfies Policy[];

/** Parses a policy name, ignoring case; returns `null` if it is unknown. */
export function policyOf(name: string): Policy | null {
  const upper = name.toUpperCase();
  return policies.includes(upper) ? (upper as Policy) : null;
}

export class PeerPolicies {
  readonly #allow: IpMatcher;
  readonly #deny: IpMatcher;
  readonly #fallback: Policy;

  /** Ranges are CIDR prefixes. Throws ERR_VALUE. */
  constructor(allow: readonly string[], deny: readonly string[], fallback: Policy) {
    this.#allow = compileRanges(allow);
    this.#deny = compileRanges(deny);
    this.#fallback = fallback;
  }

  /** Peers on a Unix socket are trusted. For other peers, `deny` takes precedence over `allow`. */
  of(address: string, unix: boolean): Policy {
    if (unix) return 'USE';
    if (this.#deny(address)) return 'REJECT';
    return this.#allow(address) ? 'USE' : this.#fallback;
  }
}
