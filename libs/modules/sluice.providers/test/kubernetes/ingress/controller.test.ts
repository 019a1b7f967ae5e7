import { expect } from 'chai';
import { silentLogger, type JsonObject } from '@sluice/base';
import type { Fragment, FragmentChanges, ProviderHost } from '@sluice/providers-app/contract';
import { KubeClient } from '../../../src/kubernetes/api/client.ts';
import { IngressController, type IngressControllerOptions } from '../../../src/kubernetes/ingress/controller.ts';
import { defaultSettings } from '../../../src/kubernetes/ingress/settings.ts';
import { FakeApiServer, paths, type FakeObject } from '../fake-api-server.ts';
import { service, slice, tlsSecret } from '../objects.ts';
import { until } from '../until.ts';
import { ingress, ingressClass, secret } from './objects.ts';

/** A provider host that applies fragments and rejects fragments that contain a given text. */
class TestHost implements ProviderHost {
  readonly log = silentLogger;
  readonly fragments = new Map<string, Fragment>();
  readonly batches: string[][] = [];
  readonly reports: unknown[] = [];
  controller: IngressController | null = null;
  rejected = 'reject';

  replace(all: ReadonlyMap<string, Fragment>): void {
    this.update(all);
  }

  update(changes: FragmentChanges): void {
    this.batches.push([...changes.keys()].toSorted());
    setImmediate(() => {
      const results = new Map<string, string | null>();
      for (const [key, fragment] of changes) {
        const isRejected = fragment !== null && JSON.stringify(fragment.config).includes(this.rejected);
        if (fragment !== null) results.set(key, isRejected ? 'rejected by the test' : null);
        if (fragment === null || isRejected) this.fragments.delete(key);
        else this.fragments.set(key, fragment);
      }
      this.controller?.applied(results);
    });
  }

  report(error: unknown): void {
    this.reports.push(error);
  }

  adapt(): Promise<JsonObject> {
    return Promise.reject(new Error('invalid directive'));
  }
}

