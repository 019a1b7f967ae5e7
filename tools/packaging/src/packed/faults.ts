/** Checks installed packages. All files that they refer to must exist, and package.json must declare all packages that they import. */
import { existsSync, globSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { importsOf, packageOf } from '../libraries/imports.ts';
import type { Manifest, Published } from '../libraries/published.ts';
import { readJson } from '../workspace.ts';

/** Returns one message for each problem of the packages. */
export function faultsOf(prefix: string, packages: readonly Published[]): string[] {
  const modules = join(prefix, 'node_modules');
  return packages.flatMap(({ manifest: { name } }) => {
    const folder = join(modules, name);
    const manifest = readJson(join(folder, 'package.json')) as Manifest;
    const missing = ['README.md', 'LICENSE', ...targetsOf(manifest)].filter((file) => !existsSync(join(folder, file)));
    const code = globSync('{bin,dist}/**/*.js', { cwd: folder, exclude: ['dist/page/**'] });
    const files = [...code.map((file) => join(folder, file)), ...typesOf(folder, manifest)];
    return [
      ...missing.map((file) => `${name} has no ${file}`),
      ...files.flatMap((file) =>
        faultsOfFile(file, manifest, modules).map((fault) => `${name}: ${relative(folder, file)} ${fault}`),
      ),
    ];
  });
}

/** Returns the files that a package exports or runs. */
function targetsOf({ exports = {}, bin = {} }: Manifest): string[] {
  const targets = Object.values(exports).flatMap((each) => (typeof each === 'string' ? [each] : Object.values(each)));
  return [...targets, ...Object.values(bin)];
}

/** Returns the type declarations that are reachable from the package exports. */
function typesOf(folder: string, manifest: Manifest): string[] {
  const reached = targetsOf(manifest)
    .filter((file) => file.endsWith('.d.ts'))
    .map((file) => join(folder, file));
  for (const file of reached) {
    if (!existsSync(file)) continue;
    const relatives = importsOf(file).filter((specifier) => specifier.startsWith('.'));
    for (const specifier of relatives) {
      const target = targetOf(file, specifier);
      if (!reached.includes(target)) reached.push(target);
    }
  }
  return reached.filter((file) => existsSync(file));
}

/** Returns the file of a relative import specifier. The compiler keeps the extension `.ts` in type declarations. */
function targetOf(file: string, specifier: string): string {
  const target = join(dirname(file), specifier);
  return file.endsWith('.d.ts') ? target.replace(/\.[jt]s$/, '.d.ts') : target;
}

function faultsOfFile(file: string, manifest: Manifest, modules: string): string[] {
  const declared = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies };
  return importsOf(file).flatMap((specifier) => {
    if (specifier.startsWith('.'))
      return existsSync(targetOf(file, specifier)) ? [] : [`imports ${specifier}, which is not packed`];
    const name = packageOf(specifier);
    if (name !== manifest.name && declared[name] === undefined) return [`imports ${name}, which is not declared`];
    const types = `@types/${name.replace('@', '').replace('/', '__')}`;
    const needsTypes = file.endsWith('.d.ts') && existsSync(join(modules, types));
    return needsTypes && declared[types] === undefined ? [`requires ${types}, which is not declared`] : [];
  });
}
