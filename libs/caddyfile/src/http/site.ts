/** A site: a server block with what its directives made. */
import type { ServerBlock } from '../parser/site.ts';
import type { CaddyfileToken } from '../token.ts';
import { pushTo } from '../collections.ts';
import type { ConfigValue } from './config-value.ts';
import type { SiteAddress } from './site-address.ts';

/** A server block whose directives were read. */
export class Site {
  readonly block: ServerBlock;
  readonly addresses: readonly SiteAddress[];
  readonly #piles: Map<string, ConfigValue[]>;

  constructor(block: ServerBlock, addresses: readonly SiteAddress[], piles: Map<string, ConfigValue[]>) {
    this.block = block;
    this.addresses = addresses;
    this.#piles = piles;
  }

  /** The same site with some of its addresses: those of one listener. */
  withAddresses(addresses: readonly SiteAddress[]): Site {
    return new Site(this.block, addresses, this.#piles);
  }

  /** The token that names a host; that of the first address where none does. */
  keyOf(host: string): CaddyfileToken | undefined {
    const address = this.addresses.find((each) => each.host === host);
    return this.block.keys.find(({ text }) => text === address?.original) ?? this.block.keys[0];
  }

  /** The values of a pile, with the directives that made them. */
  values(name: string): readonly ConfigValue[] {
    return this.#piles.get(name) ?? [];
  }

  /** The values of a pile. The caller knows their type. */
  pile<T>(name: string): T[] {
    return this.values(name).map(({ value }) => value as T);
  }

  add(value: ConfigValue): void {
    pushTo(this.#piles, value.pile, value);
  }

  /** Its hosts, each once; none if an address holds for all hosts. */
  hosts(): string[] {
    if (this.hasCatchAll) return [];
    return [...new Set(this.addresses.map(({ host }) => host))];
  }

  /** Its hosts as access logs distinguish them: with a port that is not usual for the scheme. */
  logHosts(): string[] {
    const named = this.addresses.filter(({ host }) => host !== '');
    return [...new Set(named.map(logHost))];
  }

  /** Hosts that are not for plain HTTP alone. */
  hostsBeyondHttp(httpPort: string): string[] {
    const hosts = new Set<string>();
    for (const { host, port, scheme } of this.addresses) {
      if (host !== '' && scheme !== 'http' && port !== httpPort) hosts.add(host);
    }
    return [...hosts].sort();
  }

  /** Whether an address holds for all hosts. */
  get hasCatchAll(): boolean {
    return this.addresses.some(({ host }) => host === '');
  }

  /** Whether all addresses are written as plain HTTP. */
  get isAllHttp(): boolean {
    return this.addresses.every(({ scheme }) => scheme === 'http');
  }
}

function logHost({ host, port, scheme }: SiteAddress): string {
  const usual = port === '' || (scheme === 'http' && port === '80') || (scheme === 'https' && port === '443');
  if (usual) return host;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
