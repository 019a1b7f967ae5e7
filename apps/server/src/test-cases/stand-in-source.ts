/** Replaces dynamic upstream sources, such as DNS, with the upstreams declared in the case. */
import type { Exchange, UpstreamSource } from '@sluice/http-app';
import type { Plays } from './play.ts';
import { anyAddress, type StandIns } from './stand-in-options.ts';

/** A source without lookups. */
export class StandInSource implements UpstreamSource {
  readonly #plays: Plays;
  /** Lists of upstreams, because a source must return the same list for the same mocks. */
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
