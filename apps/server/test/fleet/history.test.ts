import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { until } from '../support/sandbox.ts';
import type { FleetServer } from './fleet-of-three.ts';
import { etcd } from './store-servers.ts';
import { describeFleet } from './suite.ts';

/** A configuration change requested by a client. */
interface Call {
  readonly op: string;
  readonly called: number;
  readonly responded: number;
  readonly outcome: 'committed' | 'refused' | 'unknown';
}

const sizes = { writers: 16, changes: 20, routes: 8 };

const options = { engine: etcd, routes: sizes.routes, timeout: 300_000 };

describeFleet('fleet history during failures of members and the store', options, ({ servers, store }) => {
  const any = (): FleetServer => servers[Math.floor(Math.random() * 3)] as FleetServer;

  /** Makes a random change through a random member. A fifth of the changes cannot be loaded. */
  async function change(op: string): Promise<Call> {
    const called = performance.now();
    const index = Math.floor(Math.random() * sizes.routes);
    const isBad = Math.random() < 0.2;
    const isAppended = !isBad && Math.random() < 0.3;
    const path = `config/apps/http/servers/s/routes${isAppended ? '' : `/${index}/handle/0/${isBad ? 'handler' : 'body'}`}`;
    const body = isAppended ? { handle: [{ handler: 'static_response', body: op }] } : op;
    let outcome: Call['outcome'] = 'unknown';
    try {
      const { status } = await any().ask(isAppended ? 'POST' : 'PATCH', path, body, { 'Idempotency-Key': op });
      if (status !== 504) outcome = status === 200 ? 'committed' : 'refused';
    } catch {
      // The member was killed, so the result of the change is unknown.
    }
    return { op, called, responded: performance.now(), outcome };
  }

  async function wholeHistory(): Promise<{ revision: number; op: string }[]> {
    const all: { revision: number; op: string }[] = [];
    for (let before = Number.MAX_SAFE_INTEGER; before > 1; before = all.at(-1)?.revision ?? 0) {
      const path = all.length === 0 ? 'fleet/history' : `fleet/history?before=${before}`;
      all.push(...((await servers[0]?.get(path)) as { revision: number; op: string }[]));
    }
    return all.reverse();
  }

  it('the history contains each committed change exactly once, in client order, and no rejected changes @long', async () => {
    const calls: Call[] = [];
    const write = async (writer: number): Promise<void> => {
      for (let i = 0; i < sizes.changes; i++) {
        calls.push(await change(`op-${writer}-${i}`));
        await sleep(Math.random() * 400);
      }
    };
    const fail = async (): Promise<void> => {
      await sleep(1000);
      await servers[1]?.kill();
      await servers[1]?.run();
      servers[2]?.signal('SIGSTOP');
      await sleep(700);
      servers[2]?.signal('SIGCONT');
      store().signal('SIGSTOP');
      await sleep(500);
      store().signal('SIGCONT');
      await store().kill();
      await store().run();
    };
    await Promise.all([fail(), ...Array.from({ length: sizes.writers }, (_, writer) => write(writer))]);
    const fleet = async (): Promise<{ document: string; applied: number; known: number }[]> =>
      Promise.all(
        servers.map(
          async (server) => (await server.get('fleet')) as { document: string; applied: number; known: number },
        ),
      );
    await until(
      async () => new Set((await fleet()).map(({ document, applied }) => `${document} ${applied}`)).size === 1,
      'all have one document',
    );

    const history = await wholeHistory();
    expect(history.map(({ revision }) => revision)).to.deep.equal(history.map((_, i) => i + 1));
    const times = (op: string): number => history.filter((entry) => entry.op === op).length;
    for (const { op, outcome } of calls) {
      if (outcome === 'committed') expect(times(op), `${op} was committed`).to.equal(1);
      else if (outcome === 'refused') expect(times(op), `${op} was refused`).to.equal(0);
      else expect(times(op), `${op} is unknown`).to.be.at.most(1);
    }
    const revs = new Map(history.map(({ op, revision }) => [op, revision]));
    const committed = calls.filter(({ outcome }) => outcome === 'committed');
    for (const a of committed)
      for (const b of committed)
        if (a.responded < b.called)
          expect(revs.get(a.op), `${a.op} before ${b.op}`).to.be.lessThan(revs.get(b.op) ?? 0);
    const count = (outcome: Call['outcome']): number => calls.filter((call) => call.outcome === outcome).length;
    process.stdout.write(
      `        ${count('committed')} committed, ${count('refused')} refused, ${count('unknown')} unknown, ${history.length} revisions\n`,
    );
    expect(count('committed')).to.be.greaterThan(calls.length / 4);
  });
});
