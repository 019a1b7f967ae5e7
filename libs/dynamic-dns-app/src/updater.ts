/** Periodically looks up this machine's IP addresses and updates the DNS records that differ. */
import { messageOf, SluiceError, type Json, type Logger } from '@sluice/base';
import type { AddressSource, AddressVersions, DnsProvider, DnsRecord } from '@sluice/contracts';
import { typeOf, type AddressFilter } from './address-filter.ts';
import type { DynamicDnsApp, DynamicDnsState } from './contract.ts';
import { hostsOf, withHosts, type Domains } from './names.ts';

/** Timeout of an address lookup and of a zone update, in milliseconds. */
const timeout = 60_000;
/** Delay before the first retry, in milliseconds. The delay doubles with each retry, up to the check interval. */
const firstRetry = 10_000;

/** A DNS provider that supports setting records. */
export type SettingProvider = DnsProvider & Required<Pick<DnsProvider, 'set'>>;

/** Settings of {@link Updater}. All durations are in milliseconds. */
export interface UpdaterSettings {
  readonly provider: SettingProvider;
  readonly domains: Domains;
  /** True to also update the records of host names in HTTP routes. */
  readonly dynamicDomains: boolean;
  readonly updateOnly: boolean;
  readonly sources: readonly AddressSource[];
  readonly versions: AddressVersions;
  readonly filter: AddressFilter;
  readonly interval: number;
  readonly ttl: number;
}

type Addresses = ReadonlyMap<'A' | 'AAAA', readonly string[]>;

export class Updater implements DynamicDnsApp {
  readonly #settings: UpdaterSettings;
  readonly #log: Logger;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #domains: Domains;
  #running: Promise<void> | null = null;
  /** True if another check must follow the running check. */
  #again = false;
  #failures = 0;
  #addresses: Addresses = new Map();
  /** Milliseconds since 1970. */
  #lastCheck: number | null = null;
  #lastError: string | null = null;
  /** Records that the app has set, by zone and record. Used for providers that cannot list records. */
  readonly #known = new Map<string, string>();

  constructor(settings: UpdaterSettings, log: Logger) {
    this.#settings = settings;
    this.#log = log;
    this.#domains = settings.domains;
  }

  get state(): DynamicDnsState {
    return {
      addresses: [...this.#addresses.values()].flat(),
      names: [...this.#domains].flatMap(([zone, names]) =>
        names.map((name) => (name === '@' ? zone : `${name}.${zone}`)),
      ),
      last_check: this.#lastCheck === null ? null : new Date(this.#lastCheck).toISOString(),
      last_error: this.#lastError,
    };
  }

  start(): void {
    this.#check();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stop.abort(new SluiceError('ERR_DNS_PROVIDER', 'dynamic_dns is no longer configured'));
  }

  /** Waits until a running check has finished. To abort the check, use `stop`. */
  async done(): Promise<void> {
    await this.#running;
  }

  /** Updates the host names from the HTTP routes in the active document. */
  useDocument(document: Json): void {
    if (!this.#settings.dynamicDomains || this.#stop.signal.aborted) return;
    const domains = withHosts(this.#settings.domains, hostsOf(document));
    if (sameDomains(domains, this.#domains)) return;
    this.#domains = domains;
    this.#check();
  }

  #check(): void {
    if (this.#stop.signal.aborted) return;
    clearTimeout(this.#timer);
    if (this.#running !== null) {
      this.#again = true;
      return;
    }
    this.#running = this.#run().finally(() => {
      this.#running = null;
      if (this.#stop.signal.aborted) return;
      const wait = this.#again ? 0 : this.#pause();
      this.#again = false;
      this.#timer = setTimeout(() => this.#check(), wait);
      this.#timer.unref();
    });
  }

  #pause(): number {
    const { interval } = this.#settings;
    return this.#failures === 0 ? interval : Math.min(interval, firstRetry * 2 ** (this.#failures - 1));
  }

  async #run(): Promise<void> {
    const failures: string[] = [];
    try {
      this.#addresses = await this.#lookUp();
      for (const [zone, names] of this.#domains) {
        try {
          await this.#update(`${zone}.`, names, this.#addresses);
        } catch (error) {
          if (this.#stop.signal.aborted) return;
          failures.push(`${zone}: ${messageOf(error)}`);
          this.#log.error('failed to update DNS records', { zone, error });
        }
      }
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      failures.push(messageOf(error));
      this.#log.error('failed to look up the IP addresses of this machine', { error });
    }
    this.#failures = failures.length === 0 ? 0 : this.#failures + 1;
    this.#lastError = failures.length === 0 ? null : failures.join('; ');
    this.#lastCheck = Date.now();
  }

  /** Looks up the addresses of this machine. For each IP version, uses the first source that returns any addresses. */
  async #lookUp(): Promise<Addresses> {
    const { sources, versions, filter } = this.#settings;
    const found = new Map<'A' | 'AAAA', readonly string[]>();
    const reasons: string[] = [];
    for (const source of sources) {
      const wanted = { ipv4: versions.ipv4 && !found.has('A'), ipv6: versions.ipv6 && !found.has('AAAA') };
      if (!wanted.ipv4 && !wanted.ipv6) break;
      try {
        const all = (await source.addresses(wanted, this.#signal())).filter(filter);
        for (const [isWanted, type] of [
          [wanted.ipv4, 'A'],
          [wanted.ipv6, 'AAAA'],
        ] as const) {
          const own = [...new Set(all.filter((address) => typeOf(address) === type))].sort();
          if (isWanted && own.length > 0) found.set(type, own);
        }
      } catch (error) {
        this.#stop.signal.throwIfAborted();
        reasons.push(messageOf(error));
      }
    }
    if (found.size === 0)
      throw new SluiceError(
        'ERR_DNS_PROVIDER',
        reasons.join('; ') || 'no source returned an address that matches the filters',
      );
    if (reasons.length > 0) this.#log.debug('failed to get IP addresses from a source', { reasons });
    return found;
  }

  async #update(zone: string, names: readonly string[], addresses: Addresses): Promise<void> {
    const { provider, updateOnly, ttl } = this.#settings;
    const current = await provider.get?.(zone, this.#signal());
    const wanted: DnsRecord[] = [];
    for (const name of names)
      for (const [type, values] of addresses) {
        const existing = current?.filter((record) => record.type === type && record.name.toLowerCase() === name);
        const known =
          existing
            ?.map(({ value }) => value)
            .sort()
            .join() ?? this.#known.get(`${zone} ${name} ${type}`);
        if (known === values.join() || (updateOnly && existing?.length === 0)) continue;
        wanted.push(...values.map((value) => ({ name, type, value, ttl })));
      }
    if (wanted.length === 0) return;
    await provider.set(zone, wanted, this.#signal());
    for (const { name, type } of wanted)
      this.#known.set(`${zone} ${name} ${type}`, (addresses.get(type as 'A' | 'AAAA') ?? []).join());
    this.#log.info('updated DNS records', {
      zone,
      records: wanted.map(({ name, type, value }) => `${name} ${type} ${value}`),
    });
  }

  #signal(): AbortSignal {
    return AbortSignal.any([this.#stop.signal, AbortSignal.timeout(timeout)]);
  }
}

function sameDomains(one: Domains, other: Domains): boolean {
  return (
    one.size === other.size &&
    [...one].every(([zone, names]) => {
      const others = new Set(other.get(zone));
      return others.size === names.length && names.every((name) => others.has(name));
    })
  );
}
