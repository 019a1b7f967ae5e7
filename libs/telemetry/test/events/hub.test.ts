import { expect } from 'chai';
import { createLogger, onFault, type LogEntry } from '@sluice/base';
import { ControlBus } from '@sluice/threads';
import { cloudEvent, EventHub, serverEvent, type ServerEvent } from '@sluice/telemetry';
import { attachWorker, delivered } from '../linked-threads.ts';

describe('EventHub', () => {
  const entries: LogEntry[] = [];
  const log = createLogger({ enabled: () => true, write: (entry) => void entries.push(entry) });
  let control: EventHub;
  let worker: EventHub;
  let bus: ControlBus;
  beforeEach(() => {
    entries.length = 0;
    bus = new ControlBus(log);
    control = new EventHub(bus, log);
    worker = new EventHub(attachWorker(bus, 1).bus, log);
  });

  /** Records events in the control thread, as `h:name` for handlers and `w:name` for watchers. */
  function listen(): string[] {
    const heard: string[] = [];
    control.handle(({ name }) => void heard.push(`h:${name}`));
    control.watch(({ name }) => void heard.push(`w:${name}`));
    return heard;
  }

  it('EventHub passes events to handlers and watchers of the same thread', async () => {
    const heard = listen();
    await control.emit('http', 'one');
    expect(heard).to.deep.equal(['w:one', 'h:one']);
  });

  it('EventHub sends events of workers to the control thread without waiting', async () => {
    const heard = listen();
    await worker.emit('http', 'one');
    expect(heard).to.deep.equal([]);
    await delivered();
    expect(heard).to.deep.equal(['w:one', 'h:one']);
  });

  it('EventHub passes events to watchers but not to handlers if handlers have already received the events', async () => {
    const heard = listen();
    control.publish(serverEvent('http', 'one'));
    worker.publish(serverEvent('http', 'two'));
    await delivered();
    expect(heard).to.deep.equal(['w:one', 'w:two']);
  });

  it('EventHub.emit waits for all handlers', async () => {
    let done = 0;
    for (const turns of [1, 3])
      control.handle(async () => {
        for (let i = 0; i < turns; i++) await delivered();
        done++;
      });
    await control.emit('http', 'one');
    expect(done).to.equal(2);
  });

  it('EventHub adds a time, a unique ID and data to events', async () => {
    const events: ServerEvent[] = [];
    control.handle((event) => void events.push(event));
    const before = Date.now();
    await control.emit('http', 'one', { a: 1 });
    await control.emit('', 'two');
    expect(events.map(({ origin, name, data }) => [origin, name, data])).to.deep.equal([
      ['http', 'one', { a: 1 }],
      ['', 'two', {}],
    ]);
    for (const { time } of events) expect(time).to.be.within(before, Date.now());
    expect(new Set(events.map(({ id }) => id)).size).to.equal(2);
  });

  it('EventHub sends data to other threads in a form that JSON can represent', async () => {
    const data: unknown[] = [];
    control.handle((event) => void data.push(event.data));
    const circle: Record<string, unknown> = {};
    circle['itself'] = circle;
    await worker.emit('http', 'one', { big: 12n, call: () => 1, list: [1, { a: null }] });
    await worker.emit('http', 'two', circle);
    await delivered();
    expect(data).to.deep.equal([{ big: '12', list: [1, { a: null }] }, {}]);
  });

  it('EventHub logs and reports a failing listener, without affecting the emitter', async () => {
    const faults: unknown[] = [];
    const stop = onFault(({ module, error }) => faults.push([module, (error as Error).message]));
    const heard = listen();
    control.handle(() => Promise.reject(new Error('no handler')));
    control.watch(() => {
      throw new Error('no watcher');
    });
    await control.emit('http', 'one');
    stop();
    expect(heard).to.deep.equal(['w:one', 'h:one']);
    expect(faults).to.have.deep.members([
      ['events', 'no watcher'],
      ['events', 'no handler'],
    ]);
    expect(entries.map(({ level, fields }) => [level, fields['name'], fields['origin']])).to.deep.equal([
      ['error', 'one', 'http'],
      ['error', 'one', 'http'],
    ]);
  });

  it('EventHub does not call removed listeners', async () => {
    const heard: string[] = [];
    const leave = [
      control.handle(() => void heard.push('handler')),
      control.watch(() => void heard.push('watcher')),
      control.onClose(() => void heard.push('end')),
    ];
    for (const each of leave) each();
    await control.emit('http', 'one');
    control.close();
    expect(heard).to.deep.equal([]);
  });

  it('EventHub.close calls all close listeners, even if one listener throws', () => {
    const ended: string[] = [];
    const faults: unknown[] = [];
    const stop = onFault(({ module }) => faults.push(module));
    control.onClose(() => {
      throw new Error('no end');
    });
    control.onClose(() => void ended.push('stream'));
    expect(control.closed).to.equal(false);
    control.close();
    stop();
    expect(control.closed).to.equal(true);
    expect(ended).to.deep.equal(['stream']);
    expect(faults).to.deep.equal(['events']);
  });

  it('cloudEvent uses sluice as the source of events that the server emits', () => {
    const event: ServerEvent = { id: 'i', time: 86_400_000, origin: 'tls', name: 'cert_obtained', data: { a: 1 } };
    expect(cloudEvent(event)).to.deep.equal({
      id: 'i',
      source: 'tls',
      specversion: '1.0',
      type: 'cert_obtained',
      time: '1970-01-02T00:00:00.000Z',
      datacontenttype: 'application/json',
      data: { a: 1 },
    });
    expect(cloudEvent({ ...event, origin: '' }).source).to.equal('sluice');
  });
});
