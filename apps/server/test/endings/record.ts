/** `node record.ts` ends requests to Caddy in every way, and writes the counters of one request per case to `expected.json`. */
import { writeFileSync } from 'node:fs';
import { Sandbox } from '../support/sandbox.ts';
import { cases, nameOf, play, times, type Counts } from './endings.ts';
import { ReferenceServer } from './reference.ts';
import { Upstreams } from './upstreams.ts';

const count = 10;
const sandbox = new Sandbox();
const upstreams = await Upstreams.start();
const reference = await ReferenceServer.start(sandbox, upstreams.addresses);
const expected: Record<string, Counts> = {};
for (const each of cases)
  expected[nameOf(each)] = times(await play(reference, upstreams, each, { count, atOnce: 5 }), 1 / count);
writeFileSync(new URL('expected.json', import.meta.url), `${JSON.stringify(expected, null, 2)}\n`);
await reference.stop();
await upstreams.close();
await sandbox.remove();
