/** What is done with the PROXY header of a peer. */
import { compileRanges, type IpMatcher } from '@sluice/base';

/**
 * `IGNORE` takes a header away and does not believe it, `USE` believes it, `REJECT` closes connections with one, `REQUIRE`
 * those without one, and `SKIP` does not look for any.
 */
export type Policy = 'IGNORE' | 'USE' | 'REJECT' | 'REQUIRE' | 'SKIP';

const policies: readonly string[] = ['IGNORE', 'USE', 'REJECT', 'REQUIRE', 'SKIP'] satisfies Policy[];

/** Reads the name of a policy, in either case; `null` if it is none. */
export function policyOf(name: string): Policy | null {
  const upper = name.toUpperCase();
  return policies.includes(upper) ? (upper as Policy) : null;
}

/** Chooses the policy for a peer. */
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

  /** Who may open the Unix socket is trusted; of others, `deny` goes before `allow`. */
  of(address: string, unix: boolean): Policy {
    if (unix) return 'USE';
    if (this.#deny(address)) return 'REJECT';
    return this.#allow(address) ? 'USE' : this.#fallback;
  }
}
