/** The packages of the workspace that are published: the libraries for authors of modules, and the server as they embed it. */
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, workspaceRoot } from '../workspace.ts';

/** What a package.json says, as far as packing asks. */
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

/** One of them. */
export interface Published {
  /** Of its folder, within the workspace: `libs/base`. */
  readonly path: string;
  readonly manifest: Manifest;
}

/** All of them, by path. */
export function publishedPackages(root: string = workspaceRoot): readonly Published[] {
  const { workspaces } = readJson(join(root, 'package.json')) as { readonly workspaces: readonly string[] };
  return globSync([...workspaces], { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => existsSync(join(root, path, 'package.json')))
    .map((path) => ({ path, manifest: readJson(join(root, path, 'package.json')) as Manifest }))
    .filter(({ manifest }) => manifest.private !== true)
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}
