/** Order of the sites in a server. The most specific site comes first, because only the first match takes effect. */
import { stableSort } from './stable-sort.ts';
import type { Site } from './site.ts';

/** Sort key of a site. */
interface Rank {
  readonly site: Site;
  readonly host: number;
  readonly wildcard: boolean;
  readonly path: number;
}

/** Sorts sites from most to least specific. Equally specific sites keep their order. */
export function sortSites(sites: readonly Site[]): Site[] {
  return stableSort(sites.map(rankOf), isBefore).map(({ site }) => site);
}

/** Returns the specificity of a host or path: its length in bytes, excluding wildcards and placeholders. */
function specificity(text: string): number {
  const length = Buffer.byteLength(text) - (text.split('*').length - 1);
  let inside = 0;
  for (const placeholder of text.match(/\{[^}]*\}/g) ?? []) inside += Buffer.byteLength(placeholder);
  return length - inside;
}

function rankOf(site: Site): Rank {
  let host = 0;
  let path = 0;
  let wildcard = false;
  for (const address of site.addresses) {
    if (address.host === '' || address.host.includes('*')) wildcard = true;
    host = Math.max(host, specificity(address.host));
    path = Math.max(path, specificity(address.path));
  }
  return { site, host, wildcard, path };
}

/** Reports whether one site must come before another. Sites without a host come last, after wildcard sites. */
function isBefore(a: Rank, b: Rank): boolean {
  if (a.host === 0) return false;
  if (b.host === 0) return true;
  if (a.wildcard !== b.wildcard) return b.wildcard;
  if (a.host === b.host) return a.path > b.path;
  return a.host > b.host;
}
