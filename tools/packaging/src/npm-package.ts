/** The npm package `@sluice/cli`: the bundle with what it needs to be started. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OutputChunk } from 'rolldown';
import { readJson, workspaceRoot } from './workspace.ts';
import { billOf, componentsOf } from './bill-of-materials.ts';
import { bundle, outside } from './bundle.ts';
import { makeDashboard } from './dashboard/make-dashboard.ts';
import { repositoryOf } from './libraries/published.ts';

const server = join(workspaceRoot, 'apps/server');

/** What is made, by `npm run package`. */
export const cliFolder: string = join(workspaceRoot, 'tools/packaging/out/cli');

interface ServerManifest {
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Makes the package in a folder, which is emptied. Gives the files of its code with what went into each. */
export async function makeNpmPackage(folder: string = cliFolder): Promise<readonly OutputChunk[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const chunks = await bundle(join(folder, 'dist'));
  const page = await makeDashboard(join(folder, 'dashboard'));
  cpSync(join(server, 'config'), join(folder, 'config'), { recursive: true });
  cpSync(join(server, 'bin'), join(folder, 'bin'), { recursive: true });
  for (const file of ['LICENSE', 'README.md']) cpSync(join(workspaceRoot, file), join(folder, file));
  const { version, license, dependencies } = readJson(join(server, 'package.json')) as ServerManifest;
  const name = '@sluice/cli';
  writeJson(join(folder, 'sbom.cdx.json'), billOf(folder, name, version, componentsOf([...chunks, ...page])));
  writeJson(join(folder, 'package.json'), {
    name,
    version,
    description: 'Sluice: a web server that is configured while it runs.',
    license,
    ...repositoryOf('tools/packaging'),
    type: 'module',
    bin: { sluice: './bin/sluice.js' },
    files: ['bin', 'config', 'dashboard', 'dist', 'sbom.cdx.json'],
    exports: { './package.json': './package.json' },
    dependencies: Object.fromEntries(outside.map((each) => [each, dependencies[each]])),
    // The oldest Node on which `sluice` starts; on one older than 24 it gets itself a newer one.
    engines: { node: '>=20' },
  });
  return chunks;
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
