/** Selects the packages of package-lock.json for this machine and locates them in npm's cache. Runs on Node 20 and has no dependencies. */
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The fields of an entry under `packages` that are used here.
 * @typedef {object} LockEntry
 * @property {string} [version]
 * @property {string} [name] of a package that is installed under another name
 * @property {string} [resolved] of a link: the package's directory
 * @property {boolean} [link]
 * @property {string} [integrity]
 * @property {boolean} [dev]
 * @property {boolean} [devOptional]
 * @property {string[] | string} [os]
 * @property {string[] | string} [cpu]
 * @property {string[] | string} [libc]
 * @property {Record<string, string>} [bin]
 */

/**
 * Reports whether a platform list such as `["linux"]` or `["!win32"]` allows a value.
 * @param {readonly string[] | string | undefined} list
 * @param {string | null} value
 */
function allows(list, value) {
  if (!list || value === null) return true;
  const listed = [list].flat();
  const allowed = listed.filter((each) => !each.startsWith('!'));
  return !listed.includes(`!${value}`) && (allowed.length === 0 || allowed.includes(value));
}

/** Returns the name of this machine's C library as used in package.json, or null if the platform has only one C library. */
export function libc() {
  if (process.platform !== 'linux') return null;
  const report = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return report.header?.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
}

/**
 * Returns the lockfile entries to install, by path: packages and links. Skips packages for other platforms and everything below them.
 * @param {Record<string, LockEntry>} packages @param {boolean} withDev
 * @param {{ platform: string, cpu: string, libc: string | null }} machine
 */
export function entriesToInstall(packages, withDev, machine) {
  /** @type {[path: string, entry: LockEntry][]} */
  const entries = [];
  /** @type {string[]} */
  const skipped = [];
  for (const [path, entry] of Object.entries(packages)) {
    if (!/(?:^|\/)node_modules\//.test(path)) continue;
    const fits =
      allows(entry.os, machine.platform) && allows(entry.cpu, machine.cpu) && allows(entry.libc, machine.libc);
    if (!fits) skipped.push(`${path}/`);
    const wanted = withDev || !(entry.dev || entry.devOptional);
    if (fits && wanted && !skipped.some((folder) => path.startsWith(folder))) entries.push([path, entry]);
  }
  return entries;
}

/** Returns npm's cache directory: the value of the variable that npm sets for its scripts, or the default. */
export const npmCache = () => process.env.npm_config_cache || join(homedir(), '.npm');

/**
 * Returns the path of an archive in npm's cache. The path is derived from the archive's SHA-512 hash. @param {string} cache @param {string}
 * integrity `sha512-` and base64
 */
export function cachedArchive(cache, integrity) {
  const hex = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
  return join(cache, '_cacache/content-v2/sha512', hex.slice(0, 2), hex.slice(2, 4), hex.slice(4));
}

/**
 * Adds the archive URLs to a lockfile. With the URLs, npm requests only archives and not the metadata of each package. The metadata would
 * double the number of requests and is several megabytes for some packages. npm replaces the host with the configured registry: see
 * `--replace-registry-host=always`.
 * @param {{ packages: Record<string, LockEntry> }} lock @returns {{ packages: Record<string, LockEntry> }}
 */
export function withAddresses(lock) {
  const packages = Object.entries(lock.packages).map(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link || entry.version === undefined)
      return /** @type {const} */ ([path, entry]);
    const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const file = `${name.slice(name.lastIndexOf('/') + 1)}-${entry.version}.tgz`;
    return /** @type {const} */ ([path, { ...entry, resolved: `https://registry/${name}/-/${file}` }]);
  });
  return { ...lock, packages: Object.fromEntries(packages) };
}
