import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Agent } from 'node:http';
import { getPriority } from 'node:os';
import { expect } from 'chai';
import { says, TestServer } from '../support/server.ts';
import { Sandbox, until } from '../support/sandbox.ts';

const crash = fileURLToPath(new URL('../fixtures/crash', import.meta.url));

/** Returns the nice values of the main thread and the traffic threads of a process (proc(5), field 19 of stat). */
function priorities(pid: number): { control: number; traffic: number[] } {
  const tasks = `/proc/${pid}/task`;
  const read = (id: string, name: string): string => readFileSync(`${tasks}/${id}/${name}`, 'utf8').trim();
  const nice = (id: string): number => Number(read(id, 'stat').split(') ').at(-1)?.split(' ')[16]);
  const traffic = readdirSync(tasks).filter((id) => read(id, 'comm') === 'sluice traffic');
  return { control: nice(`${pid}`), traffic: traffic.map(nice) };
}

function route(path: string, handler: object): object {
  return { match: [{ path: [path] }], handle: [handler] };
}

const routes = [
  ...['throw', 'reject', 'exit', 'who'].map((how) => route(`/${how}`, { handler: 'crash', how })),
  says('well'),
];

describe('replacement of worker threads', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  let server: TestServer;
  beforeEach(async () => {
    sandbox = new Sandbox();
    server = await TestServer.run(sandbox, routes, ['--workers', '2', '--module', crash]);
  });
  afterEach(() => sandbox.remove());

  /** Returns the IDs of the threads that respond to requests. */
  async function threads(): Promise<Set<string>> {
    const found = new Set<string>();
    for (let i = 0; i < 40; i++) found.add((await server.http('/who')).text);
    return found;
  }

  // Attack in docs/security.md: A worker that crashes repeatedly.
  it('the worker pool replaces an exited worker while the other worker continues to serve', async () => {
    expect((await threads()).size).to.equal(2);
    await server.http('/exit').catch(() => null);
    await server.logged('worker exited; replacing it');
    expect((await server.http()).text).to.equal('well');
    await server.logged('new worker is serving');
    expect((await threads()).size).to.equal(2);
    expect(await server.stop()).to.include({ code: 0 });
  });

  for (const how of ['throw', 'reject'] as const) {
    it(`workers log an uncaught exception (${how}) and continue`, async () => {
      const before = await threads();
      const agent = new Agent();
      const gone = server.http(`/${how}`, { agent }).catch(() => null);
      await server.logged('uncaught exception');
      // The server cannot determine which request caused the exception, so the client may have to disconnect.
      agent.destroy();
      expect(await gone).to.equal(null);
      expect(await threads()).to.deep.equal(before);
      const { text } = await server.admin('/metrics');
      expect(text).to.match(/sluice_faults_total\{part="thread",module=""\} 1/);
    });
  }

  it('workers and their replacements have normal priority', async function () {
    if (!existsSync('/proc/self/task')) this.skip();
    const pid = server.started.child.pid as number;
    const defaults = getPriority();
    await server.http('/exit').catch(() => null);
    await server.logged('new worker is serving');
    const { control, traffic } = priorities(pid);
    expect(traffic).to.deep.equal([defaults, defaults]);
    expect(control).to.be.at.most(defaults);
  });

  it('workers that exit under load and during changes do not affect other requests and changes @long', async () => {
    const results = { responded: 0, cut: 0, wrong: 0, changes: 0 };
    const stopped = new AbortController();
    const client = async (): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (!stopped.signal.aborted) {
        try {
          const { status, text } = await server.http('/', { agent });
          if (status === 200 && text.startsWith('well')) results.responded++;
          else results.wrong++;
        } catch {
          results.cut++;
        }
      }
      agent.destroy();
    };
    const changer = async (): Promise<void> => {
      const path = '/config/apps/http/servers/s/routes/4/handle/0/body';
      for (let i = 0; !stopped.signal.aborted; i++) {
        const { status } = await server.admin(path, { method: 'PATCH', body: `well ${i}` });
        expect(status).to.equal(200);
        const seen = await server.http().catch(() => null);
        if (seen === null) results.cut++;
        else expect(seen.text).to.equal(`well ${i}`);
        results.changes++;
      }
    };
    const crasher = async (): Promise<void> => {
      for (let crashes = 1; crashes <= 4; crashes++) {
        await server.http('/exit').catch(() => null);
        await server.logged('new worker is serving', crashes);
      }
      stopped.abort();
    };
    await Promise.all([crasher(), changer(), ...Array.from({ length: 6 }, client)]);
    expect(results.wrong).to.equal(0);
    expect(results.responded).to.be.greaterThan(500);
    expect(results.changes).to.be.greaterThan(20);
    // A crash closes the connections of one worker. These may be all connections, including connections that have not been accepted yet.
    expect(results.cut).to.be.at.most(4 * 8 * 2);
    await until(async () => (await threads()).size === 2, 'two threads');
    expect(await server.stop()).to.include({ code: 0 });
  });

  it('workers that exit repeatedly are restarted with increasing delays, and the admin endpoint stays available @long', async () => {
    const deaths = () => server.log.filter(({ msg }) => msg.includes('worker exited'));
    await until(async () => {
      await server.http('/exit').catch(() => null);
      expect((await server.admin('/config/admin')).status).to.equal(200);
      return deaths().length >= 6;
    }, 'six deaths');
    const delays = deaths().map(({ worker, delay_ms }) => `${String(worker)}: ${String(delay_ms)}`);
    expect(delays).to.include.members(['1: 0', '2: 0']);
    expect(delays.some((text) => text.endsWith(': 200'))).to.equal(true);
    await until(async () => (await threads().catch(() => new Set())).size === 2, 'two threads');
  });
});
