import { expect } from 'chai';
import { apps, defineModule, integer, options, Registry, string, type Context } from '@sluice/registry';
import { ControlBus, TrafficPool } from '@sluice/threads';
import type { Pulse, ThreadChange } from '../src/traffic-pool.ts';
import { Reconciler, Runtime } from '@sluice/reconciler';
import { createLogger, silentLogger, SluiceError, type Json, type LogEntry } from '@sluice/base';
import { FakeThread, until } from './fake-threads.ts';

/** Provision function of the test app in traffic threads. */
type Behavior = (value: number, context: Context, thread: number) => void | Promise<void>;

const noBackOff = { first: 1, max: 5, healthy: 60_000 };

/** Creates a pool of simulated threads and its reconciler. The only app has the options `{"value": number}`. */
function setUp(
  size: number,
  behavior: Behavior = () => {},
  pulse: Pulse = { every: 5, silent: 5, timeout: 40, atWork: 40 },
) {
  const started: FakeThread[] = [];
  const alive = (): FakeThread[] => started.filter((thread) => !gone.has(thread));
  const gone = new Set<FakeThread>();
  const register = (thread: number) => (registry: Registry) =>
    void registry.add(
      defineModule(apps, {
        name: 'fake',
        help: 'A fake app.',
        config: options({ value: integer('A number.'), name: string('A name.') }),
        provision: async ({ value }, context) => {
          if (context.roles.traffic) await behavior(value ?? 0, context, thread);
          return { value };
        },
      }),
    );
  const bus = new ControlBus(silentLogger);
  const reaped: number[] = [];
  const standIns: string[] = [];
  const entries: LogEntry[] = [];
  const changes: ThreadChange[] = [];
  const pool: TrafficPool = new TrafficPool({
    size,
    spawn: (thread) => {
      const fake = new FakeThread(thread, register(thread));
      started.push(fake);
      void fake.spawned.gone.then(() => gone.add(fake));
      return fake.spawned;
    },
    bus,
    log: createLogger({ enabled: () => true, write: (entry) => void entries.push(entry) }),
    exclusive: (task) => reconciler.exclusive(task),
    onExit: (thread, by) => {
      reaped.push(thread);
      standIns.push(`gone ${thread}: ${by}`);
    },
    onSilent: (thread, by) => standIns.push(`silent ${thread}: ${by}`),
    onChange: (change) => changes.push(change),
    backOff: noBackOff,
    pulse,
    provisionPulse: { every: 5, timeout: 60 },
  });
  const registry = new Registry().use(register(0));
  const runtime = new Runtime({ registry, roles: { control: true, traffic: false }, log: silentLogger });
  const reconciler: Reconciler = new Reconciler({ registry, runtime, threads: pool, store: null, log: silentLogger });
  const load = (value: number) => reconciler.load(config(value));
  pool.start();
  return { pool, reconciler, bus, started, alive, reaped, standIns, load, entries, changes };
}

function config(value: number): Json {
  return { apps: { fake: { value } } };
}

