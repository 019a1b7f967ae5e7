/** Builds the npm package `@sluice/cli`, which contains the bundle and the files needed to start it. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OutputChunk } from 'rolldown';
import { readJson, workspaceRoot } from './workspace.ts';
import { billOf, componentsOf, packageFolders } from './bill-of-materials.ts';
import { buildOf } from './build.ts';
import { bundle, outside } from './bundle.ts';
import { makeDashboard } from './dashboard/make-dashboard.ts';
import { manifestIdentity } from './identity.ts';
import { thirdPartyLicenses } from './licenses/third-party-licenses.ts';
import { nodeDependencies } from './node-dependencies.ts';

const server = join(workspaceRoot, 'apps/server');

/** Output directory of the package that `npm run package` builds. */
export const cliFolder: string = join(workspaceRoot, 'tools/packaging/out/cli');

/** Name of the file with the licenses of the bundled packages. */
export const licensesName = 'THIRD-PARTY-LICENSES.txt';

/** Name of the file that lists Node releases newer than the shipped release; see `npm run node-release`. */
const nodeReleasesName = 'node-releases.json';

interface ServerManifest {
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Empties a directory and builds the package in it. Returns the package's JavaScript files with their modules. */
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
  const files = [...chunks, ...page];
  writeFileSync(join(folder, licensesName), thirdPartyLicenses(packageFolders(files)));
  writeJson(join(folder, 'build.json'), buildOf(version));
  cpSync(join(workspaceRoot, 'tools/packaging', nodeReleasesName), join(folder, nodeReleasesName));
  writeJson(join(folder, 'sbom.cdx.json'), billOf(folder, name, version, componentsOf(files)));
  writeJson(join(folder, 'package.json'), {
    name,
    version,
    description: 'Sluice: a web server that you configure while it runs.',
    license,
    ...manifestIdentity('tools/packaging'),
    type: 'module',
    bin: { sluice: './bin/sluice.js' },
    files: ['bin', 'config', 'dashboard', 'dist', 'build.json', 'sbom.cdx.json', licensesName, nodeReleasesName],
    exports: { './package.json': './package.json' },
    dependencies: Object.fromEntries(outside.map((each) => [each, dependencies[each]])),
    // The launcher `sluice` supports these Node versions. If the installed version is too old for the server, the server runs on the Node
    // of the optional dependency.
    optionalDependencies: nodeDependencies,
    engines: { node: '>=20' },
  });
  return chunks;
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
