import { expect } from 'chai';
import { AbortedError, eventHandlers, eventsApp, register, type EventsApp } from '@sluice/events-app';
import {
  createLogger,
  defineModule,
  options,
  Registry,
  Runtime,
  string,
  type Json,
  type LogEntry,
} from '@sluice/registry';

let calls: string[] = [];
let logged: LogEntry[] = [];

/** A handler as a third-party package would bring it. */
const recorder = defineModule(eventHandlers, {
  name: 'record',
  help: 'Notes what it sees.',
  config: options({ label: string('Its name.'), then: string('abort, fail, wait or nothing.') }),
  provision: ({ label, then }) => ({
    handle: async (event) => {
      if (then === 'wait') await new Promise((resolve) => setTimeout(resolve, 5));
      calls.push(`${label} ${event.name}`);
      event.data['seen'] = [...((event.data['seen'] as string[] | undefined) ?? []), label];
      if (then === 'abort') throw new AbortedError();
      if (then === 'fail') throw new Error('broken');
    },
  }),
});

const log = createLogger({ enabled: () => true, write: (entry) => logged.push(entry) });

async function start(subscriptions: Json): Promise<{ app: EventsApp; runtime: Runtime }> {
  calls = [];
  logged = [];
  const runtime = new Runtime({
    registry: new Registry().use(register).add(recorder),
    roles: { control: true, traffic: true },
    log,
  });
  runtime.commit(await runtime.prepare({ apps: { events: { subscriptions } } }));
  return { app: runtime.app(eventsApp) as EventsApp, runtime };
}

const by = (label: string, rest: object = {}, then = ''): Json => ({
  ...rest,
  handlers: [{ handler: 'record', label, then }],
});

describe('events', () => {
  it('reach handlers of their origin first, then of what is above it, then of everything', async () => {
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

  it('reach handlers that are subscribed to their name only', async () => {
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

  it('are waited for by the emitter and stopped by an abort', async () => {
    const { app } = await start([
      by('slow', { modules: ['a.b'] }, 'wait'),
      by('stop', { modules: ['a'] }, 'abort'),
      by('late'),
    ]);
    const event = await app.emit('a.b', 'x');
    expect(calls).to.deep.equal(['slow x', 'stop x']);
    expect(event.aborted).to.be.instanceOf(AbortedError);
  });

  it('survive a handler that fails, which is logged', async () => {
    const { app } = await start([by('bad', { modules: ['a'] }, 'fail'), by('good')]);
    const event = await app.emit('a', 'x');
    expect(calls).to.deep.equal(['bad x', 'good x']);
    expect(event.aborted).to.equal(null);
    expect(
      logged
        .filter(({ level }) => level === 'error')
        .map(({ message, fields }) => `${message}: ${String(fields['error'])}`),
    ).to.deep.equal(['an event handler failed: broken']);
  });

  it('are subscribed to while provisioning only', async () => {
    const { app } = await start([]);
    expect(() => app.subscribe({ events: [], modules: [], handlers: [] })).to.throw('while modules are provisioned');
  });

  it('name a handler that does not exist', async () => {
    const error = await start([{ handlers: [{ handler: 'nope' }] }]).then(() => null, String);
    expect(error).to.match(/apps\.events\.subscriptions\[0\]\.handlers\[0\]: unknown module: events\.handlers\.nope/);
  });
});
