/**
 * Runs the HTTP cache tests of https://cache-tests.fyi against the `cache` handler. Requires a checkout of http-tests/cache-tests with its
 * dependencies installed.
 *   npm run cache-tests -- --suite CHECKOUT [--only ID] [--write]
 */
import { execFile, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { freePort } from '@sluice/testing/machine';
import { ours } from '../servers/commands.ts';
import { ServerProcess } from '../servers/server-process.ts';
import { countPasses, type Counts, type Results, type Suite } from './counts.ts';
import { pageOf } from './page.ts';

/** Minimum number of required and optimal tests that must pass. */
const demanded = { required: 158, optimal: 95 };

const document = fileURLToPath(new URL('../../../../docs/cache-tests.md', import.meta.url));

const { values } = parseArgs({
  options: { suite: { type: 'string' }, only: { type: 'string' }, write: { type: 'boolean' } },
});

function config(port: number, origin: number): object {
  const dial = `127.0.0.1:${origin}`;
  const routes = [{ handle: [{ handler: 'cache' }, { handler: 'reverse_proxy', upstreams: [{ dial }] }] }];
  const server = { listen: [`127.0.0.1:${port}`], automatic_https: { disable: true }, routes };
  return { logging: { logs: { default: { level: 'PANIC' } } }, apps: { http: { servers: { s: server } } } };
}

/** Runs the client of the test suite. Returns its results by test ID. */
async function play(folder: string): Promise<Results> {
  const origin = await freePort();
  const environment = { ...process.env, npm_config_protocol: 'http', npm_config_port: String(origin) };
  const pidFile = { npm_config_pidfile: join(folder, '.sluice-cache-tests.pid') };
  const started = spawn(process.execPath, ['test-engine/server/server.mjs'], {
    cwd: folder,
    env: { ...environment, ...pidFile },
    stdio: 'ignore',
  });
  const server = await ServerProcess.start(ours);
  try {
    await server.load(config(server.port, origin));
    await untilThere(origin);
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', 'test-engine/cli.mjs'], {
      cwd: folder,
      env: {
        ...environment,
        npm_config_base: `http://127.0.0.1:${server.port}`,
        npm_package_config_id: values.only ?? '',
      },
      maxBuffer: 64 * 1024 * 1024,
    });
    if (values.only === undefined) return JSON.parse(stdout) as Results;
    console.log(stdout);
    return {};
  } finally {
    started.kill();
    await server.stop();
  }
}

async function untilThere(port: number): Promise<void> {
  for (let attempts = 0; attempts < 200; attempts++, await sleep(50)) {
    const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
    if (response !== null) return;
  }
  throw new Error('the server of the suite did not start');
}

/** Counts the tests that other caches pass, using the results stored in the suite. */
function others(folder: string, suites: readonly Suite[]): Map<string, Counts> {
  const found = new Map<string, Counts>();
  const results = join(folder, 'results');
  for (const name of readdirSync(results).filter((each) => each.endsWith('.json')))
    found.set(
      name.replace('.json', ''),
      countPasses(suites, JSON.parse(readFileSync(join(results, name), 'utf8')) as Results),
    );
  return found;
}

if (values.suite === undefined) {
  console.log('usage: npm run cache-tests -- --suite CHECKOUT [--only ID] [--write]');
  process.exitCode = 2;
} else {
  const { default: suites } = (await import(pathToFileURL(join(values.suite, 'tests/index.mjs')).href)) as {
    default: readonly Suite[];
  };
  const results = await play(values.suite);
  if (values.only === undefined) {
    const counts = countPasses(suites, results);
    for (const { id, kind, reason } of counts.failed) if (kind !== 'check') console.log(`${kind} ${id}: ${reason}`);
    for (const [kind, { passed, all }] of counts.kinds) console.log(`${kind}: ${passed} of ${all}`);
    if (values.write === true) writeFileSync(document, pageOf(counts, others(values.suite, suites)));
    const passed = (kind: string): number => counts.kinds.get(kind)?.passed ?? 0;
    if (passed('required') < demanded.required || passed('optimal') < demanded.optimal) process.exitCode = 1;
  }
}
