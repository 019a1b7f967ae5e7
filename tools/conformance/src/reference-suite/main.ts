/**
 * Plays the integration suite of the reference to our server, from a checkout of its repository; nothing of it is here.
 *
 *   npm run reference-suite -- --suite CHECKOUT [--only TEXT] [--server caddy] [--verbose]
 *
 * Needs `go` and the command `caddy`. The suite's ports must be free: 2999 for the bridge, and 9080, 9443 and 8443 for
 * what it configures. `--server caddy` plays it to the reference, which shows what the bridge itself changes. Ends with 0
 * if all tests that reach the server pass, but for those of `expected-failures.ts`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ours, reference } from '../servers/commands.ts';
import { ServerProcess } from '../servers/server-process.ts';
import { adapt } from './adapt.ts';
import { Bridge } from './bridge.ts';
import { expectedFailures } from './expected-failures.ts';
import { GoTests, type TestResult } from './go-tests.ts';

const { values } = parseArgs({
  options: {
    suite: { type: 'string' },
    only: { type: 'string', default: '' },
    server: { type: 'string', default: 'ours' },
    verbose: { type: 'boolean', default: false },
  },
});

/** Longest time of one test, in seconds. */
const testSeconds = 60;

/** Counts of a run, by what came of the tests. */
class Report {
  readonly #counts = new Map<string, number>();
  failed = false;

  /** Tells of a test that reached the server. */
  add(name: string, { outcome, output }: TestResult): void {
    const reason = expectedFailures.get(name);
    const said = outcome === 'failed' && reason !== undefined ? 'expected to fail' : outcome;
    this.#counts.set(said, (this.#counts.get(said) ?? 0) + 1);
    if (said === 'failed') this.failed = true;
    console.log(`${said.padEnd(16)} ${name}${said === 'expected to fail' ? `: ${reason}` : ''}`);
    if (said === 'passed' && reason !== undefined) console.log(`  passes: take it out of expected-failures.ts`);
    if (said === 'failed' || values.verbose) console.log(output.replace(/^/gm, '    '));
  }

  /** Tells of what is not the server's. */
  note(said: string): void {
    this.#counts.set(said, (this.#counts.get(said) ?? 0) + 1);
  }

  /** One line of all counts. */
  get summary(): string {
    return [...this.#counts].map(([said, count]) => `${count} ${said}`).join(', ');
  }
}

async function play(caddy: readonly string[], checkout: string, folder: string): Promise<boolean> {
  const tests = GoTests.compile(checkout, 'caddytest/integration', join(folder, 'suite.test'));
  const start = (): Promise<ServerProcess> =>
    ServerProcess.start(values.server === 'caddy' ? caddy : ours, { workingFolder: tests.folder });
  let server = await start();
  const bridge = await Bridge.start({
    admin: () => server.admin,
    adapt: (caddyfile) => adapt(caddy, caddyfile, tests.folder),
  });
  const report = new Report();
  try {
    for (const name of tests.list().filter((each) => each.includes(values.only))) {
      const before = bridge.requests;
      const result = await tests.run(name, testSeconds);
      if (bridge.requests === before) report.note('reach no server');
      else report.add(name, result);
      if (!server.ended) continue;
      console.log(`the server ended in ${name}`);
      report.failed = true;
      await server.stop();
      server = await start();
    }
  } finally {
    await bridge.stop();
    await server.stop();
  }
  console.log(report.summary);
  return !report.failed;
}

const caddy = reference();
if (values.suite === undefined) throw new Error('--suite must name a checkout of the repository of the reference');
if (caddy === null) throw new Error('there is no command caddy here, which adapts the Caddyfiles of the suite');
const folder = mkdtempSync(join(tmpdir(), 'sluice-reference-suite-'));
try {
  process.exitCode = (await play(caddy, values.suite, folder)) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
