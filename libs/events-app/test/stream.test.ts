import { request } from 'node:http';
import { expect } from 'chai';
import { register } from '@sluice/events-app';
import { ControlBus } from '@sluice/threads';
import { Reconciler, noThreads, Runtime } from '@sluice/reconciler';
import { EventHub, eventHubToken } from '@sluice/telemetry';
import { Registry, type Token } from '@sluice/registry';
import { silentLogger } from '@sluice/base';
import { adminApi, type AdminApi } from '@sluice/testing';
import { eventStream } from '../src/event-stream.ts';

describe('event stream', () => {
  let hub: EventHub;
  let clients: AbortController[];
  let streams: AsyncIterator<string>[];

  beforeEach(() => {
    clients = [];
    streams = [];
    hub = new EventHub(new ControlBus(silentLogger), silentLogger);
  });
  afterEach(async () => {
    for (const client of clients) client.abort();
    await Promise.all(streams.map((stream) => stream.return?.()));
  });

  /** Connects a client and waits until it has received the first chunk of its stream. */
  async function listen(query = ''): Promise<AsyncIterator<string>> {
    const client = new AbortController();
    clients.push(client);
    const asked = new URLSearchParams(query);
    const filter = { names: asked.getAll('name'), origins: asked.getAll('origin') };
    const stream = eventStream(hub, filter, client.signal);
    streams.push(stream);
    expect((await stream.next()).value).to.match(/^:/);
    return stream;
  }

  const nameIn = (chunk: unknown): string => /^event: (.*)$/m.exec(String(chunk))?.[1] ?? '';

  it('the event stream writes events as JSON', async () => {
    const stream = await listen();
    const next = stream.next();
    void hub.emit('a.b', 'x\ny', { n: 1 });
    const [id, event, data, ...rest] = String((await next).value).split('\n');
    const json = JSON.parse(String(data).slice('data: '.length)) as Record<string, unknown>;
    expect(json).to.include({ source: 'a.b', specversion: '1.0', type: 'x\ny', datacontenttype: 'application/json' });
    expect(json['data']).to.deep.equal({ n: 1 });
    expect([id, event, ...rest]).to.deep.equal([`id: ${String(json['id'])}`, 'event: x y', '', '']);
  });

  const filters: [query: string, names: string[]][] = [
    ['', ['x1', 'y2', 'x3', 'y4']],
    ['name=x1&name=y4', ['x1', 'y4']],
    ['origin=a', ['x1', 'y2']],
    ['origin=a.b&name=y2', ['y2']],
    ['origin=ab', ['x3']],
  ];
  for (const [query, names] of filters) {
    it(`the event stream contains ${names.join(', ')} for ${JSON.stringify(query)}`, async () => {
      const stream = await listen(query);
      for (const [origin, name] of [
        ['a', 'x1'],
        ['a.b', 'y2'],
        ['ab', 'x3'],
        ['', 'y4'],
      ] as const)
        void hub.emit(origin, name);
      const seen: string[] = [];
      while (seen.length < names.length) seen.push(nameIn((await stream.next()).value));
      expect(seen).to.deep.equal(names);
    });
  }

  it('the event stream drops and counts the oldest events if the client does not read', async () => {
    const stream = await listen();
    for (let i = 0; i < 1003; i++) void hub.emit('a', `x${i}`);
    expect((await stream.next()).value).to.include('3 events were dropped');
    expect(nameIn((await stream.next()).value)).to.equal('x3');
    expect(nameIn((await stream.next()).value)).to.equal('x4');
  });

  it('the event stream ends when the client disconnects, or after the last event when the server shuts down', async () => {
    const [first, second] = [await listen(), await listen()];
    const [gone, last] = [first.next(), second.next()];
    clients[0]?.abort();
    expect((await gone).done).to.equal(true);
    void hub.emit('', 'stopping');
    hub.close();
    expect(nameIn((await last).value)).to.equal('stopping');
    expect((await second.next()).done).to.equal(true);
  });
});

describe('GET /events', () => {
  let hub: EventHub;
  let reconciler: Reconciler;
  let api: AdminApi;
  const ends: (() => void)[] = [];

  beforeEach(async () => {
    hub = new EventHub(new ControlBus(silentLogger), silentLogger);
    const registry = new Registry().use(register);
    const services = new Map<Token<unknown>, unknown>([[eventHubToken, hub]]);
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger, services });
    reconciler = new Reconciler({ registry, runtime, threads: noThreads, store: null, log: silentLogger });
    api = await adminApi(reconciler);
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) end();
    hub.close();
    await api.close();
    await reconciler.close();
  });

  /** Connects a client. Resolves to the status when the response begins. Received chunks are appended to `seen`. */
  function connect(query = '', seen: string[] = []): Promise<number> {
    return new Promise((resolve, reject) => {
      const path = `/events${query}`;
      const client = request({ host: '127.0.0.1', port: api.port, path, agent: false }, (response) => {
        response.setEncoding('utf8').on('data', (text: string) => seen.push(text));
        response.on('error', () => undefined);
        resolve(response.statusCode ?? 0);
      });
      client.on('error', reject).end();
      ends.push(() => client.destroy());
    });
  }

  const until = async (isTrue: () => boolean | Promise<boolean>): Promise<void> => {
    let isSo = false;
    for (let i = 0; i < 400 && !isSo; i++) {
      isSo = await isTrue();
      if (!isSo) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(isSo).to.equal(true);
  };

  it('GET /events immediately sends events that match the query', async () => {
    const [all, some]: string[][] = [[], []];
    await connect('', all);
    await connect('?name=x&name=y&origin=a', some);
    await until(() => all?.length === 1 && some?.length === 1);
    for (const [origin, name] of [
      ['a', 'x'],
      ['a.b', 'y'],
      ['b', 'x'],
      ['a', 'z'],
    ] as const)
      void hub.emit(origin, name);
    await until(() => all?.join('').includes('event: z') === true);
    const names = (texts: string[] = []) => [...texts.join('').matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
    expect(names(all)).to.deep.equal(['x', 'y', 'x', 'z']);
    expect(names(some)).to.deep.equal(['x', 'y']);
  });

  it('GET /events ends without an error when the server shuts down', async () => {
    const seen: string[] = [];
    const body = api.request('/events').then(({ text }) => seen.push(text));
    await until(async () => (hub.close(), seen.length > 0));
    await body;
    expect(seen.join('')).to.match(/^: events of the server/);
  });

  it('GET /events limits the number of clients', async () => {
    for (let i = 0; i < 64; i++) expect(await connect()).to.equal(200);
    expect(await connect()).to.equal(503);
    ends.shift()?.();
    await until(async () => (await connect()) === 200);
  });
});
