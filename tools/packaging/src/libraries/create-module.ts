/**
 * Builds the npm package `@sluice/create-module`. With it, `npm create @sluice/module` creates module packages without a clone of the
 * workspace.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestIdentity } from '../identity.ts';
import { run } from '../npm-files.ts';
import { workspaceRoot } from '../workspace.ts';
import { librariesFolder } from './library-package.ts';

const generators = join(workspaceRoot, 'tools/nx-plugin/generators');
const files = [
  'contracts.mjs',
  'kinds.mjs',
  'names.mjs',
  'source.mjs',
  'tree.mjs',
  'package/generator.mjs',
  'package/main.mjs',
];

/** Builds the package. Returns the path of its directory. */
export function makeCreateModule(parent: string = librariesFolder): string {
  const folder = join(parent, 'create-module');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of files) cpSync(join(generators, file), join(folder, 'generators', file));
  cpSync(join(workspaceRoot, 'LICENSE'), join(folder, 'LICENSE'));
  const facts = JSON.parse(run(process.execPath, [join(generators, 'package/facts.mjs')])) as {
    readonly version: string;
  };
  const write = (name: string, value: object): void =>
    writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
  write('facts.json', facts);
  write('package.json', {
    name: '@sluice/create-module',
    version: facts.version,
    description: 'Creates a package of Sluice modules: npm create @sluice/module.',
    license: 'Apache-2.0',
    ...manifestIdentity('tools/nx-plugin'),
    type: 'module',
    bin: { 'create-module': './generators/package/main.mjs' },
    files: ['generators', 'facts.json'],
    engines: { node: '>=20.19.0' },
  });
  writeFileSync(
    join(folder, 'README.md'),
    '# @sluice/create-module\n\nMakes a package of modules for Sluice, with a test:\n\n```sh\nnpm create @sluice/module -- http.handlers.teapot sluice-teapot\n```\n',
  );
  return folder;
}
