/** Selects the handling of PROXY headers by peer address. */
import { compileRanges, type IpMatcher } from '@sluice/base';

/**
 * Handling of PROXY headers. `IGNORE` discards the header, and `USE` applies it. `REJECT` closes connections with a header, and `REQUIRE`
 * closes connections without one. `SKIP` doesn't look for a header.
 */
export type Policy = 'IGNORE' | 'USE' | 'REJECT' | 'REQUIRE' | 'SKIP';

const policies: readonly string[] = ['IGNORE', 'USE', 'REJECT', 'REQUIRE', 'SKIP'] satisfies Policy[];

/** Parses a policy name, ignoring case. Returns `null` for an unknown name. */
export function policyOf(name: string): Policy | null {
  const upper = name.toUpperCase();
  return policies.includes(upper) ? (upper as Policy) : null;
}

export class PeerPolicies {
  readonly #allow: IpMatcher;
  readonly #deny: IpMatcher;
  readonly #fallback: Policy;

  /** Builds the policy from CIDR prefixes to allow and deny. Throws `ERR_VALUE` for an invalid prefix. */
  constructor(allow: readonly string[], deny: readonly string[], fallback: Policy) {
    this.#allow = compileRanges(allow);
    this.#deny = compileRanges(deny);
    this.#fallback = fallback;
  }

  /** Returns the policy for a peer. Peers on a Unix socket are trusted. For other peers, `deny` takes precedence over `allow`. */
  of(address: string, unix: boolean): Policy {
    if (unix) return 'USE';
    if (this.#deny(address)) return 'REJECT';
    return this.#allow(address) ? 'USE' : this.#fallback;
  }
}
