/** `sluice build-info`: what the server is made of. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedPackages } from '../installed-packages.ts';
import { packageFolder } from '../../installation.ts';
import { version } from '../../version.ts';

/** Prints lines of fields with tabs between them: the runtime, the server, and each package with its hash. */
export function buildInfo(): number {
  const root = packageFolder;
  const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly name: string };
  const lines = [
    ['node', process.version],
    ...['v8', 'openssl', 'uv'].map((part) => [part, process.versions[part] ?? '']),
    ['path', root],
    ['mod', name, `v${version}`],
    ...installedPackages(root).map((dep) => [
      'dep',
      dep.name,
      `v${dep.version}`,
      ...(dep.integrity === '' ? [] : [dep.integrity]),
    ]),
  ];
  process.stdout.write(lines.map((fields) => `${fields.join('\t')}\n`).join(''));
  return 0;
}
