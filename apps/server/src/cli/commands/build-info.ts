/** `sluice build-info`: what the server is made of. */
import { createHash } from 'node:crypto';
import { installedPackages } from '../installed-packages.ts';
import { billOfMaterials, contentNames, packageFile, packageFolder } from '../../installation.ts';
import { version } from '../../version.ts';

/** The part of a bill of materials (CycloneDX) that is shown. */
interface BillOfMaterials {
  readonly components: readonly {
    readonly name: string;
    readonly group?: string;
    readonly version: string;
    readonly licenses?: readonly { readonly expression?: string; readonly license?: { readonly id: string } }[];
    readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  }[];
}

/**
 * Prints lines of fields with tabs between them: the runtime, the server, and each package with its hash. A bundle has the
 * licence of each, too, and a checksum of its own files as they are now.
 */
export function buildInfo(): number {
  const { name } = JSON.parse(packageFile('package.json').toString()) as { readonly name: string };
  const bill = billOfMaterials();
  const lines = [
    ['node', process.version],
    ...['v8', 'openssl', 'uv'].map((part) => [part, process.versions[part] ?? '']),
    ['path', packageFolder],
    ['mod', name, `v${version}`],
    ...(bill === null ? installed() : bundled(JSON.parse(bill) as BillOfMaterials)),
  ];
  process.stdout.write(lines.map((fields) => `${fields.join('\t')}\n`).join(''));
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

/** Of the files of the bundle: each with its name and its own hash. `tools/packaging` writes the same into the bill of materials. */
function checksum(): string {
  const whole = createHash('sha256');
  for (const name of contentNames().toSorted())
    whole.update(`${createHash('sha256').update(packageFile(name)).digest('hex')}  ${name}\n`);
  return whole.digest('hex');
}
