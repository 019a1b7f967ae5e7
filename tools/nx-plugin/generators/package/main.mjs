#!/usr/bin/env node
/** `node main.mjs <module id> <folder> [--name NAME] [--summary TEXT]`: makes a package of a third party without nx. */
import { parseArgs } from 'node:util';
import { makePackage } from './generator.mjs';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { name: { type: 'string' }, summary: { type: 'string' } },
});
const [id, directory] = positionals;
if (!id || !directory) {
  console.error(
    'usage: node tools/nx-plugin/generators/package/main.mjs <module id> <folder> [--name NAME] [--summary TEXT]',
  );
  process.exit(2);
}
try {
  const folder = makePackage({
    id,
    directory,
    ...(values.name !== undefined && { name: values.name }),
    ...(values.summary !== undefined && { summary: values.summary }),
  });
  console.log(`${folder} is made. Now: cd ${folder} && npm install && npm test && npm pack`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
