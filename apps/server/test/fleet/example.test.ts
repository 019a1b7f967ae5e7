import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { hasEtcd } from '@sluice/testing/etcd';
import { send } from '../support/server.ts';
import { until } from '../support/sandbox.ts';

const start = fileURLToPath(new URL('../../../../examples/fleet/start.mjs', import.meta.url));
const title = 'the example of a fleet';

/** The first of ten free ports in a row. */
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
  this.timeout(120_000);
  before(function () {
    if (!hasEtcd) this.skip();
  });

  it('starts with one command, takes a change through any member, and serves it by all', async () => {
    const base = await ports();
    const child = spawn(process.execPath, [start], { env: { ...process.env, FLEET_EXAMPLE_PORT: String(base) } });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    try {
      await until(
        () => {
          if (child.exitCode !== null) throw new Error(output);
          return output.includes('What to try');
        },
        'the example runs',
        60_000,
      );
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
    } finally {
      const gone = child.exitCode === null ? once(child, 'exit') : null;
      child.kill('SIGTERM');
      await gone;
    }
  });
});
