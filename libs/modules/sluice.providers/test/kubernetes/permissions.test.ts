/** Compares the permissions in the guides and in the Helm chart with the requests that the providers send. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';
import { createLogger, messageOf, type JsonObject } from '@sluice/base';
import type { FragmentChanges, FragmentResults, ProviderHost } from '@sluice/providers-app/contract';
import { KubeClient } from '../../src/kubernetes/api/client.ts';
import { Election } from '../../src/kubernetes/api/lease.ts';
import { Controller } from '../../src/kubernetes/controller.ts';
import { IngressController } from '../../src/kubernetes/ingress/controller.ts';
import { defaultSettings } from '../../src/kubernetes/ingress/settings.ts';
import { FakeApiServer, paths, type FakeObject } from './fake-api-server.ts';
import { ingress, ingressClass } from './ingress/objects.ts';
import { backend, gateway, gatewayClass, httpListener, route, service, slice, tlsSecret } from './objects.ts';
import { until } from './until.ts';

const workspace = new URL('../../../../../', import.meta.url);

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** A provider host that applies all fragments, and collects errors and warnings. */
class TestHost implements ProviderHost {
  readonly complaints: string[] = [];
  readonly log = createLogger({
    enabled: (level) => level === 'warn' || level === 'error',
    write: ({ fields }) => {
      this.complaints.push(messageOf(fields?.['error']));
    },
  });
  controller: { applied(results: FragmentResults): void } | null = null;

  replace(all: FragmentChanges): void {
    this.update(all);
  }

  update(changes: FragmentChanges): void {
    setImmediate(() => {
      this.controller?.applied(new Map([...changes.keys()].map((key) => [key, null])));
    });
  }

  report(error: unknown): void {
    if (error !== null) this.complaints.push(messageOf(error));
  }

  adapt(): Promise<JsonObject> {
    return Promise.reject(new Error('not used'));
  }
}

