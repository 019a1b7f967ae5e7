/** Stands in for sources of upstreams, such as DNS: what they find is what the case declares. */
import type { Exchange, UpstreamSource } from '@sluice/http-app';
import type { Plays } from './play.ts';
import { anyAddress, type StandIns } from './stand-in-options.ts';

/** A source that looks nothing up. */
export class StandInSource implements UpstreamSource {
  readonly #plays: Plays;
  /** The same list for the same stand-ins, as sources have to give. */
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
