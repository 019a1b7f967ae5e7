/** Names whose records are updated. */
import { isArray, isObject, objectAt, type Json, type JsonObject } from '@sluice/base';

/** Names by zone. Names are relative to the zone, and `@` for the zone itself. */
export type Domains = ReadonlyMap<string, readonly string[]>;

/** Returns the configured names. A zone without names is its own name. */
export function configuredDomains(domains: Readonly<Record<string, readonly string[] | null>>): Domains {
  return new Map(
    Object.entries(domains).map(([zone, names]) => {
      const given = (names ?? []).map((name) => (name === '' ? '@' : name.toLowerCase()));
      return [zone.toLowerCase().replace(/\.$/, ''), [...new Set(given.length === 0 ? ['@'] : given)]] as const;
    }),
  );
}

/** Adds the host names of HTTP routes that are in one of the zones. The longest matching zone is used. */
export function withHosts(domains: Domains, hosts: Iterable<string>): Domains {
  const all = new Map([...domains].map(([zone, names]) => [zone, new Set(names)] as const));
  const zones = [...domains.keys()].sort((a, b) => b.length - a.length);
  for (const host of hosts) {
    const zone = zones.find((each) => host === each || host.endsWith(`.${each}`));
    if (zone !== undefined) all.get(zone)?.add(host === zone ? '@' : host.slice(0, -zone.length - 1));
  }
  return new Map([...all].map(([zone, names]) => [zone, [...names]] as const));
}

/** Returns the host names in the route matchers of all servers, except names with placeholders. */
export function hostsOf(document: Json): Set<string> {
  const hosts = new Set<string>();
  for (const server of Object.values(objectAt(document, ['apps', 'http', 'servers'])))
    for (const route of objectsIn(isObject(server) ? server['routes'] : undefined))
      for (const set of objectsIn(route['match'])) {
        const found = set['host'];
        for (const host of isArray(found) ? found : [])
          if (typeof host === 'string' && !host.includes('{')) hosts.add(host.toLowerCase().replace(/\.$/, ''));
      }
  return hosts;
}

function objectsIn(value: Json | undefined): JsonObject[] {
  return isArray(value) ? value.filter(isObject) : [];
}