describe('TrafficPool', () => {
  let set: ReturnType<typeof setUp> | null = null;
  afterEach(async () => {
    await set?.pool.stop();
    await set?.reconciler.close();
    set = null;
  });

  it('TrafficPool.stop does not wait for a thread with a blocked event loop, even if there is no timeout', async () => {
    set = setUp(2);
    await set.load(1);
    set.started[0]?.freeze();
    await set.pool.stop();
    expect(set.alive()).to.deep.equal([]);
  });

  it('TrafficPool.stop does not wait for a thread that never finishes preparing', async function () {
    this.timeout(6000);
    set = setUp(1, (value) => (value === 2 ? new Promise(() => undefined) : undefined));
    await set.load(1);
    set.load(2).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { pool, reconciler } = set;
    set = null;
    await pool.stop();
    await reconciler.close(20);
  });

  it('TrafficPool applies a change in every thread before it responds', async () => {
    set = setUp(3);
    await set.load(1);
    expect(set.started.map(({ document }) => document)).to.deep.equal([config(1), config(1), config(1)]);
    await set.reconciler.change(() => config(2));
    expect(set.started.map(({ document }) => document)).to.deep.equal([config(2), config(2), config(2)]);
  });

  it('TrafficPool sends only differences, so that unchanged nodes stay identical in the threads', async () => {
    set = setUp(1);
    await set.reconciler.load({ '@id': 'root', apps: { fake: { value: 1, name: 'x' } } });
    const before = (set.started[0]!.document as { apps: object }).apps;
    await set.reconciler.load({ '@id': 'other', apps: { fake: { value: 1, name: 'x' } } });
    expect((set.started[0]!.document as { apps: object }).apps).to.equal(before);
  });

  it('TrafficPool applies nothing if one thread rejects a change, and passes on the error unchanged', async () => {
    set = setUp(3, (value, context, thread) => {
      if (value === 13 && thread === 2) throw context.error('13 is refused', 'value');
    });
    await set.load(1);
    const error = await set.load(13).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).to.include({
      code: 'ERR_CONFIG',
      status: 400,
      where: 'apps.fake.value',
      message: 'apps.fake.value: 13 is refused',
    });
    expect(set.reconciler.document).to.deep.equal(config(1));
    expect(set.started.map(({ document }) => document)).to.deep.equal([config(1), config(1), config(1)]);
    await set.load(2);
    expect(set.started.map(({ document }) => document)).to.deep.equal([config(2), config(2), config(2)]);
  });

  it('TrafficPool replaces a thread that exits, and the new thread joins with the active document', async () => {
    set = setUp(2);
    await set.load(1);
    set.started[0]!.die();
    await until(() => set!.started.length === 3 && set!.pool.serving === 2);
    expect(set.started[2]!.document).to.deep.equal(config(1));
    expect(set.reaped).to.deep.equal([1]);
    await set.load(2);
    expect(set.alive().map(({ document }) => document)).to.deep.equal([config(2), config(2)]);
  });

  it('TrafficPool applies a change even if one of two threads exits during the change', async () => {
    set = setUp(2, async (value, _context, thread) => {
      if (value === 2 && thread === 1 && set!.alive().includes(set!.started[0]!)) {
        set!.started[0]!.die();
        await new Promise(() => {});
      }
    });
    await set.load(1);
    await set.load(2);
    expect(set.reconciler.document).to.deep.equal(config(2));
    expect(set.started[1]!.document).to.deep.equal(config(2));
  });

  // Attack in docs/security.md: A module that crashes each worker that provisions it.
  it('TrafficPool keeps the other threads when a change crashes every provisioning thread', async () => {
    set = setUp(4, async (value, _context, thread) => {
      if (value !== 666) return;
      set!.started.findLast((each) => each.thread === thread)?.die();
      await new Promise(() => {});
    });
    await set.load(1);
    const error = await set.load(666).catch((reason: unknown) => reason);
    expect(error).to.include({ code: 'ERR_WORKER_DIED' });
    // The change has crashed one thread that was already serving, and the new thread that tested the change again.
    expect(set.started.slice(0, 4).filter((thread) => set!.alive().includes(thread))).to.have.length(3);
    await until(() => set!.pool.serving === 4);
    expect(set.alive().map(({ document }) => document)).to.deep.equal(Array(4).fill(config(1)));
    await set.load(2);
    expect(set.alive().map(({ document }) => document)).to.deep.equal(Array(4).fill(config(2)));
  });

  it('TrafficPool provisions a change in one thread first, and then in the other threads', async () => {
    const order: number[] = [];
    set = setUp(3, async (value, _context, thread) => {
      if (value !== 2) return;
      order.push(thread);
      await new Promise((resolve) => setTimeout(resolve, 5));
      order.push(-thread);
    });
    await set.load(1);
    await set.load(2);
    expect(order.slice(0, 2)).to.deep.equal([1, -1]);
    expect(order.slice(2).toSorted()).to.deep.equal([-2, -3, 2, 3]);
  });

  // Attack in docs/security.md: A module that loops in a worker during provisioning.
  it('TrafficPool terminates a thread that loops endlessly while provisioning, reports the termination, and keeps the other threads', async () => {
    set = setUp(
      2,
      (value, _context, thread) => {
        if (value !== 2) return;
        set!.started.find((each) => each.thread === thread)?.freeze();
        return new Promise(() => {});
      },
      { every: 1000, silent: 1000, timeout: 30_000, atWork: 30_000 },
    );
    await set.load(1);
    const error = await set.load(2).catch((reason: unknown) => reason);
    expect(error).to.include({ code: 'ERR_WORKER_DIED' });
    expect(String(error)).to.match(/worker 1 did not respond for 6\d ms while provisioning the configuration/);
    expect(set.alive()).to.include(set.started[1]);
    await until(() => set!.pool.serving === 2);
    expect(set.alive().map(({ document }) => document)).to.deep.equal([config(1), config(1)]);
  });

  it('TrafficPool.stop does not wait for a new thread that never finishes preparing', async () => {
    let hangs = 0;
    set = setUp(2, async () => {
      if (set!.started.length > 2) {
        hangs++;
        await new Promise(() => {});
      }
    });
    await set.load(1);
    set.started[0]!.die();
    await until(() => hangs === 1);
    await set.pool.stop();
    expect(set.pool.serving).to.equal(0);
  });

  it('TrafficPool reports the replacement of a thread that exits during a change, and the replacement serves requests', async () => {
    let died = false;
    set = setUp(2, (value, _context, thread) => {
      if (value !== 2 || thread !== 1 || died) return;
      died = true;
      set!.started[0]!.die();
    });
    await set.load(1);
    await set.load(2);
    await until(() => set!.pool.serving === 2);
    expect(set.changes.map(({ name, worker }) => `${name} ${worker}`)).to.deep.equal([
      'worker_exited 1',
      'worker_replaced 1',
    ]);
    expect(logged('new worker is serving')).to.have.length(1);
  });

  it('TrafficPool sends a replacement the active document if another thread rejects the change', async () => {
    let died = false;
    set = setUp(2, (value, context, thread) => {
      if (value !== 2) return;
      if (thread === 2) throw context.error('2 is refused', 'value');
      if (died) return;
      died = true;
      set!.started[0]!.die();
    });
    await set.load(1);
    const refusal = await set.load(2).catch((error: Error) => error.message);
    expect(refusal).to.equal('apps.fake.value: 2 is refused');
    await until(() => set!.pool.serving === 2);
    expect(set.alive().map(({ document }) => document)).to.deep.equal([config(1), config(1)]);
  });

  it('TrafficPool tests a change in a new thread if the only thread exits while preparing the change', async () => {
    let deaths = 0;
    set = setUp(1, async (value) => {
      if (value === 2 && deaths++ === 0) {
        set!.started[0]!.die();
        await new Promise(() => {});
      }
    });
    await set.load(1);
    await set.load(2);
    await until(() => set!.pool.serving === 1);
    expect(set.alive().map(({ document }) => document)).to.deep.equal([config(2)]);
  });

  it('TrafficPool rejects a change that crashes every thread, and serves the previous configuration again', async () => {
    set = setUp(2, async (value) => {
      if (value === 666) {
        for (const thread of set!.alive()) thread.die();
        await new Promise(() => {});
      }
    });
    await set.load(1);
    const error = await set.load(666).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).to.include({ code: 'ERR_WORKER_DIED' });
    expect(set.reconciler.document).to.deep.equal(config(1));
    await until(() => set!.pool.serving === 2);
    expect(set.alive().map(({ document }) => document)).to.deep.equal([config(1), config(1)]);
  });

  it('TrafficPool serves the previous configuration after a change crashes the only thread and the replacement thread rejects the change', async () => {
    set = setUp(1, async (value, context) => {
      if (value !== 2) return;
      if (set!.started.length > 1) throw context.error('no');
      set!.started[0]!.die();
      await new Promise(() => {});
    });
    await set.load(1);
    const error = await set.load(2).catch((reason: unknown) => reason);
    expect(String(error)).to.contain('apps.fake: no');
    await until(() => set!.pool.serving === 1);
    expect(set.started).to.have.length(2);
    expect(set.alive().map(({ document }) => document)).to.deep.equal([config(1)]);
  });

  it('TrafficPool does not wait for a thread that exits between the two phases', async () => {
    set = setUp(2);
    await set.load(1);
    const [first] = set.started;
    const ask = first!.spawned.channel.ask.bind(first!.spawned.channel);
    first!.spawned.channel.ask = (topic, body) => {
      if (topic === 'sluice/commit') first!.die();
      return ask(topic, body);
    };
    await set.load(2);
    await until(() => set!.pool.serving === 2);
    expect(set.alive().map(({ document }) => document)).to.deep.equal([config(2), config(2)]);
  });

  it('TrafficPool replaces a thread with a blocked event loop, even while a change waits for the thread', async () => {
    set = setUp(2);
    await set.load(1);
    set.started[0]!.freeze();
    await set.load(2);
    await until(() => set!.pool.serving === 2);
    expect(set.alive().map(({ document }) => document)).to.deep.equal([config(2), config(2)]);
    expect(set.alive()).not.to.include(set.started[0]);
  });

  const logged = (message: string): unknown[] =>
    set!.entries.filter((entry) => entry.message === message).map(({ level, fields }) => ({ level, ...fields }));

  it('TrafficPool reports a thread that exited and its replacement', async () => {
    set = setUp(2);
    await set.load(1);
    expect([set.entries, set.changes]).to.deep.equal([[], []]);
    set.started[1]!.die('out of memory');
    await until(() => set!.changes.length === 2);
    const after = (set.changes[1] as { after: number }).after;
    expect(set.changes).to.deep.equal([
      { name: 'worker_exited', worker: 2, reason: 'out of memory' },
      { name: 'worker_replaced', worker: 2, after },
    ]);
    expect(after).to.be.within(0, 10_000);
    expect(Number.isInteger(after)).to.equal(true);
    expect(logged('worker exited; replacing it')).to.deep.equal([
      { level: 'error', worker: 2, reason: 'out of memory', delay_ms: 0 },
    ]);
    expect(logged('new worker is serving')).to.deep.equal([{ level: 'info', worker: 2, after_ms: after }]);
    set.started[2]!.die('again');
    await until(() => set!.changes.length === 4);
    expect(logged('worker exited; replacing it')[1]).to.include({ worker: 2, delay_ms: 1 });
    expect(set.reaped).to.deep.equal([2, 2]);
  });

  it('TrafficPool measures the lifetime of each thread from its start, so that repeated exits increase the restart delay', async () => {
    const real = performance.now.bind(performance);
    performance.now = () => real() + 3_600_000;
    try {
      set = setUp(1);
      await set.load(1);
      for (const changes of [2, 4, 6]) {
        set.started.at(-1)!.die('again');
        await until(() => set!.changes.length === changes);
      }
    } finally {
      performance.now = real;
    }
    const delays = set.entries.filter(({ message }) => message === 'worker exited; replacing it');
    expect(delays.map(({ fields }) => fields['delay_ms'])).to.deep.equal([0, 1, 2]);
    const lives = set.changes.filter((change) => change.name === 'worker_replaced');
    for (const { after } of lives) expect(after).to.be.below(60_000);
  });

  it('TrafficPool reports an unresponsive thread and how long it has been unresponsive', async () => {
    set = setUp(2);
    await set.load(1);
    set.started[0]!.freeze();
    await until(() => set!.changes.length === 2);
    expect(logged('worker is unresponsive; terminating it')).to.deep.equal([
      { level: 'error', worker: 1, silent_ms: 40 },
    ]);
    expect(set.changes[0]).to.deep.equal({ name: 'worker_exited', worker: 1, reason: 'it was terminated' });
  });

  // Attack in docs/security.md: One or all workers hang.
  it('TrafficPool terminates unresponsive threads one at a time, after replacing the previous thread', async () => {
    set = setUp(3);
    await set.load(1);
    for (const thread of set.started.slice(0, 3)) thread.freeze();
    await until(() => set!.changes.length === 6);
    expect(set.changes.map(({ name, worker }) => `${name} ${worker}`)).to.deep.equal([
      'worker_exited 1',
      'worker_replaced 1',
      'worker_exited 2',
      'worker_replaced 2',
      'worker_exited 3',
      'worker_replaced 3',
    ]);
  });

  it('TrafficPool selects a responsive thread to take over for an unresponsive thread', async () => {
    set = setUp(2);
    await set.load(1);
    set.started[1]!.freeze();
    await until(() => set!.changes.length === 2);
    expect(set.standIns).to.deep.equal(['silent 2: 1', 'gone 2: 1']);
  });

  it('TrafficPool does not report threads that exit during a stop', async () => {
    set = setUp(2);
    await set.load(1);
    await set.pool.stop();
    await until(() => set!.alive().length === 0);
    expect([set.entries, set.changes, set.pool.serving]).to.deep.equal([[], [], 0]);
  });

  for (const [topic, message] of [
    ['sluice/abort', 'worker failed to release a rejected configuration'],
    ['sluice/commit', 'worker failed to load the configuration'],
    ['sluice/stop', 'worker failed to stop'],
  ] as const) {
    it(`TrafficPool logs a thread error at ${topic}, but not the exit of the thread`, async () => {
      set = setUp(2, (value, context, thread) => {
        if (value === 2 && thread === 2) throw context.error('refused');
      });
      await set.load(1);
      const { channel } = set.started[0]!.spawned;
      const ask = channel.ask.bind(channel);
      let failure: Error = new SluiceError('ERR_THREAD_GONE', 'it is gone');
      channel.ask = (asked, body) => (asked === topic ? Promise.reject(failure) : ask(asked, body));
      const run = async (): Promise<void> => {
        if (topic === 'sluice/stop') await set!.pool.stop();
        else await set!.load(topic === 'sluice/abort' ? 2 : 3).catch(() => null);
      };
      await run();
      expect(logged(message)).to.deep.equal([]);
      failure = new Error('no');
      if (topic === 'sluice/commit') await set.load(4);
      else if (topic === 'sluice/abort') await run();
      if (topic !== 'sluice/stop') expect(logged(message)).to.have.length(1);
    });
  }

  it('TrafficPool applies changes while a new thread starts, and the new thread receives the latest document', async () => {
    set = setUp(2);
    await set.load(1);
    set.started[1]!.die();
    for (let value = 2; value < 20; value++) await set.load(value);
    await until(() => set!.pool.serving === 2);
    expect(set.alive().map(({ document }) => document)).to.deep.equal([config(19), config(19)]);
  });

  it('TrafficPool retries if a new thread cannot load the configuration', async () => {
    let refusals = 0;
    set = setUp(2, (_value, context) => {
      if (set!.started.length > 2 && refusals++ < 2) throw context.error('not yet');
    });
    await set.load(1);
    set.started[0]!.die();
    await until(() => set!.started.length === 5 && set!.pool.serving === 2);
    expect(refusals).to.equal(3);
  });

  it('TrafficPool logs that a new thread rejected the configuration, but not that the thread exited', async () => {
    set = setUp(2, (_value, context) => {
      const { length } = set!.started;
      if (length === 3) set!.started[2]!.die('out of memory');
      if (length === 4) throw context.error('not yet');
    });
    await set.load(1);
    set.started[0]!.die();
    await until(() => set!.started.length === 5 && set!.pool.serving === 2);
    const failures = logged('new worker failed to load the configuration');
    expect(failures).to.have.length(1);
    expect(failures[0]).to.include({ level: 'error', worker: 1 });
    expect(logged('worker exited; replacing it')).to.have.length(3);
  });

  it('TrafficPool rejects a change if no thread has started yet', async () => {
    set = setUp(1);
    set.started[0]!.die();
    await set.load(1);
    expect(set.reconciler.document).to.deep.equal(config(1));
    await until(() => set!.pool.serving === 1);
  });

  it('TrafficPool starts no threads after it is stopped', async () => {
    set = setUp(2);
    await set.load(1);
    await set.pool.stop();
    const { length } = set.started;
    for (const thread of set.started) thread.die();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(set.started).to.have.length(length);
  });

  it('TrafficPool survives random thread exits during a stream of changes', async function () {
    this.timeout(20_000);
    set = setUp(3, async () => {
      await new Promise((resolve) => setImmediate(resolve));
    });
    const stopped = new AbortController();
    const threads = set.alive;
    const killer = (async () => {
      while (!stopped.signal.aborted) {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 6));
        const alive = threads();
        if (alive.length > 1) alive[Math.floor(Math.random() * alive.length)]!.die();
      }
    })();
    /** On a busy machine, all workers may die during one change. The server then rejects the change, and the test retries it. */
    const load = async (value: number): Promise<void> => {
      const refusal: unknown = await set!.load(value).then(
        () => null,
        (error: unknown) => error,
      );
      if (refusal === null) return;
      expect(refusal).to.have.property('code', 'ERR_WORKER_DIED');
      await load(value);
    };
    try {
      for (let value = 1; value <= 300; value++) await load(value);
    } finally {
      stopped.abort();
      await killer;
    }
    await until(() => set!.pool.serving === 3, 5000);
    expect(set.alive().map(({ document }) => document)).to.deep.equal([config(300), config(300), config(300)]);
  });
});
