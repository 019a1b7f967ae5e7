/** Creates an empty directory and installs the packed packages into it. Their tests have the same paths as in the workspace. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeLibraryPackage } from '../libraries/library-package.ts';
import type { Manifest, Published } from '../libraries/published.ts';
import { readJson, workspaceRoot } from '../workspace.ts';

/** Files that tests read from outside their package. */
const readByTests = [
  'README.md',
  'CHANGELOG.md',
  'docs',
  'examples',
  'editors',
  'tools/conformance/cases',
  'tools/conformance/sites',
  'tools/conformance/recorded',
];

/** Builds and packs the packages. Installs the tarballs together with everything the tests need. */
export function makePrefix(folder: string, packages: readonly Published[]): void {
  const tarballs = packAll(join(folder, 'tarballs'), packages);
  const prefix = join(folder, 'prefix');
  mkdirSync(prefix, { recursive: true });
  const { devDependencies = {} } = readJson(join(workspaceRoot, 'package.json')) as Manifest;
  const wanted = { ...devDependencies };
  for (const { manifest } of packages) Object.assign(wanted, manifest.devDependencies);
  const forTests = Object.entries(wanted).filter(([name]) => !packages.some(({ manifest }) => manifest.name === name));
  const { overrides } = readJson(join(workspaceRoot, 'package.json')) as { readonly overrides?: object };
  writeJson(join(prefix, 'package.json'), {
    private: true,
    type: 'module',
    overrides,
    dependencies: Object.fromEntries([...forTests, ...tarballs]),
  });
  npm(['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], prefix);
  for (const { path, manifest } of packages) addTests(prefix, path, join(prefix, 'node_modules', manifest.name));
  for (const name of readByTests)
    cpSync(join(workspaceRoot, name), join(prefix, name), {
      recursive: true,
      filter: (file) => !file.includes('node_modules'),
    });
  const paths = packages.map(({ path, manifest }) => [path, join(prefix, 'node_modules', manifest.name)]);
  writeJson(join(prefix, 'packed.json'), Object.fromEntries(paths));
}

function packAll(folder: string, packages: readonly Published[]): [string, string][] {
  mkdirSync(folder, { recursive: true });
  const folders = packages.map((each) => makeLibraryPackage(each, join(folder, 'made')));
  npm(['pack', '--pack-destination', folder, '--loglevel=error', ...folders], folder);
  return packages.map(({ manifest: { name } }) => {
    const [tarball] = globSync(`${name.replace('@', '').replace('/', '-')}-[0-9]*.tgz`, { cwd: folder });
    if (tarball === undefined) throw new Error(`npm did not pack ${name}`);
    return [name, `file:${join(folder, tarball)}`];
  });
}

/** Copies the tests of a package and creates links to the other files of the package. */
function addTests(prefix: string, path: string, installed: string): void {
  const place = join(prefix, path);
  mkdirSync(place, { recursive: true });
  for (const name of ['package.json', 'README.md', 'dist', 'bin', 'config'])
    if (existsSync(join(installed, name))) symlinkSync(join(installed, name), join(place, name));
  // The sources are copied because Node does not strip types below node_modules.
  cpSync(join(installed, 'src'), join(place, 'src'), { recursive: true });
  if (existsSync(join(workspaceRoot, path, 'test')))
    cpSync(join(workspaceRoot, path, 'test'), join(place, 'test'), { recursive: true });
}

function npm(args: readonly string[], cwd: string): void {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const { status, stderr } = spawnSync('npm', args, {
    cwd,
    env,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm ${args[0]} failed: ${stderr}`);
}

function writeJson(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
