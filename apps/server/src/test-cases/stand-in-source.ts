/** Replaces dynamic upstream sources, such as DNS, with the mock upstreams of the test case. */
import type { Exchange, UpstreamSource } from '@sluice/http-app';
import type { Plays } from './play.ts';
import { anyAddress, type StandIns } from './stand-in-options.ts';

/** Upstream source that performs no lookups. */
export class StandInSource implements UpstreamSource {
  readonly #plays: Plays;
  /** Cached upstream lists, because the source must return the same list for the same mock upstreams. */
  readonly #lists = new WeakMap<StandIns, readonly string[]>();

  constructor(plays: Plays) {
    this.#plays = plays;
  }

  upstreams(exchange: Exchange): readonly string[] {
    const standIns = this.#plays.of(exchange)?.standIns;
    if (standIns === undefined) return [];
    const known = this.#lists.get(standIns);
    if (known !== undefined) return known;
    const found = [...standIns.keys()].filter((address) => address !== anyAddress);
    this.#lists.set(standIns, found);
    return found;
  }
}
