/**
 * Searches generated configurations for requests that reach a route reported as unreachable by `sluice lint`:
 *   npm run reach -- [--requests 1000000] [--seed 1] [--http 2000]
 * First, it verifies that deliberately wrong claims are detected. Finally, it sends `--http` requests over connections and verifies that
 * they reach the same routes.
 */
import { parseArgs } from 'node:util';
import { tryOverHttp } from './over-http.ts';
import { planted } from './planted.ts';
import { tryClaims } from './trial.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    http: { type: 'string', default: '2000' },
  },
});
const seed = Number(values.seed);

for (const [name, register] of Object.entries(planted)) {
  const { requests, wrong } = await tryClaims({ seed, requests: 100_000, each: 100, planted: register });
  console.log(`planted: ${name}: ${wrong.length === 0 ? 'NOT found' : 'found'} within ${requests} requests`);
  if (wrong.length === 0) process.exitCode = 1;
}

const startedAt = performance.now();
const { requests, configurations, places, unreachable, reached, aimed, claims, wrong } = await tryClaims({
  seed,
  requests: Number(values.requests),
  each: 100,
});
const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;
console.log(
  `${requests} requests to ${configurations} configurations in ${((performance.now() - startedAt) / 1000).toFixed(0)} s, ` +
    `${aimed} of them aimed at routes reported as unreachable`,
);
console.log(
  `${places} routes and handlers: ${unreachable} reported as unreachable, ${share(reached, places - unreachable)} of the others reached`,
);
console.log(
  `claims: ${[...claims]
    .sort()
    .map(([code, count]) => `${code} ${count}`)
    .join(', ')}`,
);
console.log(`wrong claims: ${wrong.length}`);
for (const each of wrong) console.log(JSON.stringify(each, null, 1));
if (wrong.length > 0) process.exitCode = 1;

const http = await tryOverHttp({ seed, requests: Number(values.http), each: 20 });
console.log(
  `over HTTP: ${http.requests} requests reached ${http.reached} places; ${http.different.length} differ from in-process results, incorrect reports: ${http.wrong.length}`,
);
for (const each of [...http.different, ...http.wrong].slice(0, 5)) console.log(JSON.stringify(each, null, 1));
if (http.wrong.length + http.different.length > 0) process.exitCode = 1;
