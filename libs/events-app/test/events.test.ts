import { expect } from 'chai';
import {
  AbortedError,
  compileEventText,
  Event,
  eventHandlers,
  eventsApp,
  register,
  type EventsApp,
} from '@sluice/events-app';
import { apps, defineModule, options, Registry, string, type Token } from '@sluice/registry';
import { ControlBus } from '@sluice/threads';
import { createLogger, type Json, type LogEntry } from '@sluice/base';
import { EventHub, eventHubToken } from '@sluice/telemetry';
import { Runtime } from '@sluice/reconciler';

let calls: string[] = [];
let logged: LogEntry[] = [];
let release: () => void = () => undefined;
let late: () => void = () => undefined;

/** An event handler like one from a third-party package. */
const recorder = defineModule(eventHandlers, {
  name: 'record',
  help: 'Notes what it sees.',
  config: options({ label: string('Its name.'), then: string('abort, fail, wait or nothing.') }),
  provision: ({ label, then }) => ({
    handle: async (event) => {
      if (then === 'wait') await new Promise((resolve) => setTimeout(resolve, 5));
      calls.push(`${label} ${event.name}`);
      if (then === 'hang')
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      event.data['seen'] = [...((event.data['seen'] as string[] | undefined) ?? []), label];
      if (then === 'abort') throw new AbortedError();
      if (then === 'fail') throw new Error('broken');
    },
  }),
});

/** A module that registers its own event handler. */
const listener = defineModule(apps, {
  name: 'listener',
  help: 'Listens to what is below a.',
  config: options({}),
  provision: async (_, context) => {
    const events = await context.app(eventsApp);
    const handler = { handle: (event: Event) => void calls.push(`listener ${event.name}`) };
    const subscribe = (): void => events.subscribe({ events: [], modules: ['a'], handlers: [handler] }, context);
    subscribe();
    late = subscribe;
    return {};
  },
});

/** Timers controlled by the test. */
function fakeTimers(): { fire(): void; restore(): void } {
  const real = globalThis.setTimeout;
  const waiting: (() => void)[] = [];
  globalThis.setTimeout = ((run: () => void) => {
    waiting.push(run);
  }) as unknown as typeof setTimeout;
  return {
    fire: () => {
      for (const run of waiting.splice(0)) run();
    },
    restore: () => {
      globalThis.setTimeout = real;
    },
  };
}

const log = createLogger({ enabled: () => true, write: (entry) => logged.push(entry) });

async function start(
  subscriptions: Json,
  others: Record<string, Json> = {},
  services: ReadonlyMap<Token<unknown>, unknown> = new Map(),
): Promise<{ app: EventsApp; runtime: Runtime }> {
  calls = [];
  logged = [];
  const runtime = new Runtime({
    registry: new Registry().use(register).add(recorder).add(listener),
    roles: { control: true, traffic: true },
    log,
    services,
  });
  runtime.commit(await runtime.prepare({ apps: { events: { subscriptions }, ...others } }));
  return { app: runtime.app(eventsApp) as EventsApp, runtime };
}

const by = (label: string, rest: object = {}, then = ''): Json => ({
  ...rest,
  handlers: [{ handler: 'record', label, then }],
});

