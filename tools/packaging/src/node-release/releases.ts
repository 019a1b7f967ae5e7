/** Determines which Node releases are newer than the shipped release, and whether they fix vulnerabilities. */

/** A Node release. `build-info` prints the releases that are newer than the running Node. */
export interface NodeRelease {
  readonly version: string;
  /** True for a security release, or `null` if nodejs.org was unavailable. */
  readonly security: boolean | null;
  /** Shipped npm packages that provide this release. */
  readonly packages: readonly string[];
}

/** Content of `node-releases.json`. */
export interface NodeReleases {
  readonly shipped: string;
  /** Date of the last check. Empty if no check has run. */
  readonly checked: string;
  readonly releases: readonly NodeRelease[];
}

/** An entry of https://nodejs.org/dist/index.json. */
export interface IndexEntry {
  readonly version: string;
  readonly security: boolean;
}

export function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

/**
 * Returns the releases that are newer than `shipped` and have the same major version. `published` contains the versions of each npm
 * package. `index` is the release list of nodejs.org, or `null` if it is unavailable.
 */
export function newerReleases(
  shipped: string,
  published: ReadonlyMap<string, readonly string[]>,
  index: readonly IndexEntry[] | null,
): NodeRelease[] {
  const major = `${shipped.split('.')[0]}.`;
  const official = new Map((index ?? []).map(({ version, security }) => [version.replace(/^v/, ''), security]));
  const versions = new Set([...official.keys(), ...[...published.values()].flat()]);
  return [...versions]
    .filter((version) => version.startsWith(major) && /^[\d.]+$/.test(version) && compareVersions(version, shipped) > 0)
    .sort(compareVersions)
    .map((version) => ({
      version,
      security: official.get(version) ?? null,
      packages: [...published].filter(([, all]) => all.includes(version)).map(([name]) => name),
    }));
}

/** Returns the newest release that is available on npm for all platforms, or `null` if that is the shipped release. */
export function newestForAll(releases: readonly NodeRelease[], packages: readonly string[]): string | null {
  return releases.findLast((release) => packages.every((name) => release.packages.includes(name)))?.version ?? null;
}

/** Returns the problems of the shipped Node: a newer release is available for all platforms, or a security release is missing. */
export function complaints({ shipped, releases }: NodeReleases, packages: readonly string[]): string[] {
  const newest = newestForAll(releases, packages);
  const security = releases.filter((release) => release.security === true).map(({ version }) => version);
  return [
    ...(newest === null
      ? []
      : [`Node ${newest} is available for all platforms: set it in package.json and own-node.js`]),
    ...(security.length === 0
      ? []
      : [`Node ${shipped} lacks the fixes of the security releases ${security.join(', ')}`]),
  ];
}
