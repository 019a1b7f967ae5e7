import { expect } from 'chai';
import { silentLogger, type JsonObject } from '@sluice/base';
import type { Fragment, FragmentChanges, ProviderHost } from '@sluice/providers-app/contract';
import { KubeClient } from '../../src/kubernetes/api/client.ts';
import { Controller } from '../../src/kubernetes/controller.ts';
import { FakeApiServer, paths, type FakeObject } from './fake-api-server.ts';
import { backend, gateway, gatewayClass, httpListener, pathMatch, route, service, slice } from './objects.ts';
import { until } from './until.ts';

interface Conditions {
  readonly conditions: readonly { type: string; status: string; reason: string; observedGeneration: number }[];
}

interface SetStatus extends Conditions {
  readonly listeners: readonly ({ name: string; attachedRoutes: number } & Conditions)[];
}

/** A provider host that accepts all fragments. */
class AcceptingHost implements ProviderHost {
  readonly log = silentLogger;
  readonly fragments = new Map<string, Fragment>();
  readonly reports: unknown[] = [];
  controller: Controller | null = null;

  replace(all: ReadonlyMap<string, Fragment>): void {
    this.update(all);
  }

  update(changes: FragmentChanges): void {
    for (const [key, fragment] of changes)
      if (fragment === null) this.fragments.delete(key);
      else this.fragments.set(key, fragment);
    setImmediate(() => this.controller?.applied(new Map([...changes.keys()].map((key) => [key, null]))));
  }

  report(error: unknown): void {
    this.reports.push(error);
  }

  adapt(): Promise<JsonObject> {
    return Promise.reject(new Error('not used'));
  }
}

const listenerSet = (name: string, listeners: readonly object[], namespace = 'web'): FakeObject => ({
  metadata: { name, namespace },
  spec: { parentRef: { kind: 'Gateway', name: 'gateway', namespace: 'web' }, listeners },
});

const allowing = (from: string): object => ({ allowedListeners: { namespaces: { from } } });

