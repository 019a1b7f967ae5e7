/**
 * Adapts malformed Caddyfiles with Sluice. Each must promptly yield a document or a client error.
 *   node tools/conformance/src/caddyfile/broken.ts [--count 2000] [--seed 1] [FILE…]
 * Half of the Caddyfiles are generated from the grammar. The other half are corrupted copies of the given files.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Random } from '../differential/random.ts';
import { callAdmin } from '../servers/call-admin.ts';
import { ours } from '../servers/commands.ts';
import { ServerProcess } from '../servers/server-process.ts';
import { breakText } from './breaking.ts';
import { makeCaddyfile } from './generator.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
});
/** Timeout for adapting one file, in milliseconds. */
const timeout = 5_000;

const corpus = positionals.map((file) => readFileSync(file, 'utf8'));

function makeBroken(random: Random): string {
  const named = corpus.length > 0 && random.chance(0.5);
  return breakText(named ? random.pick(corpus) : makeCaddyfile(random), random);
}

const server = await ServerProcess.start(ours);
let bad = 0;
try {
  for (let number = 0; number < Number(values.count) && !server.ended; number++) {
    const text = makeBroken(new Random(Number(values.seed) * 1_000_003 + number));
    const begin = performance.now();
    const call = { method: 'POST', path: '/adapt', body: text, type: 'text/caddyfile' };
    const { status, body } = await callAdmin(server.admin, call);
    const took = performance.now() - begin;
    if ((status === 200 || status === 400) && took < timeout && !isCrash(body.toString())) continue;
    bad++;
    console.log(`--- ${number}: status ${status} after ${Math.round(took)} ms: ${body.toString()}\n${text}`);
  }
  console.log(server.ended ? 'the server crashed' : `${values.count} broken files, ${bad} handled incorrectly`);
} finally {
  if (server.ended || bad > 0) process.exitCode = 1;
  await server.stop();
}

/** Reports whether a response indicates a bug in Sluice rather than an error in the Caddyfile. */
function isCrash(response: string): boolean {
  return /Cannot read|is not a function|is not iterable|Maximum call stack|Invalid array length|undefined/.test(
    response,
  );
}
