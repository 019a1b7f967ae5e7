/**
 * Soak tests of the reverse proxy and of access logs, against the built Sluice and, if installed, Caddy. The server runs on CPU 0, and
 * clients and upstreams run on CPU 1.
 *   npm run soak -- change|failover|keep-alive|memory|log-file|log-net|http2-connections [--server sluice|caddy]
 *   npm run soak -- abuse [--minutes 60] [--snapshots <folder>]
 *   npm run soak -- protocols [--minutes 60]
 */
import { parseArgs } from 'node:util';
import { nativeServers } from '../servers.ts';
import { fullFailoverPlan, soakFailover } from './failover.ts';
import { fullKeepAlivePlan, soakKeepAlive } from './keep-alive.ts';
import { fullLogFilePlan, soakLogFile } from './log-file.ts';
import { fullLogNetPlan, soakLogNet } from './log-net.ts';
import { fullConnectionsPlan, soakHttp2Connections } from './http2-connections.ts';
import { soakMemory } from './memory.ts';
import { soakMixedAbuse } from './mixed-abuse.ts';
import { soakProtocols } from './protocols/index.ts';
import { fullProtocolPlan } from './protocols/plan.ts';
import { tableOf } from './protocols/table.ts';
import { fullChangePlan, soakUnderChange } from './under-change.ts';

const { values, positionals } = parseArgs({
  options: {
    server: { type: 'string', default: '' },
    minutes: { type: 'string', default: '60' },
    snapshots: { type: 'string', default: '' },
  },
  allowPositionals: true,
});

/** Runs one full-size soak test against a server command. */
type Soak = (name: string, command: readonly string[]) => Promise<unknown>;

const abusePlan = {
  seconds: Number(values.minutes) * 60,
  warmUpSeconds: 30,
  samples: 6,
  snapshots: values.snapshots,
  graceSeconds: 5,
};

const protocolPlan = { ...fullProtocolPlan, minutes: Number(values.minutes) };

let failed = false;

const soaks: Readonly<Record<string, Soak>> = {
  abuse: (name, command) => soakMixedAbuse(name, command, abusePlan),
  change: (name, command) => soakUnderChange(name, command, fullChangePlan),
  failover: (name, command) => soakFailover(name, command, fullFailoverPlan),
  'keep-alive': (name, command) => soakKeepAlive(name, command, fullKeepAlivePlan),
  'log-file': (name, command) => soakLogFile(name, command, fullLogFilePlan),
  'log-net': (name, command) => soakLogNet(name, command, fullLogNetPlan),
  'http2-connections': (name, command) => soakHttp2Connections(name, command, fullConnectionsPlan),
  memory: (name, command) => soakMemory(name, command, 1_000_000, 5),
  protocols: async (name, command) => {
    if (name !== 'sluice') return 'not supported';
    const results = await soakProtocols(name, command, protocolPlan);
    console.log(tableOf(results));
    if (results.some(({ problems }) => problems.length > 0)) failed = true;
    return results;
  },
};

// These tests take an hour, so they run only on request.
const onRequest = ['abuse', 'protocols'];
const wanted = positionals.length === 0 ? Object.keys(soaks).filter((soak) => !onRequest.includes(soak)) : positionals;
for (const soak of wanted) {
  const run = soaks[soak];
  if (run === undefined) throw new Error(`unknown soak test ${soak}: expected one of ${Object.keys(soaks).join(', ')}`);
  for (const { name, command } of nativeServers().filter((server) => server.name.includes(values.server))) {
    console.log(soak, name, JSON.stringify(await run(name, command)));
  }
}
process.exit(failed ? 1 : 0);