describe('Ingress controller', () => {
  let api: FakeApiServer;
  let host: TestHost;
  let stop: AbortController;
  let client: KubeClient;

  beforeEach(async () => {
    api = new FakeApiServer();
    host = new TestHost();
    stop = new AbortController();
    client = new KubeClient({ server: await api.listen(), namespace: 'web', tls: {}, token: () => null });
    api.put(paths.ingressClasses, ingressClass());
    api.put(paths.services, service('app'));
    api.put(paths.slices, slice('app', ['10.0.0.1']));
  });

  afterEach(async () => {
    stop.abort();
    client.close();
    await api.close();
  });

  const start = async (options: Partial<IngressControllerOptions> = {}): Promise<void> => {
    const controller = new IngressController(
      {
        controllerName: 'sluice.dev/ingress-controller',
        settings: defaultSettings,
        published: ['192.0.2.1', 'lb.test'],
        publishedService: '',
        isLeader: () => true,
        ...options,
      },
      client,
      host,
      stop.signal,
    );
    host.controller = controller;
    await controller.start();
  };
  const addresses = (name: string): unknown =>
    (api.get(paths.ingresses, `web/${name}`)?.['status'] as { loadBalancer?: { ingress?: unknown } } | undefined)
      ?.loadBalancer?.ingress;
  const events = (): string[] => api.posted.map(({ message }) => String(message));
  const has = (text: string): boolean => JSON.stringify([...host.fragments.values()]).includes(text);

  it('the Ingress controller serves an Ingress, and publishes the server addresses in the status of the Ingress', async () => {
    api.put(paths.ingresses, ingress('one'));
    await start();
    await until(() => addresses('one') !== undefined);
    expect(addresses('one')).to.deep.equal([{ ip: '192.0.2.1' }, { hostname: 'lb.test' }]);
    expect([...host.fragments.keys()].toSorted()).to.deep.equal([
      'base',
      'host/a.test/unmatched',
      'ingress/web/one/0000',
    ]);
    expect(events()).to.deep.equal([]);
  });

  it('the Ingress controller publishes the addresses of the configured Service in the status of an Ingress', async () => {
    const published = (ip: string): FakeObject => ({
      ...service('lb'),
      status: { loadBalancer: { ingress: [{ ip }] } },
    });
    api.put(paths.services, published('203.0.113.1'));
    api.put(paths.ingresses, ingress('one'));
    await start({ publishedService: 'web/lb' });
    await until(() => JSON.stringify(addresses('one')) === '[{"ip":"203.0.113.1"}]');
    api.put(paths.services, published('203.0.113.2'));
    await until(() => JSON.stringify(addresses('one')) === '[{"ip":"203.0.113.2"}]');
  });

  const classes: [title: string, spec: object, annotations: Record<string, string>, isOwn: boolean][] = [
    ['its class', { ingressClassName: 'sluice' }, {}, true],
    ['another class', { ingressClassName: 'other' }, {}, false],
    ['the class in an annotation', { ingressClassName: undefined }, { 'kubernetes.io/ingress.class': 'sluice' }, true],
    ['another class in an annotation', { ingressClassName: undefined }, { 'kubernetes.io/ingress.class': 'x' }, false],
    ['no class', { ingressClassName: undefined }, {}, false],
  ];
  for (const [title, spec, annotations, isOwn] of classes)
    it(`the Ingress controller ${isOwn ? 'serves' : 'ignores'} an Ingress with ${title}`, async () => {
      api.put(paths.ingresses, ingress('one', { spec, annotations }));
      await start();
      await until(() => host.fragments.has('base'));
      expect(host.fragments.has('ingress/web/one/0000')).to.equal(isOwn);
    });

  it('the Ingress controller serves an Ingress that names no class when the class of the controller becomes the default', async () => {
    api.put(paths.ingresses, ingress('one', { spec: { ingressClassName: undefined } }));
    await start();
    await until(() => host.fragments.has('base'));
    expect(host.fragments.has('ingress/web/one/0000')).to.equal(false);
    api.put(paths.ingressClasses, ingressClass({ 'ingressclass.kubernetes.io/is-default-class': 'true' }));
    await until(() => host.fragments.has('ingress/web/one/0000'));
    api.remove(paths.ingressClasses, 'sluice');
    await until(() => !host.fragments.has('ingress/web/one/0000'));
  });

  it('the Ingress controller updates its configuration when annotations, endpoints or Ingresses are changed or deleted', async () => {
    api.put(paths.ingresses, ingress('one'));
    await start();
    await until(() => has('10.0.0.1'));
    api.put(paths.ingresses, ingress('one', { annotations: { 'proxy-read-timeout': '7' } }));
    await until(() => has('"read_timeout":"7s"'));
    api.put(paths.slices, slice('app', ['10.0.0.5']));
    await until(() => has('10.0.0.5'));
    api.remove(paths.ingresses, 'web/one');
    await until(() => host.fragments.size === 1);
  });

  it('the Ingress controller translates only the Ingresses that an event affects', async () => {
    for (let i = 0; i < 50; i++) api.put(paths.ingresses, ingress(`i${i}`, { host: `h${i}.test` }));
    await start();
    await until(() => host.fragments.size === 101);
    const before = host.batches.length;
    api.put(paths.ingresses, ingress('i7', { host: 'h7.test', annotations: { 'proxy-read-timeout': '7' } }));
    await until(() => host.batches.length > before);
    expect(host.batches.slice(before)).to.deep.equal([['ingress/web/i7/0000']]);
  });

  it('the Ingress controller serves a path for the newer Ingress when the older Ingress is deleted', async () => {
    api.put(paths.ingresses, ingress('old', { created: '2026-01-01T00:00:00Z' }));
    api.put(paths.ingresses, ingress('young', { created: '2026-02-01T00:00:00Z' }));
    await start();
    await until(() => events().length === 1);
    expect(events()).to.deep.equal(['paths: a.test/ belongs to the older Ingress web/old']);
    expect(host.fragments.has('ingress/web/young/0000')).to.equal(false);
    api.remove(paths.ingresses, 'web/old');
    await until(() => host.fragments.has('ingress/web/young/0000'));
  });

  it('the Ingress controller applies a canary to the Ingress with the same path', async () => {
    api.put(paths.services, service('next'));
    api.put(paths.slices, slice('next', ['10.0.0.7']));
    api.put(paths.ingresses, ingress('main'));
    await start();
    await until(() => has('10.0.0.1'));
    const canary = ingress('canary', {
      paths: [{ service: 'next' }],
      annotations: { canary: 'true', 'canary-weight': '10' },
    });
    api.put(paths.ingresses, canary);
    await until(() => has('10.0.0.7'));
    api.remove(paths.ingresses, 'web/canary');
    await until(() => !has('10.0.0.7'));
    expect(events()).to.deep.equal([]);
  });

  it('the Ingress controller loads a certificate from its Secret, and reads only referenced Secrets', async () => {
    api.put(paths.secrets, tlsSecret('cert'));
    api.put(paths.secrets, secret('private', {}));
    api.put(paths.ingresses, ingress('one', { spec: { tls: [{ hosts: ['a.test'], secretName: 'cert' }] } }));
    await start();
    await until(() => host.fragments.has('host/a.test/tls'));
    expect(has('"sni":["a.test"]')).to.equal(true);
    const read = api.requests.filter((each) => each.includes('/secrets'));
    expect(read.every((each) => each.includes('metadata.name%3Dcert'))).to.equal(true);
    api.remove(paths.secrets, 'web/cert');
    await until(() => !host.fragments.has('host/a.test/tls'));
    await until(() => events().includes("tls: Secret web/cert doesn't exist"));
  });

  it('the Ingress controller does not publish an Ingress before its Secret has been read', async () => {
    const users = secret('users', { auth: 'ada:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=' });
    api.put(paths.secrets, users);
    await start();
    await until(() => host.fragments.has('base'));
    api.put(paths.ingresses, ingress('one', { annotations: { 'auth-type': 'basic', 'auth-secret': 'users' } }));
    await until(() => host.fragments.has('ingress/web/one/0000'));
    expect(has('"username":"ada"')).to.equal(true);
    expect(events()).to.deep.equal([]);
    api.remove(paths.secrets, 'web/users');
    await until(() => has('"status_code":503'));
    expect(has('10.0.0.1')).to.equal(false);
  });

  it('the Ingress controller reports its source as available again when an unreadable Secret is no longer referenced', async () => {
    await start();
    api.fail = (_method, path) => (path.includes('/secrets') ? 503 : null);
    api.put(paths.ingresses, ingress('one', { spec: { tls: [{ hosts: ['a.test'], secretName: 'cert' }] } }));
    await until(() => host.reports.some((each) => each !== null));
    api.put(paths.ingresses, ingress('one'));
    await until(() => host.reports.at(-1) === null);
  });

  it('the Ingress controller reports each warning, and the reason for a rejected fragment, as an event only once', async () => {
    api.put(paths.ingresses, ingress('one', { annotations: { 'limit-rate': '100' } }));
    api.put(paths.ingresses, ingress('two', { host: 'b.test', paths: [{ path: '/reject' }] }));
    await start();
    await until(() => events().length === 2);
    expect(events().toSorted()).to.deep.equal([
      'limit-rate: not supported; bandwidth is not limited',
      'rejected by the server: rejected by the test',
    ]);
    const [event] = api.posted;
    expect(event).to.deep.include({ type: 'Warning', reason: 'NotSupported' });
    api.put(paths.slices, slice('app', ['10.0.0.5']));
    await until(() => has('10.0.0.5'));
    expect(events()).to.have.length(2);
  });

  it('the Ingress controller responds with 503 to requests for a path whose handlers the server rejects', async () => {
    const annotations = { 'upstream-vhost': 'reject.test' };
    api.put(paths.ingresses, ingress('one', { paths: [{ path: '/a' }], annotations }));
    await start();
    await until(() => events().length === 1);
    const fragment = host.fragments.get('ingress/web/one/0000');
    expect(JSON.stringify(fragment?.config)).to.include('"status_code":503').and.include('"host":["a.test"]');
    expect(events()).to.deep.equal(['rejected by the server: rejected by the test']);
    await until(() => addresses('one') !== undefined);
    api.put(paths.ingresses, ingress('one', { paths: [{ path: '/a' }] }));
    await until(() => has('10.0.0.1'));
  });

  it('the Ingress controller recovers after the server rejects both a path and the 503 response for this path', async () => {
    host.rejected = '"a.test"';
    api.put(paths.ingresses, ingress('one', { paths: [{ path: '/a' }] }));
    await start();
    await until(() => events().length === 1);
    expect(host.fragments.has('ingress/web/one/0000')).to.equal(false);
    host.rejected = 'reject';
    await until(() => addresses('one') !== undefined);
    host.controller?.applied(new Map([['ingress/web/one/0000', null]]));
    await until(() => has('10.0.0.1'));
  });

  it('the Ingress controller of a non-leader replica does not write status or events', async () => {
    api.put(paths.ingresses, ingress('one', { annotations: { 'limit-rate': '100' } }));
    await start({ isLeader: () => false });
    await until(() => host.fragments.has('ingress/web/one/0000'));
    expect([addresses('one'), events()]).to.deep.equal([undefined, []]);
  });

  it('the Ingress controller rejects an Ingress with an invalid snippet', async () => {
    api.put(paths.ingresses, ingress('one', { annotations: { 'configuration-snippet': 'return 200;' } }));
    await start({ settings: { ...defaultSettings, allowSnippets: true } });
    await until(() => events().length === 1);
    expect(events()[0]).to.match(
      /^rejected; its paths respond with status code 503: configuration-snippet: invalid directive/,
    );
    expect(has('10.0.0.1')).to.equal(false);
  });
});
