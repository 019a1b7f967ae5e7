import { expect } from 'chai';
import { silentLogger, type JsonObject } from '@sluice/base';
import type { Fragment, FragmentChanges, ProviderHost } from '@sluice/providers-app/contract';
import { KubeClient } from '../../src/kubernetes/api/client.ts';
import { Controller } from '../../src/kubernetes/controller.ts';
import type { ControllerOptions } from '../../src/kubernetes/controller-options.ts';
import { FakeApiServer, paths, type FakeObject } from './fake-api-server.ts';
import { backend, gateway, gatewayClass, httpListener, pathMatch, route, service, slice } from './objects.ts';
import { until } from './until.ts';

/** A provider host that applies fragments only when the test triggers it. It rejects fragments that contain `reject`. */
class TestHost implements ProviderHost {
  readonly log = silentLogger;
  readonly fragments = new Map<string, Fragment>();
  readonly batches: string[][] = [];
  readonly reports: unknown[] = [];
  isHeld = false;
  controller: Controller | null = null;
  #held: FragmentChanges[] = [];

  replace(all: ReadonlyMap<string, Fragment>): void {
    this.update(all);
  }

  update(changes: FragmentChanges): void {
    this.batches.push([...changes.keys()]);
    if (this.isHeld) this.#held.push(changes);
    else setImmediate(() => this.#apply(changes));
  }

  release(): void {
    this.isHeld = false;
    for (const changes of this.#held.splice(0)) this.#apply(changes);
  }

  report(error: unknown): void {
    this.reports.push(error);
  }

  adapt(): Promise<JsonObject> {
    return Promise.reject(new Error('not used'));
  }

  #apply(changes: FragmentChanges): void {
    const results = new Map<string, string | null>();
    for (const [key, fragment] of changes) {
      const isRejected = fragment !== null && JSON.stringify(fragment.config).includes('reject');
      if (fragment !== null) results.set(key, isRejected ? 'rejected by the test' : null);
      if (fragment === null || isRejected) this.fragments.delete(key);
      else this.fragments.set(key, fragment);
    }
    this.controller?.applied(results);
  }
}

interface ParentStatus {
  controllerName: string;
  conditions: { type: string; status: string; reason: string; observedGeneration: number }[];
}

describe('Kubernetes controller', () => {
  let api: FakeApiServer;
  let host: TestHost;
  let stop: AbortController;
  let client: KubeClient;

  beforeEach(async () => {
    api = new FakeApiServer();
    host = new TestHost();
    stop = new AbortController();
    client = new KubeClient({ server: await api.listen(), namespace: 'web', tls: {}, token: () => null });
    api.put(paths.namespaces, { metadata: { name: 'web', labels: { team: 'web' } } });
    api.put(paths.classes, gatewayClass());
    api.put(paths.gateways, gateway('gateway', [httpListener('http')]));
    api.put(paths.services, service('app'));
    api.put(paths.slices, slice('app', ['10.0.0.1']));
  });

  afterEach(async () => {
    stop.abort();
    client.close();
    await api.close();
  });

  const start = async (options: Partial<ControllerOptions> = {}): Promise<Controller> => {
    const controller = new Controller(
      {
        controllerName: 'sluice.dev/gateway-controller',
        addresses: [],
        published: ['192.0.2.1'],
        isLeader: () => true,
        ...options,
      },
      client,
      host,
      stop.signal,
    );
    host.controller = controller;
    await controller.start();
    return controller;
  };
  const simple = (name: string, path = `/${name}`, service = 'app'): FakeObject =>
    route(name, [{ matches: [pathMatch(path)], backendRefs: [backend(service)] }]);
  const parents = (name: string): ParentStatus[] =>
    (api.get(paths.routes, `web/${name}`)?.['status'] as { parents?: ParentStatus[] } | undefined)?.parents ?? [];
  const condition = (name: string, type: string): string | undefined => {
    const found = parents(name)[0]?.conditions.find((each) => each.type === type);
    return found && `${found.status} ${found.reason}`;
  };
  const gatewayStatus = (): {
    addresses: { value: string }[];
    listeners: { attachedRoutes: number; conditions: { type: string; status: string; reason: string }[] }[];
    conditions: { type: string; status: string }[];
  } => api.get(paths.gateways, 'web/gateway')?.['status'] as ReturnType<typeof gatewayStatus>;

  it('the controller converts an HTTPRoute to a fragment, and sets its status to accepted', async () => {
    api.put(paths.routes, simple('one'));
    await start();
    await until(() => condition('one', 'ResolvedRefs') === 'True ResolvedRefs');
    expect(condition('one', 'Accepted')).to.equal('True Accepted');
    expect([...host.fragments.keys()].toSorted()).to.deep.equal(['gateway/web/gateway/http', 'httproute/web/one/0.0']);
    expect(JSON.stringify(host.fragments.get('httproute/web/one/0.0')?.config)).to.include('"dial":"10.0.0.1:8080"');
    await until(() => gatewayStatus().listeners[0]?.attachedRoutes === 1);
    expect(gatewayStatus().addresses).to.deep.equal([{ type: 'IPAddress', value: '192.0.2.1' }]);
    const accepted = api.get(paths.classes, 'sluice')?.['status'] as { conditions: { type: string }[] };
    expect(accepted.conditions.map(({ type }) => type)).to.deep.equal(['Accepted']);
  });

  it('the controller writes status only after the configuration is active', async () => {
    host.isHeld = true;
    api.put(paths.routes, simple('one'));
    await start();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(parents('one')).to.deep.equal([]);
    host.release();
    await until(() => condition('one', 'Accepted') === 'True Accepted');
  });

  it('the controller passes only the fragments of a changed route to the host', async () => {
    for (let i = 0; i < 20; i++) api.put(paths.routes, simple(`r${i}`));
    await start();
    await until(() => condition('r19', 'Accepted') !== undefined);
    host.batches.length = 0;
    api.put(paths.routes, simple('r7', '/changed'));
    await until(() => host.batches.length > 0);
    expect(host.batches).to.deep.equal([['httproute/web/r7/0.0']]);
  });

  it('the controller passes only the affected routes to the host when the endpoints of a Service change', async () => {
    api.put(paths.services, service('other'));
    api.put(paths.routes, simple('one'));
    api.put(paths.routes, simple('two', '/two', 'other'));
    await start();
    await until(() => condition('two', 'Accepted') !== undefined);
    host.batches.length = 0;
    api.put(paths.slices, slice('other', ['10.0.0.9']));
    await until(() => host.batches.length > 0);
    expect(host.batches).to.deep.equal([['httproute/web/two/0.0']]);
  });

  it('the controller translates objects again if they were replaced while the API server was unreachable', async () => {
    api.put(paths.routes, simple('one'));
    await start();
    await until(() => host.fragments.has('httproute/web/one/0.0') && api.watchCount > 10);
    api.fail = () => 503;
    api.endWatches();
    api.remove(paths.routes, 'web/one');
    api.remove(paths.gateways, 'web/gateway');
    api.put(paths.routes, simple('one', '/other'));
    api.put(paths.gateways, gateway('gateway', [httpListener('http', { port: 8080 })]));
    api.compact();
    api.fail = () => null;
    const config = (): string => JSON.stringify(host.fragments.get('httproute/web/one/0.0')?.config);
    await until(() => config().includes('/other') && config().includes(':8080'));
  });

  it('the controller reports a rejected rule in the status, and serves other routes and rules', async () => {
    api.put(
      paths.routes,
      route('mixed', [
        { matches: [pathMatch('/good')], backendRefs: [backend('app')] },
        { matches: [pathMatch('/reject')], backendRefs: [backend('app')] },
      ]),
    );
    api.put(paths.routes, simple('bad', '/reject'));
    api.put(paths.routes, simple('one'));
    await start();
    await until(() => condition('bad', 'Accepted') === 'False UnsupportedValue');
    await until(() => condition('mixed', 'PartiallyInvalid') === 'True UnsupportedValue');
    expect(condition('mixed', 'Accepted')).to.equal('True Accepted');
    await until(() => condition('one', 'Accepted') === 'True Accepted');
    expect([...host.fragments.keys()]).to.include('httproute/web/mixed/0.0');
  });

  it('the controller preserves status entries of other controllers', async () => {
    const other = { parentRef: { name: 'other' }, controllerName: 'example.net/other', conditions: [] };
    api.put(paths.routes, { ...simple('one'), status: { parents: [other] } });
    await start();
    await until(() => parents('one').length === 2);
    expect(parents('one')[0]).to.deep.equal(other);
    api.remove(paths.gateways, 'web/gateway');
    await until(() => parents('one').length === 1);
    expect(parents('one')).to.deep.equal([other]);
    await until(() => host.fragments.size === 0);
  });

  it('the controller does not rewrite a status that is already current', async () => {
    api.put(paths.routes, simple('one'));
    await start();
    await until(
      () => condition('one', 'Accepted') === 'True Accepted' && gatewayStatus().listeners[0]?.attachedRoutes === 1,
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    const before = api.requests.filter((each) => each.startsWith('PATCH')).length;
    stop.abort();
    stop = new AbortController();
    host = new TestHost();
    await start();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(api.requests.filter((each) => each.startsWith('PATCH')).length).to.equal(before);
  });

  it('the controller sets the observed generation to that of the specification', async () => {
    api.put(paths.routes, simple('one'));
    await start();
    await until(() => parents('one')[0]?.conditions[0]?.observedGeneration === 1);
    api.put(paths.routes, { ...simple('one'), status: api.get(paths.routes, 'web/one')?.['status'] });
    await until(() => parents('one')[0]?.conditions[0]?.observedGeneration === 2);
  });

  it('the controller of a non-leader replica serves routes, and writes status when the replica becomes the leader', async () => {
    let isLeader = false;
    api.put(paths.routes, simple('one'));
    const controller = await start({ isLeader: () => isLeader });
    await until(() => host.fragments.size === 2);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(parents('one')).to.deep.equal([]);
    isLeader = true;
    controller.writeAllStatus();
    await until(() => condition('one', 'Accepted') === 'True Accepted');
  });

  it('the controller assigns an address to a waiting Gateway when another Gateway is deleted', async () => {
    const late = gateway('late', [httpListener('http')]);
    api.put(paths.gateways, { ...late, metadata: { ...late.metadata, creationTimestamp: '2026-02-01T00:00:00Z' } });
    await start({ addresses: ['192.0.2.7'] });
    const programmed = (): string | undefined => {
      const status = api.get(paths.gateways, 'web/late')?.['status'] as
        | { conditions?: ParentStatus['conditions'] }
        | undefined;
      return status?.conditions?.find(({ type }) => type === 'Programmed')?.reason;
    };
    await until(() => programmed() === 'AddressNotAssigned');
    expect([...host.fragments.keys()]).to.deep.equal(['gateway/web/gateway/http']);
    api.remove(paths.gateways, 'web/gateway');
    await until(() => programmed() === 'Programmed');
    expect([...host.fragments.keys()]).to.deep.equal(['gateway/web/late/http']);
  });

  it('the controller rejects a Gateway with unsupported parameters, and does not serve this Gateway', async () => {
    const infrastructure = { parametersRef: { group: 'x.test', kind: 'X', name: 'x' } };
    api.put(paths.gateways, gateway('gateway', [httpListener('http')], { infrastructure }));
    await start();
    const accepted = (): object | undefined => gatewayStatus()?.conditions.find(({ type }) => type === 'Accepted');
    await until(() => accepted() !== undefined);
    expect(accepted()).to.deep.include({ status: 'False', reason: 'InvalidParameters' });
    expect(host.fragments.size).to.equal(0);
  });

  it('the controller ignores Gateways of other classes', async () => {
    api.put(paths.classes, gatewayClass('example.net/other'));
    api.put(paths.routes, simple('one'));
    await start();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(host.fragments.size).to.equal(0);
    expect(api.requests.filter((each) => each.startsWith('PATCH'))).to.deep.equal([]);
  });

  it('the controller reads only Secrets that a listener references', async () => {
    api.put(paths.secrets, { metadata: { name: 'other', namespace: 'web' }, data: {} });
    const tls = { certificateRefs: [{ name: 'cert' }] };
    api.put(paths.gateways, gateway('gateway', [httpListener('https', { protocol: 'HTTPS', port: 443, tls })]));
    await start();
    const reason = (): string | undefined =>
      gatewayStatus()?.listeners?.[0]?.conditions.find(({ type }) => type === 'ResolvedRefs')?.reason;
    await until(() => reason() === 'InvalidCertificateRef');
    const reads = api.requests.filter((each) => each.includes('secrets'));
    expect(reads.every((each) => each.includes('/namespaces/web/secrets?fieldSelector=metadata.name%3Dcert'))).to.equal(
      true,
    );
    expect(reads.length).to.be.greaterThan(0);
  });

  it('the controller reports its source as available again when an unreadable Secret is no longer referenced', async () => {
    const tls = { certificateRefs: [{ name: 'cert' }] };
    const https = httpListener('https', { port: 443, protocol: 'HTTPS', tls });
    await start();
    api.fail = (_method, path) => (path.includes('/secrets') ? 503 : null);
    api.put(paths.gateways, gateway('gateway', [httpListener('http'), https]));
    await until(() => host.reports.some((each) => each !== null));
    api.put(paths.gateways, gateway('gateway', [httpListener('http')]));
    await until(() => host.reports.at(-1) === null);
  });

  it('the controller reports an unavailable API server, and keeps the latest configuration', async () => {
    api.put(paths.routes, simple('one'));
    await start();
    await until(() => condition('one', 'Accepted') !== undefined);
    api.fail = () => 500;
    api.endWatches();
    await until(() => host.reports.length > 0);
    expect(host.fragments.size).to.equal(2);
    api.fail = () => null;
    await until(() => host.reports.at(-1) === null, 6_000);
  }).timeout(10_000);
});
