/** Assigns sites to listeners. Sites with exactly the same listeners form one server. */
import { pushTo } from '../collections.ts';
import { caddyfileError } from '../errors.ts';
import { formatListener } from './listener-address.ts';
import type { GlobalOptions } from './global-options.ts';
import type { SiteAddress } from './site-address.ts';
import type { Site } from './site.ts';

/** Values of a `bind` directive or of the `default_bind` option. */
export interface Binding {
  readonly addresses: readonly string[];
  readonly protocols: readonly string[];
}

const anyAddress: Binding = { addresses: [''], protocols: [] };

/** A listener address and its protocols. An empty list selects the default protocols. */
export interface Listener {
  readonly address: string;
  readonly protocols: readonly string[];
}

/** A group of listeners, and the sites that all of these listeners serve. */
export interface Pairing {
  readonly listeners: readonly Listener[];
  readonly sites: readonly Site[];
}

/** A listener address and its protocols. If the list of protocols is empty, the listener uses the default protocols. */
type SitesByListener = Map<string, Map<string, Site[]>>;

/** Groups the sites by listener. Returns the groups in address order. */
export function pairListeners(sites: readonly Site[], options: GlobalOptions): Pairing[] {
  const byListener: SitesByListener = new Map();
  sites.forEach((site, index) => {
    for (const [listener, part] of partsOf(site, index, options)) {
      const [address, protocol] = listener.split('\n') as [string, string];
      const protocols = byListener.get(address) ?? new Map<string, Site[]>();
      byListener.set(address, protocols);
      pushTo(protocols, protocol, part);
    }
  });
  return joinPairings(byListener);
}

/** Splits a site by listener. Each resulting site contains the site addresses that this listener serves. */
function partsOf(site: Site, index: number, options: GlobalOptions): Map<string, Site> {
  const addressesAt = new Map<string, SiteAddress[]>();
  site.addresses.forEach((address, key) => {
    for (const listener of listenersOf(
      site,
      address,
      options,
      `server block ${index}, key ${key} (${address.original})`,
    )) {
      pushTo(addressesAt, listener, address);
    }
  });
  // Listeners that serve the same addresses share one site object.
  const parts = new Map<string, Site>();
  const byAddresses = new Map<string, Site>();
  for (const [listener, addresses] of addressesAt) {
    const key = addresses.map(({ original }) => original).join('\n');
    const part = byAddresses.get(key) ?? site.withAddresses(addresses);
    byAddresses.set(key, part);
    parts.set(listener, part);
  }
  return parts;
}

function listenersOf(site: Site, address: SiteAddress, options: GlobalOptions, where: string): Set<string> {
  const fail = (problem: string): never => {
    const key = site.block.keys.find(({ text }) => text === address.original);
    throw caddyfileError(`${where}: determining listener address: ${problem}`, undefined, key);
  };
  const { scheme } = address;
  if (scheme === 'wss') return fail('the scheme wss:// is only supported in browsers; use https:// instead');
  if (scheme === 'ws') return fail('the scheme ws:// is only supported in browsers; use http:// instead');
  if (scheme !== '' && scheme !== 'http' && scheme !== 'https') return fail(`unsupported URL scheme ${scheme}://`);
  const { httpPort, httpsPort } = options;
  const port = address.port === '' ? (scheme === 'http' ? httpPort : httpsPort) : String(Number(address.port));
  if ((scheme === 'http' && port === httpsPort) || (scheme === 'https' && port === httpPort)) {
    return fail(`[${address.original}] scheme and port violate convention`);
  }
  const found = new Set<string>();
  for (const { addresses, protocols } of bindingsOf(site, options)) {
    for (const host of addresses) {
      for (const protocol of protocols.length > 0 ? protocols : ['']) {
        found.add(`${formatListener(host, port, fail)}\n${protocol}`);
      }
    }
  }
  return found;
}

/**
 * Returns the listeners of a site. A `bind` directive without addresses creates no listener. If a site has only such `bind` directives, it
 * is not served. A `default_bind` option without addresses listens on all addresses.
 */
function bindingsOf(site: Site, options: GlobalOptions): readonly Binding[] {
  const own = site.pile<Binding>('bind');
  if (own.length > 0) return own;
  const defaultBindings = options.get<readonly Binding[]>('default_bind') ?? [];
  if (defaultBindings.length === 0) return [anyAddress];
  return defaultBindings.map((binding) => (binding.addresses.length > 0 ? binding : { ...binding, addresses: [''] }));
}

/** Merges listeners that serve the same sites. */
function joinPairings(byListener: SitesByListener): Pairing[] {
  const names = [...byListener.keys()].sort();
  const idOf = identifier();
  const keyOf = (sites: readonly Site[]): string => sites.map(idOf).join();
  const bySites = new Map<string, [string, string][]>();
  for (const address of names) {
    for (const [protocol, sites] of byListener.get(address) ?? []) {
      pushTo(bySites, keyOf(sites), [address, protocol]);
    }
  }
  const pairings: Pairing[] = [];
  for (const address of names) {
    const protocols = [...(byListener.get(address) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
    const left = protocols.filter(([, sites]) => bySites.has(keyOf(sites)));
    for (const [, sites] of left) {
      const found = bySites.get(keyOf(sites));
      // Caddy numbers servers by listener and protocol. If a server was merged into an earlier one, its number is skipped.
      pairings.push(found === undefined ? { listeners: [], sites: [] } : { listeners: group(found), sites });
      bySites.delete(keyOf(sites));
    }
  }
  return pairings;
}

function identifier(): (site: Site) => number {
  const ids = new Map<Site, number>();
  return (site) => {
    const id = ids.get(site) ?? ids.size;
    ids.set(site, id);
    return id;
  };
}

function group(found: readonly [string, string][]): Listener[] {
  const protocolsOf = new Map<string, string[]>();
  for (const [address, protocol] of found) {
    pushTo(protocolsOf, address, protocol);
  }
  return [...protocolsOf].map(([address, protocols]) => ({
    address,
    protocols: protocols.filter((each) => each !== '').sort(),
  }));
}
