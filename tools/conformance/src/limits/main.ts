/**
 * Measures how long Sluice takes to analyze large configurations, and compares the times with limits. Covers lint, explain and a dry run
 * with 10,000 routes, and 500 cases of `sluice test`, with and without process startup.
 *   npm run limits
 * Exits with 0 if all times are within their limits. Requires a build and an idle machine.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLogger } from '@sluice/base';
import { loadExplain } from '@sluice/http-analysis';
import { httpApp } from '@sluice/http-app';
import { lint } from '@sluice/registry';
import { serve, type TestServer } from '@sluice/testing';
import { Random } from '../differential/random.ts';
import { configurationOf } from '../explain/configuration.ts';
import { requestOf } from '../explain/requests.ts';
import { casesFile, sites } from './files.ts';

/** The built command. */
const command = fileURLToPath(new URL('../../../../apps/server/bin/sluice.js', import.meta.url));

/** Prints a measurement and its limit, in milliseconds. */
function report(what: string, taken: number, limit: number): void {
  console.log(`${what}: ${taken.toFixed(1)} ms (limit ${limit} ms)${taken > limit ? ': ABOVE' : ''}`);
  if (taken > limit) process.exitCode = 1;
}

async function timed(task: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await task();
  return performance.now() - startedAt;
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0;
}

const routes = 10_000;
const random = new Random(1);
const generated = configurationOf(random, routes);

async function measureLint({ reconciler }: TestServer): Promise<void> {
  const written = JSON.stringify(sites(routes));
  for (const which of ['first', 'again'])
    report(
      `lint of ${routes} routes, ${which}`,
      await timed(() => lint(reconciler.registry, JSON.parse(written) as ReturnType<typeof sites>, silentLogger)),
      2000,
    );
}

async function measureExplain(server: TestServer): Promise<void> {
  await server.reconciler.load(generated, { force: false });
  const app = server.runtime.app(httpApp);
  if (app === null) throw new Error('the configuration has no http app');
  const { document, registry, sources } = server.reconciler;
  const { Explainer } = await loadExplain();
  const explainer = new Explainer();
  const taken: number[] = [];
  for (let i = 0; i < 3000; i++) {
    const { question } = requestOf(random, routes);
    const { ms } = await explainer.explain(question, { app, document, registry, sources }, 60_000);
    taken.push(ms);
  }
  explainer.close();
  console.log(
    `explain among ${routes} routes, first: ${taken[0]?.toFixed(1)} ms, including building the chain; median: ${quantile(taken, 0.5)} ms`,
  );
  report(`explain among ${routes} routes, p99 of ${taken.length}`, quantile(taken, 0.99), 5);
}

async function measureDryRun(server: TestServer): Promise<void> {
  await server.reconciler.load(sites(routes), { force: false });
  const path = '/config/apps/http/servers/s/routes/5000/handle/0/body?dry_run';
  const taken: number[] = [];
  for (let i = 0; i < 20; i++)
    taken.push(await timed(() => server.admin(path, { method: 'PATCH', json: `changed ${i}` })));
  console.log(`dry run of a change among ${routes} routes, first: ${taken[0]?.toFixed(1)} ms, which lints all routes`);
  report(`dry run of a change among ${routes} routes, median of ${taken.length}`, quantile(taken, 0.5), 300);
}

function measureTest(): void {
  const folder = mkdtempSync(join(tmpdir(), 'limits-'));
  try {
    for (const [name, text] of Object.entries(casesFile(500))) writeFileSync(join(folder, name), text);
    const env = { ...process.env, NODE_OPTIONS: '', HOME: folder };
    const startedAt = performance.now();
    const { stdout } = spawnSync(process.execPath, [command, 'test'], { cwd: folder, env, encoding: 'utf8' });
    const whole = performance.now() - startedAt;
    const [, took] = /^500 cases: 500 passed \((\d+) ms\)/m.exec(stdout) ?? [];
    if (took === undefined) throw new Error(`sluice test printed: ${stdout}`);
    report('500 cases of sluice test', Number(took), 2000);
    report('the same, including command startup', whole, 2000);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const server = await serve({ apps: {} }, { register: [], standard: true });
try {
  await measureLint(server);
  await measureDryRun(server);
  await measureExplain(server);
} finally {
  await server.close();
}
measureTest();
