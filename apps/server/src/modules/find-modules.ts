/** Finds third-party module packages on disk without running their code. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isObject, own, SluiceError, type Json } from '@sluice/base';
import { readManifest, type ModuleManifest } from '@sluice/registry';
import type { ModuleSource } from './module-source.ts';

/** Search locations. */
export interface ModulePlaces {
  /** Package names or directories from the `--module` options. */
  readonly named: readonly string[];
  /** Base directory for relative paths and package names. */
  readonly cwd: string;
  /** The configuration directory. */
  readonly configuration: string;
}

/** Returns the named packages, and those installed in the configuration directory, without duplicates. */
export function findModules({ named, cwd, configuration }: ModulePlaces): ModuleManifest[] {
  const found = new Map<string, ModuleManifest>();
  for (const name of named) {
    const manifest = readManifest(folderOf(name, cwd, configuration));
    if (manifest === null)
      throw new SluiceError(
        'ERR_MODULE_PACKAGE',
        `package ${name} does not contain modules: its package.json has no "sluice" key`,
      );
    found.set(manifest.package, manifest);
  }
  for (const folder of installedIn(configuration)) {
    const manifest = readManifest(folder);
    if (manifest !== null && !found.has(manifest.package)) found.set(manifest.package, manifest);
  }
  return [...found.values()];
}

/** Returns the parts of a manifest that threads require to load the package. */
export function sourceOf(manifest: ModuleManifest): ModuleSource {
  return {
    package: manifest.package,
    version: manifest.version,
    entry: manifest.entry,
    api: manifest.api,
    ids: manifest.modules.map(({ id }) => id),
  };
}

function folderOf(name: string, cwd: string, configuration: string): string {
  if (name.startsWith('.') || isAbsolute(name)) {
    const folder = resolve(cwd, name);
    if (existsSync(join(folder, 'package.json'))) return folder;
    throw new SluiceError('ERR_MODULE_PACKAGE', `${folder} has no package.json`);
  }
  const roots = [...ancestors(cwd), configuration, join(configuration, 'modules')];
  const folder = roots
    .map((root) => join(root, 'node_modules', name))
    .find((candidate) => existsSync(join(candidate, 'package.json')));
  if (folder !== undefined) return folder;
  throw new SluiceError(
    'ERR_MODULE_PACKAGE',
    `package ${name} is not installed: not found in node_modules of ${cwd} and its parent directories, or in ${configuration}`,
  );
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}

/** Returns the packages in `modules/node_modules`, and the dependencies listed in the configuration directory's package.json. */
function installedIn(configuration: string): string[] {
  const folder = join(configuration, 'modules', 'node_modules');
  const names = existsSync(folder) ? packageNames(folder) : [];
  const listed = dependencyNames(join(configuration, 'package.json')).map((name) =>
    join(configuration, 'node_modules', name),
  );
  return [...names.map((name) => join(folder, name)), ...listed].filter((candidate) =>
    existsSync(join(candidate, 'package.json')),
  );
}

function packageNames(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => !name.startsWith('.'));
  return names.flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`) : [name],
  );
}

function dependencyNames(file: string): string[] {
  if (!existsSync(file)) return [];
  const content = JSON.parse(readFileSync(file, 'utf8')) as Json;
  const dependencies = isObject(content) ? own(content, 'dependencies') : undefined;
  return isObject(dependencies) ? Object.keys(dependencies) : [];
}