describe('parents of Kubernetes routes', () => {
  let api: FakeApiServer;
  let host: AcceptingHost;
  let stop: AbortController;
  let client: KubeClient;

  beforeEach(async () => {
    api = new FakeApiServer();
    host = new AcceptingHost();
    stop = new AbortController();
    client = new KubeClient({ server: await api.listen(), namespace: 'web', tls: {}, token: () => null });
    api.put(paths.namespaces, { metadata: { name: 'web' } });
    api.put(paths.classes, gatewayClass());
    api.put(paths.services, service('app'));
    api.put(paths.slices, slice('app', ['10.0.0.1']));
  });

  afterEach(async () => {
    stop.abort();
    client.close();
    await api.close();
  });

  const start = async (): Promise<void> => {
    const options = {
      controllerName: 'sluice.dev/gateway-controller',
      addresses: [],
      published: [],
      isLeader: () => true,
    };
    const controller = new Controller(options, client, host, stop.signal);
    host.controller = controller;
    await controller.start();
  };
  const statusOf = (path: string, name: string): unknown => api.get(path, name)?.['status'];
  const reasonOf = (status: Conditions | undefined, type: string): string | undefined => {
    const found = status?.conditions.find((each) => each.type === type);
    return found && `${found.status} ${found.reason}`;
  };
  const setStatus = (name = 'web/set'): SetStatus | undefined =>
    statusOf(paths.listenerSets, name) as SetStatus | undefined;
  const attached = (): number | undefined =>
    (statusOf(paths.gateways, 'web/gateway') as { attachedListenerSets?: number } | undefined)?.attachedListenerSets;

  it('a route that references a ListenerSet is served only by the listeners of this set', async () => {
    api.put(paths.gateways, gateway('gateway', [httpListener('http', { hostname: 'a.test' })], allowing('Same')));
    api.put(paths.listenerSets, listenerSet('set', [httpListener('extra', { hostname: 'b.test' })]));
    const parentRefs = [{ kind: 'ListenerSet', name: 'set' }];
    api.put(paths.routes, route('one', [{ backendRefs: [backend('app')] }], { parentRefs }));
    await start();
    await until(() => setStatus()?.listeners[0]?.attachedRoutes === 1);
    expect(reasonOf(setStatus(), 'Accepted')).to.equal('True Accepted');
    expect(reasonOf(setStatus()?.listeners[0], 'Programmed')).to.equal('True Programmed');
    expect(JSON.stringify(host.fragments.get('httproute/web/one/0.0')?.config)).to.include('"host":["b.test"]');
    await until(() => attached() === 1);
  });

  it('a ListenerSet that the Gateway does not permit is rejected, and its listeners are not served', async () => {
    api.put(paths.gateways, gateway('gateway', [httpListener('http')]));
    api.put(paths.listenerSets, listenerSet('set', [httpListener('extra', { hostname: 'b.test' })]));
    await start();
    await until(() => reasonOf(setStatus(), 'Accepted') === 'False NotAllowed');
    expect([...host.fragments.keys()]).to.deep.equal(['gateway/web/gateway/http']);
    api.put(paths.gateways, gateway('gateway', [httpListener('http')], allowing('All')));
    await until(() => reasonOf(setStatus(), 'Accepted') === 'True Accepted');
    expect(host.fragments.has('gateway/web/gateway/listenerset/web/set/extra')).to.equal(true);
  });

  it('Gateway listeners and older ListenerSets take precedence over a listener of a ListenerSet', async () => {
    api.put(paths.gateways, gateway('gateway', [httpListener('http', { hostname: 'a.test' })], allowing('All')));
    const [a, b] = [httpListener('a', { hostname: 'a.test' }), httpListener('b', { hostname: 'b.test' })];
    api.put(paths.listenerSets, listenerSet('set', [a, b]));
    api.put(paths.listenerSets, listenerSet('younger', [httpListener('c', { hostname: 'b.test' })]));
    await start();
    await until(() => reasonOf(setStatus('web/younger'), 'Accepted') === 'False ListenersNotValid');
    expect(reasonOf(setStatus(), 'Accepted')).to.equal('True ListenersNotValid');
    expect(setStatus()?.listeners.map((each) => reasonOf(each, 'Conflicted'))).to.deep.equal([
      'True HostnameConflict',
      'False NoConflicts',
    ]);
    await until(() => attached() === 1);
  });

  it('removing a ListenerSet removes its listeners and the status of its routes', async () => {
    api.put(paths.gateways, gateway('gateway', [httpListener('http')], allowing('All')));
    api.put(paths.listenerSets, listenerSet('set', [httpListener('extra', { hostname: 'b.test' })]));
    const parentRefs = [{ kind: 'ListenerSet', name: 'set' }];
    api.put(paths.routes, route('one', [{ backendRefs: [backend('app')] }], { parentRefs }));
    await start();
    await until(() => host.fragments.has('httproute/web/one/0.0'));
    api.remove(paths.listenerSets, 'web/set');
    await until(() => !host.fragments.has('httproute/web/one/0.0'));
    expect([...host.fragments.keys()]).to.deep.equal(['gateway/web/gateway/http']);
  });

  it('a GRPCRoute is served over HTTP/2 without TLS, and counts as an attached route', async () => {
    api.put(paths.gateways, gateway('gateway', [httpListener('http')]));
    const rules = [{ matches: [{ method: { service: 'a.B', method: 'C' } }], backendRefs: [backend('app')] }];
    api.put(paths.grpcRoutes, route('one', rules));
    api.put(paths.routes, route('one', [{ matches: [pathMatch('/')], backendRefs: [backend('app')] }]));
    await start();
    await until(() => {
      const status = statusOf(paths.grpcRoutes, 'web/one') as { parents: readonly Conditions[] } | undefined;
      return reasonOf(status?.parents[0], 'ResolvedRefs') === 'True ResolvedRefs';
    });
    const config = JSON.stringify(host.fragments.get('grpcroute/web/one/0.0')?.config);
    expect(config).to.include('"/a.B/C"').and.include('"versions":["h2c"]').and.include('"protocols":["h1","h2c"]');
    const gatewayStatus = (): SetStatus | undefined => statusOf(paths.gateways, 'web/gateway') as SetStatus | undefined;
    await until(() => gatewayStatus()?.listeners[0]?.attachedRoutes === 2);
  });

  it('the controller starts even if the cluster does not support ListenerSets and GRPCRoutes', async () => {
    api.fail = (_method, path) => (/listenersets|grpcroutes/.test(path) ? 404 : null);
    api.put(paths.gateways, gateway('gateway', [httpListener('http')]));
    await start();
    expect([...host.fragments.keys()]).to.deep.equal(['gateway/web/gateway/http']);
  });

  it('after an outage of the API server, the controller does not report a missing resource kind as a failure @long', async () => {
    api.fail = (_method, path) => (/listenersets/.test(path) ? 404 : null);
    api.put(paths.gateways, gateway('gateway', [httpListener('http')]));
    await start();
    api.fail = () => 503;
    api.endWatches();
    const reads = (): number => api.requests.filter((each) => each.includes('listenersets')).length;
    const before = reads();
    await until(() => host.reports.at(-1) instanceof Error && reads() >= before + 3, 8_000);
    api.fail = (_method, path) => (/listenersets/.test(path) ? 404 : null);
    await until(() => host.reports.at(-1) === null, 10_000);
  }).timeout(20_000);
});
