/**
 * Converts JSON documents to Caddyfiles with Sluice, adapts the Caddyfiles, and counts identical results. The documents are our own test
 * pairs, the pairs of `../shared` or a given directory, the test sites, and generated files.
 *   node tools/conformance/src/caddyfile/convert.ts [--count 100] [--seed 7] [--only TEXT] [--show] [DIRECTORY]
 * `--show` prints the files that are not identical. Exits with 1 if the server's report about a file is wrong.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ours } from '../servers/commands.ts';
import { ServerProcess } from '../servers/server-process.ts';
import { adaptGenerated, adaptSites, ownPairs, readPairs, siteEnvironment, type MadeDocument } from './documents.ts';
import { placesIn, playRoundTrip } from './round-trip.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '7' },
    only: { type: 'string', default: '' },
    show: { type: 'boolean', default: false },
  },
});
const shared = positionals[0] ?? fileURLToPath(new URL('../../../../../shared/caddyfile/adapt/', import.meta.url));

const workingFolder = mkdtempSync(join(tmpdir(), 'sluice-convert-'));
const server = await ServerProcess.start(ours, { workingFolder, environment: siteEnvironment });
try {
  const documents = [
    ...readPairs(ownPairs, 'own'),
    ...readPairs(shared, 'shared'),
    ...(await adaptSites(server.admin, workingFolder)),
    ...(await adaptGenerated(server.admin, Number(values.count), Number(values.seed))),
  ];
  process.exitCode = (await playAll(documents.filter(({ name }) => name.includes(values.only)))) ? 0 : 1;
} finally {
  await server.stop();
  rmSync(workingFolder, { recursive: true });
}

async function playAll(documents: readonly MadeDocument[]): Promise<boolean> {
  const counts = new Map<string, { identical: number; all: number }>();
  let isTrue = true;
  for (const document of documents) {
    const { name, said, identical, text } = await playRoundTrip(server.admin, document);
    const [kind = ''] = name.split('/');
    const count = counts.get(kind) ?? { identical: 0, all: 0 };
    counts.set(kind, { identical: count.identical + (identical ? 1 : 0), all: count.all + 1 });
    if (identical !== (said === 'identical')) {
      isTrue = false;
      console.log(`${name}: the server incorrectly calls the file ${said}`);
    } else if (!identical) console.log(`${name}: ${said}, at ${placesIn(text).join(', ').slice(0, 200)}`);
    if (!identical && values.show) console.log(text);
  }
  const all = [...counts.values()].reduce((sum, each) => sum + each.all, 0);
  const identical = [...counts.values()].reduce((sum, each) => sum + each.identical, 0);
  for (const [kind, count] of counts) console.log(`${kind}: ${count.identical} of ${count.all} identical`);
  console.log(`${identical} of ${all} identical (${((100 * identical) / all).toFixed(1)} %)`);
  return isTrue;
}
