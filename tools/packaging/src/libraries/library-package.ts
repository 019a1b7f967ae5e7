/**
 * One library as it is published. The workspace reads its sources (the condition `@sluice/source` of `exports`), which Node does
 * not do below `node_modules`; what the compiler and nx keep beside the code helps no one there. The sources go with it for the
 * maps that debuggers and editors follow.
 */
import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, workspaceRoot } from '../workspace.ts';
import { importsOf, packageOf } from './imports.ts';
import { manifestIdentity } from '../identity.ts';
import { nodeDependencies } from '../node-dependencies.ts';
import type { Manifest, Published } from './published.ts';

/** Where `npm run package -- --libraries` makes them, each in a folder with the path of its sources. */
export const librariesFolder: string = join(workspaceRoot, 'tools/packaging/out/libraries');

/** Makes one of the built workspace. Gives its folder. */
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
 * What only the types of a package name: the compiler infers them of options that packages below build with a library of theirs, which
 * no source of this one imports.
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

/** The server brings a Node along, so that one installation is enough on a machine with an older one. */
function withNode({ bin }: Manifest): { readonly optionalDependencies?: Readonly<Record<string, string>> } {
  return bin === undefined ? {} : { optionalDependencies: nodeDependencies };
}

/** Its package.json, without what only the workspace reads. */
function publishedManifest(manifest: Manifest, files: readonly string[]): object {
  const { nx: _, devDependencies: __, ...rest } = manifest as Manifest & { readonly nx?: object };
  const exports = Object.entries(manifest.exports ?? {}).map(([name, target]) => {
    if (typeof target === 'string') return [name, target];
    return [name, Object.fromEntries(Object.entries(target).filter(([condition]) => condition !== '@sluice/source'))];
  });
  return { ...rest, files, exports: Object.fromEntries(exports) };
}
