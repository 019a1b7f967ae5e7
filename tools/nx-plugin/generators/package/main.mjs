#!/usr/bin/env node
/**
 * `npm create @sluice/module -- <module ID> <directory> [--name NAME] [--summary TEXT] [--directive]` creates a third-party package. In a
 * clone of the workspace, run `node main.mjs …`.
 */
import { parseArgs } from 'node:util';
import { makePackage } from './generator.mjs';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { name: { type: 'string' }, summary: { type: 'string' }, directive: { type: 'boolean' } },
});
const [id, directory] = positionals;
if (!id || !directory) {
  console.error(
    'usage: npm create @sluice/module -- <module id> <directory> [--name NAME] [--summary TEXT] [--directive]',
  );
  process.exit(2);
}
try {
  const folder = makePackage({
    id,
    directory,
    ...(values.name !== undefined && { name: values.name }),
    ...(values.summary !== undefined && { summary: values.summary }),
    directive: values.directive === true,
  });
  console.log(`created ${folder}. Next: cd ${folder} && npm install && npm test && npm pack`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
