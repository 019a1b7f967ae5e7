/** Which sites of servers were one in their file. */
import { isObject } from '@sluice/base';
import { groupNumbers } from '../inverse/numbers.ts';
import type { SiteDraft } from './sites.ts';

/**
 * A site that is served on several listeners is part of several servers, with the very routes, whose groups have the same
 * numbers: it was one block.
 */
export function joinedSites(sites: readonly SiteDraft[]): SiteDraft[] {
  const joined: SiteDraft[] = [];
  for (const site of sites) {
    const at = joined.findIndex((each) => isSameBlock(each, site));
    const known = joined[at];
    if (known === undefined) joined.push(site);
    else {
      joined[at] = {
        ...known,
        addresses: [...known.addresses, ...site.addresses],
        hosts: [...new Set([...known.hosts, ...site.hosts])],
        hasCatchAll: known.hasCatchAll || site.hasCatchAll,
      };
    }
  }
  return joined;
}

function isSameBlock(a: SiteDraft, b: SiteDraft): boolean {
  if (a.server === b.server) return false;
  const numbers = new Set(groupNumbers([...a.routes, ...a.errorRoutes]));
  if (!groupNumbers([...b.routes, ...b.errorRoutes]).some((number) => numbers.has(number))) return false;
  return withoutGroups(a) === withoutGroups(b);
}

/** Routes of a site have other groups in each of its servers. */
function withoutGroups({ routes, errorRoutes }: SiteDraft): string {
  return JSON.stringify([routes.map((route) => (isObject(route) ? { ...route, group: null } : route)), errorRoutes]);
}
