/** Finds the dependents of a package, which must be reloaded together with the package. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}

/** Returns the directories of a package and of its direct and indirect dependents. */
export function withDependents(root: string, folder: string): string[] {
  const workspaces = readManifest(join(root, 'package.json')).workspaces ?? [];
  const paths = globSync(
    workspaces.map((each) => `${each}/package.json`),
    { cwd: root },
  );
  const packages = paths.map((path) => ({ folder: dirname(path), manifest: readManifest(join(root, path)) }));
  const names = new Set(packages.filter((each) => each.folder === folder).map(({ manifest }) => manifest.name));
  const found = new Set([folder]);
  for (let before = 0; before < found.size;) {
    before = found.size;
    for (const { folder: other, manifest } of packages) {
      const needed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
      if (!needed.some((name) => names.has(name))) continue;
      found.add(other);
      names.add(manifest.name);
    }
  }
  return [...found];
}
