/** Rate limit zones of the active configuration by name, for the admin API. */
import type { Zone } from './zone.ts';

/** Table of zones. Zones with the same name share their events, so one zone represents all of them. */
export class ZoneTable {
  readonly #zones = new Map<string, Zone[]>();

  add(zones: readonly Zone[]): void {
    for (const zone of zones) {
      const same = this.#zones.get(zone.settings.name);
      if (same === undefined) this.#zones.set(zone.settings.name, [zone]);
      else same.push(zone);
    }
  }

  remove(zones: readonly Zone[]): void {
    for (const zone of zones) {
      const left = (this.#zones.get(zone.settings.name) ?? []).filter((each) => each !== zone);
      if (left.length === 0) this.#zones.delete(zone.settings.name);
      else this.#zones.set(zone.settings.name, left);
    }
  }

  get(name: string): Zone | undefined {
    return this.#zones.get(name)?.at(-1);
  }

  *[Symbol.iterator](): IterableIterator<Zone> {
    for (const same of this.#zones.values()) yield same.at(-1) as Zone;
  }
}
