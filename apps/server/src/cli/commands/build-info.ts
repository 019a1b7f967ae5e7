/** `sluice build-info`: lists the server's components and their versions. */
import { createHash } from 'node:crypto';
import { nativeCheck } from '../../process/native-check.ts';
import { installedPackages } from '../installed-packages.ts';
import { billOfMaterials, contentNames, packageFile, packageFolder } from '../../installation.ts';
import { CommandError } from '../../failure.ts';
import { findBuild, optionalFile, version } from '../../version.ts';

/** The properties of a CycloneDX bill of materials that the command reads. */
interface BillOfMaterials {
  readonly components: readonly {
    readonly name: string;
    readonly group?: string;
    readonly version: string;
    readonly licenses?: readonly { readonly expression?: string; readonly license?: { readonly id: string } }[];
    readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  }[];
}

/** Node.js releases that are newer than the bundled release, from `node-releases.json`. `npm run node-release` writes this file. */
interface NodeReleases {
  readonly releases: readonly {
    readonly version: string;
    /** True if the Node.js release fixes vulnerabilities, or `null` if unknown. */
    readonly security: boolean | null;
    readonly fixes?: readonly string[];
  }[];
}

export interface BuildInfoOptions {
  readonly licenses?: boolean;
}

/**
 * Prints tab-separated lines. They list the runtime, the status of the native bindings (required for HTTP/3), and newer Node.js releases.
 * They also list the server, and each package with its hash.
 *
 * For a bundle, also prints the package licenses and a checksum of the bundled files.
 */
export async function buildInfo({ licenses = false }: BuildInfoOptions = {}): Promise<number> {
  if (licenses) return printLicenses();
  const build = findBuild();
  const { name } = JSON.parse(packageFile('package.json').toString()) as { readonly name: string };
  const bill = billOfMaterials();
  const problem = await nativeCheck();
  const lines = [
    ['node', process.version],
    ...['v8', 'openssl', 'uv'].map((part) => [part, process.versions[part] ?? '']),
    problem === null ? ['native', 'on'] : ['native', 'off', problem],
    ...newerNodes(),
    ['path', packageFolder],
    ['mod', name, `v${version}`],
    ...(build === null || build.commit === '' ? [] : [['build', `v${build.version}`, build.commit, build.date]]),
    ...(bill === null ? installed() : bundled(JSON.parse(bill) as BillOfMaterials)),
  ];
  process.stdout.write(lines.map((fields) => `${fields.join('\t')}\n`).join(''));
  return 0;
}

/** Returns the Node.js releases that are newer than the running release, with their fixes. */
function newerNodes(): string[][] {
  const text = optionalFile('node-releases.json');
  if (text === null) return [];
  const { releases } = JSON.parse(text) as NodeReleases;
  const newer = releases.filter(
    ({ version: of }) => of.localeCompare(process.versions.node, 'en', { numeric: true }) > 0,
  );
  return newer.map(({ version: of, security, fixes = [] }) => {
    const kind = security === null ? 'unknown' : security ? 'security' : 'no security fix';
    return ['node-newer', `v${of}`, kind, ...(fixes.length === 0 ? [] : [fixes.join(' ')])];
  });
}

/** Prints the licenses of the server and of the included packages. A binary also prints the licenses of Node.js and its dependencies. */
function printLicenses(): number {
  const names = ['LICENSE', 'THIRD-PARTY-LICENSES.txt', 'NODE-LICENSE.txt'];
  const texts = names.map(optionalFile).filter((text) => text !== null);
  if (texts.length === 0)
    throw new CommandError('this installation has no bundled licenses: see each package in node_modules');
  process.stdout.write(texts.join('\n'));
  return 0;
}

function installed(): string[][] {
  return installedPackages(packageFolder).map(({ name, version: of, integrity }) => [
    'dep',
    name,
    `v${of}`,
    ...(integrity === '' ? [] : [integrity]),
  ]);
}

function bundled({ components }: BillOfMaterials): string[][] {
  const parts = components.map(({ group, name, version: of, licenses = [], hashes = [] }) => [
    'dep',
    group === undefined ? name : `${group}/${name}`,
    `v${of}`,
    hashes[0] === undefined ? '' : `${hashes[0].alg.replace('-', '').toLowerCase()}-${hashes[0].content}`,
    licenses.map(({ expression, license }) => expression ?? license?.id ?? '').join(' AND '),
  ]);
  return [['sum', `sha256-${checksum()}`], ...parts];
}

/** Returns a checksum over the names and hashes of the bundled files. `tools/packaging` writes the same checksum to the bill of materials. */
function checksum(): string {
  const whole = createHash('sha256');
  for (const name of contentNames().toSorted())
    whole.update(`${createHash('sha256').update(packageFile(name)).digest('hex')}  ${name}\n`);
  return whole.digest('hex');
}
