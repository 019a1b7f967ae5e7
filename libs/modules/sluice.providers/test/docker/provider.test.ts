import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { provisionNamed } from '@sluice/testing';
import { silentLogger, type JsonObject } from '@sluice/base';
import { providers, type Fragment, type Provider, type ProviderHost } from '@sluice/providers-app/contract';
import { register } from '../../src/index.ts';
import { until } from '../kubernetes/until.ts';

/** An in-memory container engine. */
class FakeEngine {
  readonly containers = new Map<string, object>();
  /** Requests for containers. */
  readonly lists: string[] = [];
  readonly #server: Server;
  readonly #followers = new Set<ServerResponse>();

  constructor() {
    this.#server = createServer(({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://engine');
      if (pathname === '/events') {
        response.writeHead(200).flushHeaders();
        this.#followers.add(response);
        return;
      }
      const { id: wanted } = JSON.parse(searchParams.get('filters') ?? '{}') as { readonly id?: readonly string[] };
      const found = [...this.containers].filter(([id]) => wanted?.includes(id) ?? true);
      this.lists.push(wanted === undefined ? 'all' : wanted.join(' '));
      response.end(JSON.stringify(found.map(([, each]) => each)));
    });
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `tcp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  put(id: string, labels: Readonly<Record<string, string>>, address = '10.0.0.2'): void {
    const Networks = { bridge: { IPAddress: address } };
    this.containers.set(id, { Id: id, Names: [`/${id}`], Labels: labels, NetworkSettings: { Networks } });
  }

  emit(event: object): void {
    for (const follower of this.#followers) follower.write(`${JSON.stringify(event)}\n`);
  }
}

const site = (name: string): Readonly<Record<string, string>> => ({
  caddy: `${name}.test`,
  'caddy.reverse_proxy': '{{upstreams 80}}',
});
const router = (name: string): Readonly<Record<string, string>> => ({
  [`traefik.http.routers.${name}.rule`]: `Host(\`${name}.test\`)`,
  [`traefik.http.routers.${name}.middlewares`]: 'shared',
  [`traefik.http.services.${name}.loadbalancer.server.port`]: '80',
});
const event = (action: string, id: string): object => ({ Type: 'container', Action: action, Actor: { ID: id } });

describe('docker provider', () => {
  let engine: FakeEngine;
  let stop: AbortController;
  let close: () => Promise<void>;
  let watching: Promise<void>;
  let adapted: number;
  const states: ReadonlyMap<string, Fragment>[] = [];

  beforeEach(async () => {
    engine = new FakeEngine();
    stop = new AbortController();
    adapted = 0;
    states.length = 0;
    engine.put('shared', { 'traefik.http.middlewares.shared.headers.customrequestheaders.X-A': '1' });
    const config = { endpoint: await engine.listen(), dialects: ['caddy', 'traefik'] };
    const provisioned = await provisionNamed<Provider>(providers, 'docker', config, { register: [register] });
    close = provisioned.close;
    const host: ProviderHost = {
      log: silentLogger,
      replace: (all) => states.push(all),
      update: () => undefined,
      report: () => undefined,
      adapt: (_format, body): Promise<JsonObject> => {
        adapted++;
        return Promise.resolve({ apps: { http: { body } } });
      },
    };
    watching = provisioned.instance.watch(host, stop.signal).catch(() => undefined);
  });

  afterEach(async () => {
    stop.abort();
    await watching;
    await close();
    await engine.close();
  });

  /** Returns the keys of the fragments that differ between the two most recent states. */
  const changed = (): readonly string[] => {
    const [before = new Map<string, Fragment>(), after = new Map<string, Fragment>()] = states.slice(-2);
    return [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key));
  };
  const next = async (): Promise<void> => {
    const count = states.length;
    await until(() => states.length > count);
  };

  it('the docker provider reads only the container that an event names, and changes only the fragments of this container', async () => {
    for (const name of ['a', 'b', 'c']) engine.put(name, { ...site(name), ...router(`t${name}`) });
    await until(() => states.length > 0);
    engine.emit(event('start', 'a'));
    await next();
    expect([engine.lists.at(-1), changed(), adapted]).to.deep.equal(['a', [], 3]);
    engine.put('b', { ...site('b'), ...router('tb') }, '10.0.0.9');
    engine.emit({ Type: 'network', Action: 'connect', Actor: { ID: 'bridge', Attributes: { container: 'b' } } });
    await next();
    expect([engine.lists.at(-1), changed(), adapted]).to.deep.equal(['b', ['b.test', 'traefik tb'], 4]);
    engine.containers.delete('c');
    engine.emit(event('die', 'c'));
    await next();
    expect([engine.lists.at(-1), changed(), adapted]).to.deep.equal(['c', ['c.test', 'traefik tc'], 4]);
  });

  it('the docker provider updates all routers that use a changed middleware', async () => {
    engine.put('a', router('ta'));
    await until(() => states.length > 0);
    engine.containers.delete('shared');
    engine.put('other', { 'traefik.http.middlewares.shared.headers.customrequestheaders.X-A': '2' });
    engine.emit(event('die', 'shared'));
    engine.emit(event('start', 'other'));
    await until(() => JSON.stringify([...(states.at(-1) ?? [])]).includes('"X-A":["2"]'));
  });

  it('the docker provider ignores events that do not change a container, and reads all containers for events that are not about a container', async () => {
    await until(() => states.length > 0);
    for (const action of ['exec_start: ls', 'top']) engine.emit(event(action, 'shared'));
    engine.emit({ Type: 'network', Action: 'destroy', Actor: { ID: 'bridge' } });
    await next();
    expect(engine.lists).to.deep.equal(['all', 'all']);
  });
});
