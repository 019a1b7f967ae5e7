/** Translates `server` blocks to servers of the `http` app. Addresses that have the same sites share a server. */
import { itemAt, type Json } from '@sluice/base';
import type { Adaptation } from '../adaptation.ts';
import { invoke, node, terminal, type Node } from '../json.ts';
import type { Site } from '../site.ts';
import { clientChecks } from './client-certificates.ts';
import { handshakeNames } from './handshake-names.ts';
import { limits, trustedProxies } from './limits.ts';
import { listensOf, type Listen } from './listen.ts';
import { serverLogs } from './logs.ts';
import type { NameMatch } from './names.ts';
import { connectionPolicies } from './tls.ts';

export type SiteNames = ReadonlyMap<Site, readonly NameMatch[]>;

interface Address {
  readonly listens: Listen[];
  readonly sites: Site[];
}

/** Returns the `servers` option of the `http` app. */
export function translateServers(adaptation: Adaptation, names: SiteNames): Record<string, Node> {
  const servers = new Map<string, { readonly addresses: string[]; readonly server: Node }>();
  const all = addressesOf(adaptation, [...names.keys()]);
  warnOfOverlaps(adaptation, all);
  for (const { listens, sites: here } of all.values()) {
    const server = serverOf(adaptation, here, listens, names);
    const key = JSON.stringify(server);
    const known = servers.get(key);
    const address = listens[0]?.address ?? '';
    if (known === undefined) servers.set(key, { addresses: [address], server });
    else known.addresses.push(address);
  }
  return Object.fromEntries(
    [...servers.values()].map(({ addresses, server }, i) => [
      `srv${i}`,
      { listen: withoutFamilies(addresses), ...server },
    ]),
  );
}

/** Replaces the IPv4 and IPv6 wildcard addresses with the same port by a single address such as `:80`. */
function withoutFamilies(addresses: readonly string[]): string[] {
  const all = new Set(addresses);
  for (const address of addresses) {
    const port = /^tcp4\/0\.0\.0\.0(:\d+)$/.exec(address)?.[1];
    if (port === undefined || !all.delete(`tcp6/[::]${port}`)) continue;
    all.delete(address);
    all.add(port);
  }
  return [...all];
}

/** Warns if a wildcard address and a specific address use the same port. nginx shares one socket, but Sluice cannot bind the second address. */
function warnOfOverlaps(adaptation: Adaptation, addresses: ReadonlyMap<string, Address>): void {
  for (const [address, { listens }] of addresses) {
    const [{ directive, port }] = listens as [Listen];
    const wide = address.startsWith('[') ? `tcp6/[::]:${port}` : `tcp4/0.0.0.0:${port}`;
    const single =
      !address.startsWith('unix/') && address !== wide && /^[[\w]/.test(address) && !address.startsWith('tcp');
    if (directive !== null && single && addresses.has(wide))
      adaptation.warn(
        directive,
        `${address} conflicts with the listener on all addresses of port ${port}: listen on either all addresses or individual ones`,
      );
  }
}

function addressesOf(adaptation: Adaptation, sites: readonly Site[]): Map<string, Address> {
  const addresses = new Map<string, Address>();
  for (const site of sites) {
    for (const listen of listensOf(adaptation, site.scope)) {
      const known = addresses.get(listen.address);
      if (known === undefined) addresses.set(listen.address, { listens: [listen], sites: [site] });
      else {
        known.listens.push(listen);
        if (!known.sites.includes(site)) known.sites.push(site);
      }
    }
  }
  return addresses;
}

function serverOf(adaptation: Adaptation, sites: readonly Site[], listens: readonly Listen[], names: SiteNames): Node {
  const chosen = defaultSite(adaptation, sites, listens);
  const tls = listens.some((listen) => listen.tls);
  const asked = tls ? handshakeNames(sites) : [];
  const checks = new Map(tls ? sites.map((site) => [site, clientChecks(site, asked, site === chosen)]) : []);
  // If any server checks client certificates, these checks replace the common SNI check (`strict_sni_host`).
  const verifies = [...checks.values()].some((handlers) => handlers.length > 0);
  return node({
    listener_wrappers: wrappers(listens, tls),
    routes: siteRoutes(sites, chosen, { names, checks }),
    errors: errorsOf(sites),
    named_routes: Object.fromEntries(sites.flatMap((site) => [...site.namedRoutes])),
    tls_connection_policies: tls ? connectionPolicies(asked, chosen) : undefined,
    strict_sni_host: verifies ? false : undefined,
    automatic_https: { disable: true },
    protocols: protocolsOf(listens, tls),
    logs: serverLogs(adaptation, sites, chosen),
    ...limits(chosen.scope),
    ...trustedProxies(adaptation, chosen.scope),
  });
}

/** Returns the site marked with `default_server`, or the first site if there is none. */
function defaultSite(adaptation: Adaptation, sites: readonly Site[], listens: readonly Listen[]): Site {
  const marked = listens.find((listen) => listen.isDefault);
  const site = sites.find(
    ({ scope }) => marked !== undefined && marked.directive !== null && scope.directives.includes(marked.directive),
  );
  for (const { directive } of listens.filter((listen) => listen.isDefault && listen !== marked))
    if (directive !== null)
      adaptation.warn(directive, 'this address already has a default server; default_server is ignored here');
  return site ?? itemAt(sites, 0);
}

/** Handlers that run before a request enters the sites of an address. */
interface Entrances {
  readonly names: SiteNames;
  readonly checks: ReadonlyMap<Site, readonly Node[]>;
}

function siteRoutes(sites: readonly Site[], chosen: Site, { names, checks }: Entrances): Node[] {
  const enter = (site: Site): Node[] => [...(checks.get(site) ?? []), invoke(site.id)];
  const entries = sites.flatMap((site) => (names.get(site) ?? []).map((match) => ({ site, ...match })));
  warnOfTwins(sites);
  entries.sort((a, b) => a.rank - b.rank || b.length - a.length);
  return [
    ...entries
      .filter(({ site, rank }) => site !== chosen || rank > 0 || sites.length > 1)
      .map(({ site, match }) => terminal(enter(site), [match])),
    terminal(enter(chosen)),
  ];
}

/** Warns about duplicate server names. Requests go to the first server with the name. */
function warnOfTwins(sites: readonly Site[]): void {
  const seen = new Set<string>();
  for (const site of sites) {
    for (const directive of site.scope.own('server_name')) {
      for (const name of new Set(directive.args)) {
        if (seen.has(name))
          site.adaptation.warn(
            directive,
            `another server on this address already has the name ${name}; this server does not receive requests for that name`,
          );
      }
    }
    for (const { args } of site.scope.own('server_name')) for (const name of args) seen.add(name);
  }
}

function errorsOf(sites: readonly Site[]): Node | undefined {
  const routes = sites.flatMap((site) => site.errorRoutes());
  return routes.length === 0 ? undefined : { routes };
}

function wrappers(listens: readonly Listen[], tls: boolean): Json | undefined {
  if (!listens.some((listen) => listen.proxyProtocol)) return undefined;
  return tls ? [{ wrapper: 'proxy_protocol' }, { wrapper: 'tls' }] : [{ wrapper: 'proxy_protocol' }];
}

function protocolsOf(listens: readonly Listen[], tls: boolean): string[] {
  if (!listens.some((listen) => listen.http2)) return ['h1'];
  return ['h1', tls ? 'h2' : 'h2c'];
}
