/** `sluice build-info`: what the server is made of. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { installedPackages } from '../installed-packages.ts';
import { version } from '../../version.ts';

/** Prints lines of fields with tabs between them: the runtime, the server, and each package with its hash. */
export function buildInfo(): number {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const { name } = createRequire(import.meta.url)('../../../package.json') as { readonly name: string };
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
