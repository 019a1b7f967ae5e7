/** Which sites of servers were one in their file. */
import { isObject } from '@sluice/base';
import { words } from '../inverse/values.ts';
import { sorted } from '../json.ts';
import type { SiteDraft } from './sites.ts';

/** A site that is served on several listeners is part of several servers, with the very routes. */
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

/** What is equal of the parts of a site, but for groups, of which it has others in each of its servers; `null` without any. */
function contentOf({ routes, errorRoutes, server }: SiteDraft): string | null {
  if (routes.length + errorRoutes.length === 0) return null;
  const bind = words(server['listen'] ?? []).map((address) => address.slice(0, address.lastIndexOf(':')));
  const plain = routes.map((route) => (isObject(route) ? { ...route, group: null } : route));
  return JSON.stringify(sorted([[...new Set(bind)].sort(), plain, errorRoutes]));
}
