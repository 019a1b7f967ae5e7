/** Finds sites that are part of different servers but were a single site in the Caddyfile. */
import { isObject } from '@sluice/base';
import { words } from '../inverse/values.ts';
import { sorted } from '../json.ts';
import type { SiteDraft } from './sites.ts';

/** Joins identical sites of different servers. A Caddyfile site with several listeners belongs to several servers, with the same routes. */
export function joinedSites(sites: readonly SiteDraft[]): SiteDraft[] {
  const joined = new Map<string, SiteDraft>();
  for (const site of sites) {
    const content = contentOf(site);
    const known = content === null ? undefined : joined.get(content);
    if (content !== null && known !== undefined && known.server !== site.server) {
      joined.set(content, withAddressesOf(known, site));
    } else {
      joined.set(content === null || known !== undefined ? `site ${joined.size}` : content, site);
    }
  }
  return [...joined.values()];
}

function withAddressesOf(site: SiteDraft, other: SiteDraft): SiteDraft {
  const hosts = [...new Set([...site.hosts, ...other.hosts])];
  return { ...site, addresses: [...site.addresses, ...other.addresses], hosts };
}

/**
 * Returns a key for the content of a site. Copies of a site on different servers have the same key. Returns `null` if the site has no
 * routes. Ignores route groups, which differ between servers.
 */
function contentOf({ routes, errorRoutes, server }: SiteDraft): string | null {
  if (routes.length + errorRoutes.length === 0) return null;
  const bind = words(server['listen'] ?? []).map((address) => address.slice(0, address.lastIndexOf(':')));
  const plain = routes.map((route) => (isObject(route) ? { ...route, group: null } : route));
  return JSON.stringify(sorted([[...new Set(bind)].sort(), plain, errorRoutes]));
}