/** Returns the sorted permissions that rules grant, in the form `VERB GROUP/RESOURCE`. */
function permissionsOf(rules: readonly Rule[]): string[] {
  const all = rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) => resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group}/${resource}`))),
  );
  return all.toSorted();
}

/** Returns the permission required by a recorded request. */
function permissionFor(request: string): string {
  const [method = '', target = ''] = request.split(' ');
  const { pathname, searchParams } = new URL(target, 'http://api');
  const [, group = '', resource = '', name, subresource] =
    /^\/(?:api|apis\/([^/]+))\/v\w+(?:\/namespaces\/[^/]+(?=\/))?\/([^/]+)(?:\/([^/]+)(?:\/([^/]+))?)?$/.exec(
      pathname,
    ) ?? [];
  const read = name === undefined ? 'list' : 'get';
  const reading = searchParams.get('watch') === '1' ? 'watch' : read;
  const verbs: Readonly<Record<string, string>> = { GET: reading, POST: 'create', PUT: 'update', PATCH: 'patch' };
  return `${verbs[method] ?? method} ${group}/${resource}${subresource === undefined ? '' : `/${subresource}`}`;
}

/** Returns the rules of the ClusterRole in a guide. */
function rulesOfGuide(name: string): readonly Rule[] {
  const text = readFileSync(new URL(`docs/guide/${name}`, workspace), 'utf8');
  const roles = [...text.matchAll(/^( *)```yaml\n([^]*?)^ *```/gm)]
    .flatMap(([, indent = '', block = '']) => parseAllDocuments(block.replaceAll(new RegExp(`^${indent}`, 'gm'), '')))
    .map((document) => document.toJS() as { readonly kind: string; readonly rules: readonly Rule[] })
    .filter(({ kind }) => kind === 'ClusterRole');
  expect(roles).to.have.length(1);
  return roles[0]?.rules ?? [];
}

/** Returns all rules for a provider in the Helm chart. */
function rulesOfChart(provider: 'gateway' | 'ingress'): readonly Rule[] {
  const file = new URL('tools/packaging/chart/files/permissions.yaml', workspace);
  const providers = parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Readonly<Record<string, Rule[]>>>>;
  return Object.values(providers[provider] ?? {}).flat();
}

interface World {
  readonly api: FakeApiServer;
  readonly client: KubeClient;
  readonly host: TestHost;
  readonly signal: AbortSignal;
}

interface Subject {
  readonly guide: string;
  readonly chart: 'gateway' | 'ingress';
  start(world: World): Promise<void>;
}

const parentRefs = [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'gateway' }];

async function startGateways({ api, client, host, signal }: World): Promise<void> {
  const streamRoute = (name: string): FakeObject => route(name, [{ backendRefs: [backend('app')] }]);
  api.put(paths.namespaces, { metadata: { name: 'web' } });
  api.put(paths.classes, gatewayClass());
  const tls = { certificateRefs: [{ name: 'cert' }] };
  const listeners = [httpListener('http'), httpListener('https', { port: 443, protocol: 'HTTPS', tls })];
  const allowedListeners = { namespaces: { from: 'Same' } };
  api.put(paths.gateways, gateway('gateway', listeners, { allowedListeners }));
  api.put(paths.listenerSets, {
    metadata: { name: 'set', namespace: 'web' },
    spec: { parentRef: parentRefs[0], listeners: [httpListener('more', { port: 8080 })] },
  });
  api.put(paths.routes, route('http', [{ backendRefs: [backend('app')] }]));
  api.put(paths.grpcRoutes, streamRoute('grpc'));
  api.put(paths.tlsRoutes, streamRoute('tls'));
  api.put(paths.tcpRoutes, streamRoute('tcp'));
  api.put(paths.udpRoutes, streamRoute('udp'));
  api.put(paths.policies, {
    metadata: { name: 'policy', namespace: 'web' },
    spec: {
      targetRefs: [{ group: '', kind: 'Service', name: 'app' }],
      validation: { caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: 'ca' }], hostname: 'app.test' },
    },
  });
  const settings = { controllerName: 'sluice.dev/gateway-controller', addresses: [], published: ['192.0.2.1'] };
  const controller = new Controller({ ...settings, isLeader: () => true }, client, host, signal);
  host.controller = controller;
  await controller.start();
}

async function startIngresses({ api, client, host, signal }: World): Promise<void> {
  api.put(paths.ingressClasses, ingressClass());
  const annotations = {
    'limit-rate': '100',
    'auth-url': 'http://auth.test/',
    'auth-proxy-set-headers': 'web/fields',
  };
  const tls = [{ hosts: ['a.test'], secretName: 'cert' }];
  const served = ingress('one', { annotations });
  api.put(paths.ingresses, { ...served, spec: { ...(served['spec'] as object), tls } });
  api.put(paths.services, { ...service('app'), status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } });
  const controller = new IngressController(
    {
      controllerName: 'sluice.dev/ingress-controller',
      settings: defaultSettings,
      published: [],
      publishedService: 'web/app',
      isLeader: () => true,
    },
    client,
    host,
    signal,
  );
  host.controller = controller;
  await controller.start();
}

const subjects: Readonly<Record<string, Subject>> = {
  kubernetes: { guide: 'kubernetes.md', chart: 'gateway', start: startGateways },
  ingress: { guide: 'from-ingress-nginx.md', chart: 'ingress', start: startIngresses },
};

/** Acquires, renews and releases a Lease. */
async function elect({ api, client, host }: World): Promise<void> {
  const end = new AbortController();
  const election = new Election(client, { namespace: 'web', name: 'lease', identity: 'this' }, host.log);
  const running = election.run(() => undefined, end.signal, 5);
  const renewed = (): boolean => api.requests.some((request) => request.startsWith('PUT '));
  await until(() => renewed() || host.complaints.length > 0).finally(() => {
    end.abort();
  });
  await running;
}

describe('permissions of the Kubernetes providers', () => {
  let api: FakeApiServer;
  let client: KubeClient;
  let host: TestHost;
  let stop: AbortController;

  beforeEach(async () => {
    api = new FakeApiServer();
    host = new TestHost();
    stop = new AbortController();
    client = new KubeClient({ server: await api.listen(), namespace: 'web', tls: {}, token: () => null });
    api.put(paths.services, service('app'));
    api.put(paths.slices, slice('app', ['10.0.0.1']));
    api.put(paths.secrets, tlsSecret('cert'));
  });

  afterEach(async () => {
    stop.abort();
    client.close();
    await api.close();
  });

  const requested = (): string[] => [...new Set(api.requests.map(permissionFor))].toSorted();
  const world = (): World => ({ api, client, host, signal: stop.signal });

  for (const [provider, { guide, chart, start }] of Object.entries(subjects)) {
    const permitted = permissionsOf(rulesOfGuide(guide));

    it(`the guide and the chart permit exactly the requests of the ${provider} provider`, async () => {
      await start(world());
      await elect(world());
      await until(() => permitted.every((permission) => requested().includes(permission))).catch(() => undefined);
      expect(requested()).to.deep.equal(permitted);
      expect(permissionsOf(rulesOfChart(chart))).to.deep.equal(permitted);
      expect(host.complaints).to.deep.equal([]);
    });

    for (const denied of permitted)
      it(`the ${provider} provider reports that it is not allowed to ${denied}`, async () => {
        api.fail = (method, _path, url) => (permissionFor(`${method} ${url}`) === denied ? 403 : null);
        // The provider does not start if it cannot list a required kind of object.
        await start(world()).catch((error: unknown) => host.complaints.push(messageOf(error)));
        await elect(world());
        await until(() => host.complaints.length > 0);
        for (const complaint of host.complaints) expect(complaint).to.include('failed with 403');
      });
  }
});
