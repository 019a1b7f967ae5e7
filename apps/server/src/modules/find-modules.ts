/** Finds third-party packages of modules on disk, without running their code. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isObject, own, SluiceError, type Json } from '@sluice/base';
import { readManifest, type ModuleManifest } from '@sluice/registry';
import type { ModuleSource } from './module-source.ts';

/** Where to look. */
export interface ModulePlaces {
  /** What `--module` names: package names or folders. */
  readonly named: readonly string[];
  /** Folder that relative paths and names are resolved from. */
  readonly cwd: string;
  /** The configuration folder. */
  readonly configuration: string;
}

/** The packages that are named, and those that are installed in the configuration folder, each once. */
export function findModules({ named, cwd, configuration }: ModulePlaces): ModuleManifest[] {
  const found = new Map<string, ModuleManifest>();
  for (const name of named) {
    const manifest = readManifest(folderOf(name, cwd, configuration));
    if (manifest === null)
      throw new SluiceError(
        'ERR_MODULE_PACKAGE',
        `package ${name} has no modules: its package.json has no "sluice" key`,
      );
    found.set(manifest.package, manifest);
  }
  for (const folder of installedIn(configuration)) {
    const manifest = readManifest(folder);
    if (manifest !== null && !found.has(manifest.package)) found.set(manifest.package, manifest);
  }
  return [...found.values()];
}

/** What threads need of a manifest. */
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
    `package ${name} is not installed: not found in node_modules of ${cwd} and its parent directories, or of ${configuration}`,
  );
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}

/** Packages in `modules/node_modules`, and the dependencies of the package.json of the configuration folder. */
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
