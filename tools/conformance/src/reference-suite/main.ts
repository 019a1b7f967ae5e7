/**
 * Runs Caddy's integration test suite against Sluice, using a checkout of Caddy's repository. No part of the suite is stored here. Its
 * Caddyfiles are loaded unchanged with `POST /load` and `text/caddyfile`.
 *   npm run reference-suite -- --suite CHECKOUT [--only TEXT] [--server caddy] [--verbose]
 * Requires `go`. The suite uses these ports, which must be free: 2999 for the admin proxy, 9080, 9443 and 8443 for its configurations, and
 * 80 for validation in two ACME tests. `--server caddy` runs the suite against Caddy, which shows the effects of the admin proxy. Exits
 * with 0 if all tests that reach the server pass, except those in `expected-failures.ts`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ours, reference } from '../servers/commands.ts';
import { ServerProcess } from '../servers/server-process.ts';
import { Bridge } from './bridge.ts';
import { forwardChallenges } from './forwarder.ts';
import { GoTests } from './go-tests.ts';
import { Report } from './report.ts';

const { values } = parseArgs({
  options: {
    suite: { type: 'string' },
    only: { type: 'string', default: '' },
    server: { type: 'string', default: 'ours' },
    verbose: { type: 'boolean', default: false },
  },
});

const testSeconds = 60;

async function play(command: readonly string[], tests: GoTests): Promise<Report> {
  const start = (): Promise<ServerProcess> => ServerProcess.start(command, { workingFolder: tests.folder });
  let server = await start();
  const bridge = await Bridge.start(() => server.admin);
  const stopForwarding = await forwardChallenges();
  if (stopForwarding === null) console.log('port 80 is not available: tests that validate over it will fail');
  const report = new Report(values.verbose);
  try {
    for (const name of tests.list().filter((each) => each.includes(values.only))) {
      const before = bridge.requests;
      const result = await tests.run(name, testSeconds);
      if (bridge.requests === before) report.addOther('reach no server');
      else report.add(name, result);
      if (!server.ended) continue;
      report.addFault(`the server ended in ${name}`);
      await server.stop();
      server = await start();
    }
  } finally {
    await stopForwarding?.();
    await bridge.stop();
    await server.stop();
  }
  return report;
}

const command = values.server === 'caddy' ? reference() : ours;
if (values.suite === undefined) throw new Error('--suite must be a checkout of Caddy');
if (command === null) throw new Error('caddy is not installed');
const folder = mkdtempSync(join(tmpdir(), 'sluice-reference-suite-'));
try {
  const tests = GoTests.compile(values.suite, 'caddytest/integration', join(folder, 'suite.test'));
  const report = await play(command, tests);
  console.log(report.summary);
  process.exitCode = report.failed ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
