/**
 * Builds a library package for publishing. In the workspace, `exports` uses the condition `@sluice/source`. Node does not support
 * TypeScript sources below `node_modules`, so the package omits the condition. It also omits compiler and nx metadata. Sources are included
 * for source maps.
 */
import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, workspaceRoot } from '../workspace.ts';
import { importsOf, packageOf } from './imports.ts';
import { manifestIdentity } from '../identity.ts';
import { nodeDependencies } from '../node-dependencies.ts';
import type { Manifest, Published } from './published.ts';

/** Output directory of `npm run package -- --libraries`, with one subdirectory per source path. */
export const librariesFolder: string = join(workspaceRoot, 'tools/packaging/out/libraries');

/** Builds the package from the built workspace. Returns the path of its directory. */
export function makeLibraryPackage({ path, manifest }: Published, parent: string = librariesFolder): string {
  const [from, to] = [join(workspaceRoot, path), join(parent, path)];
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  const files = [...(manifest.files ?? []), 'src'];
  for (const name of files)
    cpSync(join(from, name), join(to, name), { recursive: true, filter: (file) => !file.endsWith('.tsbuildinfo') });
  cpSync(join(from, 'README.md'), join(to, 'README.md'));
  cpSync(join(workspaceRoot, 'LICENSE'), join(to, 'LICENSE'));
  const dependencies = { ...manifest.dependencies, ...ofTypes(to, manifest) };
  const published = {
    ...publishedManifest(manifest, files),
    ...manifestIdentity(path),
    dependencies,
    ...withNode(manifest),
  };
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  return to;
}

/**
 * Returns dependencies that only the type declarations refer to. The compiler infers such types from option builders of lower-level
 * packages, even if no source imports the library.
 */
function ofTypes(folder: string, manifest: Manifest): Readonly<Record<string, string>> {
  const own = { ...manifest.dependencies, ...manifest.peerDependencies };
  const below = Object.keys(own).flatMap((name) => {
    if (!name.startsWith('@sluice/')) return [];
    const { dependencies = {} } = readJson(join(workspaceRoot, 'node_modules', name, 'package.json')) as Manifest;
    return Object.entries(dependencies);
  });
  const files = globSync('dist/**/*.d.ts', { cwd: folder });
  const named = new Set(files.flatMap((file) => importsOf(join(folder, file)).map(packageOf)));
  return Object.fromEntries(below.filter(([name]) => own[name] === undefined && named.has(name)));
}

/** Adds the Node npm package to the server's dependencies, so that the server can be installed on machines that have an older Node. */
function withNode({ bin }: Manifest): { readonly optionalDependencies?: Readonly<Record<string, string>> } {
  return bin === undefined ? {} : { optionalDependencies: nodeDependencies };
}

/** Returns package.json without the fields that only the workspace needs. */
function publishedManifest(manifest: Manifest, files: readonly string[]): object {
  const { nx: _, devDependencies: __, ...rest } = manifest as Manifest & { readonly nx?: object };
  const exports = Object.entries(manifest.exports ?? {}).map(([name, target]) => {
    if (typeof target === 'string') return [name, target];
    return [name, Object.fromEntries(Object.entries(target).filter(([condition]) => condition !== '@sluice/source'))];
  });
  return { ...rest, files, exports: Object.fromEntries(exports) };
}
