/** Determines the names whose DNS records the app updates. */
import { isArray, isObject, objectAt, type Json, type JsonObject } from '@sluice/base';

/** Record names by zone, relative to the zone. `@` is the name of the zone itself. */
export type Domains = ReadonlyMap<string, readonly string[]>;

/** Returns the configured names. For a zone without names, the name is the zone itself. */
export function configuredDomains(domains: Readonly<Record<string, readonly string[] | null>>): Domains {
  return new Map(
    Object.entries(domains).map(([zone, names]) => {
      const given = (names ?? []).map((name) => (name === '' ? '@' : name.toLowerCase()));
      return [zone.toLowerCase().replace(/\.$/, ''), [...new Set(given.length === 0 ? ['@'] : given)]] as const;
    }),
  );
}

/** Adds the host names in HTTP routes that belong to one of the zones. If several zones match a name, the longest zone applies. */
export function withHosts(domains: Domains, hosts: Iterable<string>): Domains {
  const all = new Map([...domains].map(([zone, names]) => [zone, new Set(names)] as const));
  const zones = [...domains.keys()].sort((a, b) => b.length - a.length);
  for (const host of hosts) {
    const zone = zones.find((each) => host === each || host.endsWith(`.${each}`));
    if (zone !== undefined) all.get(zone)?.add(host === zone ? '@' : host.slice(0, -zone.length - 1));
  }
  return new Map([...all].map(([zone, names]) => [zone, [...names]] as const));
}

/** Returns the host names in the route matchers of all servers. Omits names that contain placeholders. */
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