describe('events app', () => {
  it('handlers of the event origin are called first, then handlers of parent origins, then handlers of all origins', async () => {
    const { app } = await start([
      by('all'),
      by('a', { modules: ['a'] }),
      by('abc', { modules: ['a.b.c'] }),
      by('ab', { modules: ['a.b'] }),
      by('other', { modules: ['b'] }),
      by('near', { modules: ['a.bc'] }),
    ]);
    const event = await app.emit('a.b.c', 'x', { n: 1 });
    expect(calls).to.deep.equal(['abc x', 'ab x', 'a x', 'all x']);
    expect(event.data).to.deep.equal({ n: 1, seen: ['abc', 'ab', 'a', 'all'] });
    expect(event.aborted).to.equal(null);
  });

  it('events reach only handlers subscribed to the event name', async () => {
    const { app } = await start([by('x', { events: ['x'] }), by('yz', { events: ['y', 'z'], modules: ['a'] })]);
    for (const [origin, name] of [
      ['a', 'x'],
      ['a', 'y'],
      ['b', 'z'],
      ['a', 'z'],
    ] as const)
      await app.emit(origin, name);
    expect(calls).to.deep.equal(['x x', 'yz y', 'yz z']);
  });

  it('the event emitter waits for handlers, and a handler can abort the event', async () => {
    const { app } = await start([
      by('slow', { modules: ['a.b'] }, 'wait'),
      by('stop', { modules: ['a'] }, 'abort'),
      by('late'),
    ]);
    const event = await app.emit('a.b', 'x');
    expect(calls).to.deep.equal(['slow x', 'stop x']);
    expect(event.aborted).to.be.instanceOf(AbortedError);
  });

  it('an event continues to propagate after a handler fails, and the failure is logged', async () => {
    const { app } = await start([by('bad', { modules: ['a'] }, 'fail'), by('good')]);
    const event = await app.emit('a', 'x');
    expect(calls).to.deep.equal(['bad x', 'good x']);
    expect(event.aborted).to.equal(null);
    expect(
      logged
        .filter(({ level }) => level === 'error')
        .map(({ message, fields }) => `${message}: ${String(fields['error'])}`),
    ).to.deep.equal(['event handler failed: broken']);
  });

  it('events reach subscribed modules as long as these modules are active', async () => {
    const { app, runtime } = await start([], { listener: {} });
    await app.emit('a.b', 'x');
    await app.emit('b', 'x');
    expect(calls).to.deep.equal(['listener x']);
    runtime.commit(await runtime.prepare({ apps: { events: { subscriptions: [] } } }));
    await app.emit('a.b', 'x');
    expect(calls).to.deep.equal(['listener x']);
    await runtime.close();
  });

  it('modules can subscribe only during provisioning', async () => {
    const { runtime } = await start([], { listener: {} });
    expect(() => late()).to.throw(
      'apps.listener: events can only be subscribed to while modules are being provisioned',
    );
    await runtime.close();
  });

  it('the event emitter stops waiting for a hanging handler after a timeout, and sends it no further events until it returns', async () => {
    const clock = fakeTimers();
    try {
      const { app, runtime } = await start([by('stuck', { modules: ['a'] }, 'hang'), by('good')]);
      const first = app.emit('a', 'x');
      clock.fire();
      await first;
      await app.emit('a', 'y');
      expect(calls).to.deep.equal(['stuck x', 'good x', 'good y']);
      release();
      await new Promise((resolve) => setImmediate(resolve));
      const third = app.emit('a', 'z');
      clock.fire();
      await third;
      expect(calls.slice(3)).to.deep.equal(['stuck z', 'good z']);
      release();
      await runtime.close();
    } finally {
      clock.restore();
    }
  });

  it('server events reach handlers exactly once, and module events reach watchers exactly once', async () => {
    const hub = new EventHub(new ControlBus(log), log);
    const seen: string[] = [];
    hub.watch(({ origin, name }) => void seen.push(`${origin} ${name}`));
    hub.watch(() => {
      throw new Error('a broken watcher');
    });
    const { app, runtime } = await start([by('all')], {}, new Map<Token<unknown>, unknown>([[eventHubToken, hub]]));
    await hub.emit('http', 'listener_bound', { address: ':80' });
    await app.emit('a', 'x');
    expect(calls).to.deep.equal(['all listener_bound', 'all x']);
    expect(seen).to.deep.equal(['http listener_bound', 'a x']);
    runtime.commit(await runtime.prepare({}));
    await hub.emit('http', 'listener_released');
    expect(calls).to.have.length(2);
    await runtime.close();
  });

  const texts: [text: string, expected: string][] = [
    ['{event.name} of {event.module}', 'x of a.b'],
    ['{event.data.n}-{event.data.list}-{event.data.none}-{event.data.toString}', '1-[2]--'],
    ['{event.time} {event.time_unix}', '1970-01-01T00:00:05.000Z 5'],
    ['{event.data}', '{"n":1,"list":[2]}'],
    ['{event.id}{event.nope}', 'i'],
    [
      '{event}',
      '{"id":"i","source":"a.b","specversion":"1.0","type":"x","time":"1970-01-01T00:00:05.000Z","datacontenttype":"application/json","data":{"n":1,"list":[2]}}',
    ],
  ];
  for (const [text, expected] of texts) {
    it(`event placeholders expand ${text}`, () => {
      const event = new Event({ id: 'i', time: 5000, origin: 'a.b', name: 'x', data: { n: 1, list: [2] } });
      expect(compileEventText(text).expand(event)).to.equal(expected);
    });
  }

  it('an unknown event handler is rejected, and the error names the module', async () => {
    const error = await start([{ handlers: [{ handler: 'nope' }] }]).then(() => null, String);
    expect(error).to.match(/apps\.events\.subscriptions\[0\]\.handlers\[0\]: unknown module: events\.handlers\.nope/);
  });
});
