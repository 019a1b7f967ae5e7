import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSluiceError, type Json } from '@sluice/base';
import { loadExplain, type ExplainRequest } from '@sluice/http-analysis';
import { httpApp } from '@sluice/http-app';
import { serve, type TestServer } from '@sluice/testing';
import { Random } from '../src/differential/random.ts';
import { configurationOf } from '../src/explain/configuration.ts';
import { requestOf } from '../src/explain/requests.ts';

const command = fileURLToPath(new URL('../../../apps/server/bin/sluice.js', import.meta.url));

/** Factor by which the number of cases is multiplied. The trial sets a higher factor. */
const factor = Number(process.env['SLUICE_TEST_FACTOR'] ?? 1);

/** Runs `sluice test` with a test case file. */
function runCases(file: string, home: string): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home };
    const child = execFile(process.execPath, [command, 'test', file], { env, cwd: home }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

describe('conformance tool: test cases from explanations', () => {
  let server: TestServer;
  let folder: string;

  before(async () => {
    server = await serve({ apps: {} }, { register: [], standard: true });
    folder = await mkdtemp(join(tmpdir(), 'sluice-cases-'));
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  /**
   * Returns test cases for generated requests to a configuration. Also returns the number of requests that cannot be expressed as test
   * cases.
   */
  async function casesOf(random: Random, hosts: number, requests: number): Promise<{ cases: Json[]; unknown: number }> {
    const app = server.runtime.app(httpApp);
    if (app === null) throw new Error('the configuration has no app');
    const { document, registry, sources } = server.reconciler;
    const { Explainer, testCaseOf } = await loadExplain();
    const explainer = new Explainer(0);
    const explain = (each: ExplainRequest) => explainer.explain(each, { app, document, registry, sources }, 60_000);
    const made: { cases: Json[]; unknown: number } = { cases: [], unknown: 0 };
    for (let i = 0; i < requests; i++) {
      const { time: _, random: __, ...question } = requestOf(random, hosts).question;
      try {
        made.cases.push(await testCaseOf(question, explain));
      } catch (error) {
        if (!isSluiceError(error)) throw error;
        made.unknown++;
      }
    }
    explainer.close();
    return made;
  }

  for (const { hosts, number } of [
    { hosts: 1, number: 1 },
    { hosts: 1, number: 2 },
    { hosts: 1, number: 3 },
    { hosts: 20, number: 4 },
    { hosts: 99, number: 5 },
  ])
    it(`sluice test passes the cases for configuration ${number} with ${hosts} hosts`, async () => {
      const random = new Random(4711 + number);
      const config = configurationOf(random, hosts);
      await server.reconciler.load(config, { force: false });
      const { cases, unknown } = await casesOf(random, hosts, 50 * factor);
      expect(unknown).to.be.below(5 * factor);
      const file = join(folder, `${number}.sluice-test.json5`);
      await writeFile(file, JSON.stringify({ config, cases }));
      const { code, output } = await runCases(file, folder);
      expect(output).to.match(new RegExp(`^${cases.length} cases: ${cases.length} passed`));
      expect(code).to.equal(0);
    }).timeout(240_000);
});
