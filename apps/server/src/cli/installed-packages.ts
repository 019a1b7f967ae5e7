/** Lists the installed dependencies of a package. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isObject, own, type Json, type JsonObject } from '@sluice/base';

export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** Hash from npm's lockfile. Empty if there is none, for example for a workspace package. */
  readonly integrity: string;
}

/** Returns all transitive dependencies of the package in `folder`, sorted by name. Skips optional packages that are not installed. */
export function installedPackages(folder: string): InstalledPackage[] {
  const found = new Map<string, InstalledPackage>();
  collect(realpathSync(folder), found);
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function collect(folder: string, found: Map<string, InstalledPackage>): void {
  const manifest = readObject(join(folder, 'package.json'));
  for (const name of ['dependencies', 'optionalDependencies'].flatMap((key) => Object.keys(objectIn(manifest, key)))) {
    const place = placeOf(folder, name);
    if (place === null || found.has(place)) continue;
    const version = own(readObject(join(place, 'package.json')), 'version');
    found.set(place, { name, version: typeof version === 'string' ? version : '', integrity: integrityOf(place) });
    collect(place, found);
  }
}

/** Finds a package with Node.js's algorithm, in `node_modules` of the directory or its ancestors. */
function placeOf(folder: string, name: string): string | null {
  const place = join(folder, 'node_modules', name);
  if (existsSync(join(place, 'package.json'))) return realpathSync(place);
  const parent = dirname(folder);
  return parent === folder ? null : placeOf(parent, name);
}

const lockfiles = new Map<string, JsonObject>();

/** Returns a package's hash from npm's lockfile in the topmost `node_modules`. */
function integrityOf(place: string): string {
  const at = place.indexOf(`${join('/', 'node_modules')}/`);
  if (at < 0) return '';
  const root = place.slice(0, at);
  const file = join(root, 'node_modules', '.package-lock.json');
  if (!lockfiles.has(file)) lockfiles.set(file, existsSync(file) ? readObject(file) : {});
  const entry = own(objectIn(lockfiles.get(file) as JsonObject, 'packages'), relative(root, place));
  const integrity = isObject(entry) ? own(entry, 'integrity') : undefined;
  return typeof integrity === 'string' ? integrity : '';
}

function readObject(file: string): JsonObject {
  const content = JSON.parse(readFileSync(file, 'utf8')) as Json;
  return isObject(content) ? content : {};
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value = own(object, key);
  return isObject(value) ? value : {};
}
