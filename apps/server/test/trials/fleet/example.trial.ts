import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { hasEtcd } from '@sluice/testing/etcd';
import { send } from '../../support/server.ts';
import { until } from '../../support/sandbox.ts';
import { runCommand, walkOf, type RunningExample } from '../../fleet/example-walk.ts';

const start = fileURLToPath(new URL('../../../../../examples/fleet/start.mjs', import.meta.url));
const title = 'the example of a fleet';

/** Returns the first of ten consecutive free ports. */
async function ports(): Promise<number> {
  const first = await freePort();
  for (let port = first; port < first + 10; port++) if (port > 65_535 || !(await isFree(port))) return ports();
  return first;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

describe(hasEtcd ? title : `${title} (skipped: this machine has no etcd)`, function () {
  this.timeout(240_000);
  before(function () {
    if (!hasEtcd) this.skip();
  });

  /** Starts the fleet example, runs `work`, and stops the example. */
  async function withExample(work: (running: RunningExample) => Promise<void>): Promise<void> {
    const base = await ports();
    const child = spawn(process.execPath, [start], { env: { ...process.env, FLEET_EXAMPLE_PORT: String(base) } });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    try {
      await until(
        () => {
          if (child.exitCode !== null) throw new Error(output);
          return output.includes('for what to try');
        },
        'the example runs',
        60_000,
      );
      await work({ base, pid: child.pid as number });
    } finally {
      const gone = child.exitCode === null ? once(child, 'exit') : null;
      child.kill('SIGTERM');
      await gone;
    }
  }

  it('the fleet example starts with one command, and applies changes from any member', () =>
    withExample(async ({ base }) => {
      const body = 'version 2, served by {env.FLEET_MEMBER}\n';
      const changed = await send(base + 5, '/id/greeting/handle/0/body?wait=all', { method: 'PATCH', body });
      expect(changed.status).to.equal(200);
      const seen = new Set<string>();
      await until(async () => {
        seen.add((await send(base, '/')).text);
        return seen.size === 3;
      }, 'the balancer has asked all members');
      expect([...seen].toSorted()).to.deep.equal(
        ['one', 'three', 'two'].map((name) => `version 2, served by ${name}\n`),
      );
    }));

  it('the commands in the README of the fleet example work', async function () {
    if (['curl', 'pgrep'].some((name) => spawnSync(name, ['--version']).error !== undefined)) this.skip();
    const [first, ...commands] = await walkOf('examples/fleet/README.md');
    expect(first).to.equal('npm run example-fleet');
    expect(commands.length).to.be.greaterThan(15);
    await withExample(async (running) => {
      const asking = setInterval(() => void send(running.base, '/').catch(() => {}), 20);
      try {
        for (const command of commands) {
          const { code, output } = await runCommand(command, running);
          const about = `${command}\n${output}`;
          const isWatched = command.includes('fleet rollout --watch');
          expect(code, about).to.equal(isWatched ? 1 : 0);
          expect(output, about).not.to.include('"error"');
          if (isWatched)
            expect(output).to.match(/ taken back: \d+\.\d % of the requests to changed routes failed with 5xx/);
          if (command.includes('version 3')) expect(output).to.match(/202 Accepted[^]*"three":\{"state":"behind"/);
        }
      } finally {
        clearInterval(asking);
      }
    });
  });
});
