/** Package list of the module directory: its package.json and lockfile. */
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, messageOf, own, type Json, type JsonObject } from '@sluice/base';
import { readManifest } from '@sluice/registry';
import { apiErrorOf } from '../../modules/check-api.ts';
import { modulesFolder } from './npm.ts';

const files = ['package.json', 'package-lock.json'];

/** Returns the names of the packages that were installed explicitly. */
export function listedPackages(): string[] {
  return Object.keys(objectIn(readFile('package.json'), 'dependencies'));
}

/** Returns a package's name, version and hash from the lockfile, formatted as `name version hash`. */
export function lockedPackage(name: string): string {
  const locked = objectIn(objectIn(readFile('package-lock.json'), 'packages'), `node_modules/${name}`);
  return [name, own(locked, 'version'), own(locked, 'integrity')].filter((part) => typeof part === 'string').join(' ');
}

/** Returns the reason why this server cannot use an installed package, or `null`. */
export async function problemOf(name: string): Promise<string | null> {
  try {
    const manifest = readManifest(join(modulesFolder(), 'node_modules', name));
    if (manifest === null) return `${name}: package.json has no "sluice" key, so the package has no modules`;
    return (await apiErrorOf(manifest))?.message ?? null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Saves a backup of the package list of the module directory. */
export function keepList(): void {
  for (const name of files) {
    const file = join(modulesFolder(), name);
    if (existsSync(file)) copyFileSync(file, `${file}.backup`);
  }
}

function readFile(name: string): JsonObject {
  const file = join(modulesFolder(), name);
  if (!existsSync(file)) return {};
  const content = JSON.parse(readFileSync(file, 'utf8')) as Json;
  return isObject(content) ? content : {};
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value = own(object, key);
  return isObject(value) ? value : {};
}
