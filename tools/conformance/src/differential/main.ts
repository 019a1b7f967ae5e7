/**
 * Sends generated pairs of requests and responses through Caddy and Sluice. Reports the differences that the upstream or the client
 * observed.
 *   npm run differential -- [--count 600] [--seed 1] [--only NUMBER] [--record]
 * `--record` saves Caddy's observations of the first {@link recordedPairs} pairs for the test that runs without Caddy.
 */
import { parseArgs } from 'node:util';
import { ours, reference } from '../servers/commands.ts';
import { ServerProcess } from '../servers/server-process.ts';
import { compare } from './compare.ts';
import type { Observation } from './observation.ts';
import type { Pair } from './pair.ts';
import { makePairs, play } from './play.ts';
import { recordedPairs, recordPairs } from './recording.ts';
import { configTo } from './routes.ts';
import { RawUpstream } from './upstream.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '600' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    record: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const all = makePairs(seed, values.record ? recordedPairs : Number(values.count));
const pairs = values.only === undefined ? all : all.filter(({ number }) => number === Number(values.only));

/** Starts a server and sends all pairs through it. */
async function run(command: readonly string[]): Promise<Observation[]> {
  const upstream = new RawUpstream();
  const upstreamPort = await upstream.listen();
  try {
    const server = await ServerProcess.start(command);
    try {
      await server.load(configTo(upstreamPort, server.port));
      return await play(pairs, server.port, upstream, upstreamPort);
    } finally {
      await server.stop();
    }
  } finally {
    await upstream.close();
  }
}

/** Prints the differences. Returns the number of pairs with unexpected differences. */
function report(theirs: readonly Observation[], mine: readonly Observation[]): number {
  const counts = new Map<string, number>();
  let different = 0;
  for (const [index, pair] of pairs.entries()) {
    const { known, unknown } = compare(pair, theirs[index] as Observation, mine[index] as Observation);
    for (const reason of known) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    if (unknown.length === 0) continue;
    different++;
    console.log(`pair ${pair.number} (${pair.route}, ${pair.method}; ${pair.notes.join(', ')})`);
    if (values.only !== undefined) print(pair);
    for (const line of unknown) console.log(`  ${line}`);
  }
  for (const [reason, count] of counts) console.log(`known: ${reason} (${count} pairs)`);
  console.log(`seed ${seed}: ${pairs.length} pairs, ${different} with unknown differences`);
  return different;
}

function print({ request, response }: Pair): void {
  console.log(`  request ${JSON.stringify(request.slice(0, 2000))}`);
  for (const piece of response.pieces) console.log(`  response ${JSON.stringify(piece.slice(0, 2000))}`);
  console.log(`  then ${response.then}`);
}

const command = reference();
if (command === null) console.log('differential skipped: caddy is not installed');
else {
  const theirs = await run(command);
  if (values.record) recordPairs(seed, theirs);
  else process.exitCode = report(theirs, await run(ours)) === 0 ? 0 : 1;
}
