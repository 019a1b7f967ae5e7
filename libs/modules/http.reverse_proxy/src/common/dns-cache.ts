/** DNS cache. It sends at most one query at a time per host name, regardless of the number of requests. */

/**
 * Maximum number of cached host names. When the cache is full, the oldest entry is evicted. The limit is necessary because names may come
 * from requests.
 */
const maxEntries = 100;

interface Entry {
  addresses: readonly string[] | null;
  freshUntil: number;
  pending: Promise<readonly string[]> | null;
}

/** Cache of IP address lists, keyed by host name. */
export class DnsCache {
  readonly #entries = new Map<string, Entry>();
  readonly #refresh: number;
  readonly #grace: number;
  readonly #ask: (name: string) => Promise<readonly string[]>;

  /**
   * Times are in milliseconds. A result is fresh for `refresh`. If no newer result is available, the old result is used for another `grace`
   * period.
   */
  constructor(refresh: number, grace: number, ask: (name: string) => Promise<readonly string[]>) {
    this.#refresh = refresh;
    this.#grace = grace;
    this.#ask = ask;
  }

  /** Returns the IP addresses of a host name. The array is the same object until the addresses change. */
  get(name: string): readonly string[] | Promise<readonly string[]> {
    let entry = this.#entries.get(name);
    if (entry === undefined) {
      entry = { addresses: null, freshUntil: 0, pending: null };
      this.#entries.set(name, entry);
      if (this.#entries.size > maxEntries) this.#entries.delete(this.#entries.keys().next().value as string);
    }
    if (entry.addresses !== null && performance.now() < entry.freshUntil) return entry.addresses;
    return (entry.pending ??= this.#renew(entry, name));
  }

  async #renew(entry: Entry, name: string): Promise<readonly string[]> {
    try {
      const addresses = await this.#ask(name);
      const before = entry.addresses;
      if (
        before === null ||
        before.length !== addresses.length ||
        before.some((address, i) => address !== addresses[i])
      )
        entry.addresses = addresses;
      entry.freshUntil = performance.now() + this.#refresh;
    } catch (error) {
      if (entry.addresses === null || this.#grace === 0) throw error;
      entry.freshUntil = performance.now() + this.#grace;
    } finally {
      entry.pending = null;
    }
    return entry.addresses as readonly string[];
  }
}
