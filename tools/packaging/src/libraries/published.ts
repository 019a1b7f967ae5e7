/** Lists the published packages of the workspace: libraries for module authors, and the server for embedding. */
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, workspaceRoot } from '../workspace.ts';

/** Fields of package.json that are needed for packing. */
export interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly files?: readonly string[];
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface Published {
  /** Package directory relative to the workspace, such as `libs/base`. */
  readonly path: string;
  readonly manifest: Manifest;
}

/** Returns all published packages, sorted by path. */
export function publishedPackages(root: string = workspaceRoot): readonly Published[] {
  const { workspaces } = readJson(join(root, 'package.json')) as { readonly workspaces: readonly string[] };
  return globSync([...workspaces], { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => existsSync(join(root, path, 'package.json')))
    .map((path) => ({ path, manifest: readJson(join(root, path, 'package.json')) as Manifest }))
    .filter(({ manifest }) => manifest.private !== true)
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}
