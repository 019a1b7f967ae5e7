/** A site: a server block together with the results of its directives. */
import type { ServerBlock } from '../parser/site.ts';
import type { CaddyfileToken } from '../token.ts';
import { pushTo } from '../collections.ts';
import type { ConfigValue } from './config-value.ts';
import type { SiteAddress } from './site-address.ts';

/** A server block with parsed directives. */
export class Site {
  readonly block: ServerBlock;
  readonly addresses: readonly SiteAddress[];
  readonly #piles: Map<string, ConfigValue[]>;

  constructor(block: ServerBlock, addresses: readonly SiteAddress[], piles: Map<string, ConfigValue[]>) {
    this.block = block;
    this.addresses = addresses;
    this.#piles = piles;
  }

  withAddresses(addresses: readonly SiteAddress[]): Site {
    return new Site(this.block, addresses, this.#piles);
  }

  /** Returns the token of the address that contains a host. If there is none, returns the token of the first address. */
  keyOf(host: string): CaddyfileToken | undefined {
    const address = this.addresses.find((each) => each.host === host);
    return this.block.keys.find(({ text }) => text === address?.original) ?? this.block.keys[0];
  }

  /** Returns the values of one kind, together with the names of the directives that created them. */
  values(name: string): readonly ConfigValue[] {
    return this.#piles.get(name) ?? [];
  }

  pile<T>(name: string): T[] {
    return this.values(name).map(({ value }) => value as T);
  }

  add(value: ConfigValue): void {
    pushTo(this.#piles, value.pile, value);
  }

  /** Returns the site's hosts without duplicates. Returns an empty list if an address covers all hosts. */
  hosts(): string[] {
    if (this.hasCatchAll) return [];
    return [...new Set(this.addresses.map(({ host }) => host))];
  }

  /** Returns the site's hosts as they appear in access logs. Includes ports other than the scheme's default port. */
  logHosts(): string[] {
    const named = this.addresses.filter(({ host }) => host !== '');
    return [...new Set(named.map(logHost))];
  }

  /** Returns the hosts that are served over HTTPS or on non-default ports. Excludes hosts that are served only over plain HTTP. */
  hostsBeyondHttp(httpPort: string): string[] {
    const hosts = new Set<string>();
    for (const { host, port, scheme } of this.addresses) {
      if (host !== '' && scheme !== 'http' && port !== httpPort) hosts.add(host);
    }
    return [...hosts].sort();
  }

  get hasCatchAll(): boolean {
    return this.addresses.some(({ host }) => host === '');
  }

  get isAllHttp(): boolean {
    return this.addresses.every(({ scheme }) => scheme === 'http');
  }
}

function logHost({ host, port, scheme }: SiteAddress): string {
  const isDefaultPort = port === '' || (scheme === 'http' && port === '80') || (scheme === 'https' && port === '443');
  if (isDefaultPort) return host;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
