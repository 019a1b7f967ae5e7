/** An in-memory Kubernetes API server for tests. It supports paged lists, watches, status patches, and Leases. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeObject {
  metadata: {
    name: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    generation?: number;
    creationTimestamp?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  [field: string]: unknown;
}

interface Change {
  readonly version: number;
  readonly collection: string;
  readonly type: string;
  readonly object: FakeObject;
}

export const paths = {
  namespaces: '/api/v1/namespaces',
  services: '/api/v1/services',
  secrets: '/api/v1/secrets',
  slices: '/apis/discovery.k8s.io/v1/endpointslices',
  classes: '/apis/gateway.networking.k8s.io/v1/gatewayclasses',
  gateways: '/apis/gateway.networking.k8s.io/v1/gateways',
  routes: '/apis/gateway.networking.k8s.io/v1/httproutes',
  ingressClasses: '/apis/networking.k8s.io/v1/ingressclasses',
  ingresses: '/apis/networking.k8s.io/v1/ingresses',
  configMaps: '/api/v1/configmaps',
  listenerSets: '/apis/gateway.networking.k8s.io/v1/listenersets',
  grpcRoutes: '/apis/gateway.networking.k8s.io/v1/grpcroutes',
  tlsRoutes: '/apis/gateway.networking.k8s.io/v1/tlsroutes',
  tcpRoutes: '/apis/gateway.networking.k8s.io/v1/tcproutes',
  udpRoutes: '/apis/gateway.networking.k8s.io/v1/udproutes',
  policies: '/apis/gateway.networking.k8s.io/v1/backendtlspolicies',
  grants: '/apis/gateway.networking.k8s.io/v1beta1/referencegrants',
};

export class FakeApiServer {
  /** Received requests in the form `METHOD path?query`. */
  readonly requests: string[] = [];
  /** Kubernetes objects by collection and key. */
  readonly collections = new Map<string, Map<string, FakeObject>>();
  /** Returns a status that replaces the normal response, or `null`. The URL includes the query. */
  fail: (method: string, path: string, url: string) => number | null = () => null;
  maxInFlight = 0;
  /** Kubernetes Events that clients have posted. */
  readonly posted: FakeObject[] = [];
  readonly #server: Server;
  readonly #watches = new Set<{
    readonly collection: string;
    readonly name: string;
    readonly response: ServerResponse;
  }>();
  #changes: Change[] = [];
  #version = 100;
  #inFlight = 0;

  constructor() {
    for (const path of Object.values(paths)) this.collections.set(path, new Map());
    this.#server = createServer((request, response) => {
      void this.#respond(request, response);
    });
  }

  async listen(): Promise<URL> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Adds or replaces an object. The generation increases unless only the status changes. */
  put(collection: string, object: FakeObject, isStatus = false): FakeObject {
    const objects = this.#objects(collection);
    const key = keyOf(object);
    const known = objects.get(key);
    const stored = {
      ...object,
      metadata: {
        creationTimestamp: '2026-01-01T00:00:00Z',
        uid: `uid-${this.#version}`,
        ...known?.metadata,
        ...object.metadata,
        generation: (known?.metadata.generation ?? 0) + (isStatus ? 0 : 1),
        resourceVersion: String(++this.#version),
      },
    };
    objects.set(key, stored);
    this.#emit({
      version: this.#version,
      collection,
      type: known === undefined ? 'ADDED' : 'MODIFIED',
      object: stored,
    });
    return stored;
  }

  remove(collection: string, key: string): void {
    const object = this.#objects(collection).get(key);
    if (object === undefined) return;
    this.#objects(collection).delete(key);
    const last = { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#version) } };
    this.#emit({ version: this.#version, collection, type: 'DELETED', object: last });
  }

  get(collection: string, key: string): FakeObject | undefined {
    return this.#objects(collection).get(key);
  }

  /** Discards the change history, so watches from older versions fail with 410. */
  compact(): void {
    this.#changes = [];
    this.#version++;
  }

  sendBookmarks(): void {
    for (const { response } of this.#watches)
      response.write(
        `${JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: String(this.#version) } } })}\n`,
      );
  }

  endWatches(): void {
    for (const { response } of this.#watches) response.destroy();
    this.#watches.clear();
  }

  get watchCount(): number {
    return this.#watches.size;
  }

  #objects(collection: string): Map<string, FakeObject> {
    const objects = this.collections.get(collection);
    if (objects === undefined) throw new Error(`no collection ${collection}`);
    return objects;
  }

  #emit(change: Change): void {
    this.#changes.push(change);
    for (const watch of this.#watches) if (isFor(watch, change)) watch.response.write(eventText(change));
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://x');
    const method = request.method ?? '';
    this.requests.push(`${method} ${request.url ?? ''}`);
    const failure = this.fail(method, url.pathname, request.url ?? '');
    if (failure !== null) {
      respondWith(response, failure, { kind: 'Status', code: failure, message: `failed with ${failure}` });
      return;
    }
    if (method === 'GET' && url.pathname.includes('/leases')) this.#getLease(url.pathname, response);
    else if (method === 'GET') this.#read(url, response);
    else {
      this.#inFlight++;
      this.maxInFlight = Math.max(this.maxInFlight, this.#inFlight);
      const body = JSON.parse(await textOf(request)) as FakeObject;
      await new Promise((resolve) => setTimeout(resolve, 2));
      this.#inFlight--;
      this.#write(method, url.pathname, body, response);
    }
  }

  #read(url: URL, response: ServerResponse): void {
    const { collection, name } = collectionOf(url);
    const objects = this.collections.get(collection);
    if (objects === undefined) {
      respondWith(response, 404, { kind: 'Status', code: 404, message: 'the server could not find the resource' });
      return;
    }
    if (url.searchParams.get('watch') === '1') {
      const from = Number(url.searchParams.get('resourceVersion'));
      const oldest = this.#changes[0]?.version ?? this.#version;
      response.writeHead(200, { 'Content-Type': 'application/json' });
      if (from < oldest - 1) {
        response.end(
          `${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, message: 'too old' } })}\n`,
        );
        return;
      }
      response.flushHeaders();
      const watch = { collection, name, response };
      for (const change of this.#changes)
        if (change.version > from && isFor(watch, change)) response.write(eventText(change));
      this.#watches.add(watch);
      response.on('close', () => this.#watches.delete(watch));
      return;
    }
    const all = [...objects].filter(([key]) => name === '' || key === name).map(([, object]) => object);
    const limit = Number(url.searchParams.get('limit') ?? all.length);
    const start = Number(url.searchParams.get('continue') ?? 0);
    const next = start + limit < all.length ? { continue: String(start + limit) } : {};
    respondWith(response, 200, {
      metadata: { resourceVersion: String(this.#version), ...next },
      items: all.slice(start, start + limit),
    });
  }

  #getLease(path: string, response: ServerResponse): void {
    const lease = this.collections.get('leases')?.get(path);
    if (lease === undefined) respondWith(response, 404, { kind: 'Status', code: 404, message: 'not found' });
    else respondWith(response, 200, lease);
  }

  #write(method: string, path: string, body: FakeObject, response: ServerResponse): void {
    if (path.includes('/leases')) {
      this.#writeLease(method, path, body, response);
      return;
    }
    if (method === 'POST' && path.endsWith('/events')) {
      this.posted.push(body);
      respondWith(response, 201, body);
      return;
    }
    const [, group = '', namespace, plural = '', name = ''] =
      /^(\/apis\/[^/]+\/[^/]+)(?:\/namespaces\/([^/]+))?\/([^/]+)\/([^/]+)\/status$/.exec(path) ?? [];
    const collection = `${group}/${plural}`;
    const object = this.collections.get(collection)?.get(namespace === undefined ? name : `${namespace}/${name}`);
    const { resourceVersion } = (body['metadata'] as FakeObject['metadata'] | undefined) ?? {};
    if (object === undefined) respondWith(response, 404, { kind: 'Status', code: 404, message: 'not found' });
    else if (resourceVersion !== undefined && resourceVersion !== object.metadata.resourceVersion)
      respondWith(response, 409, { kind: 'Status', code: 409, message: 'the object has been modified' });
    else {
      const status = { ...(object['status'] as object), ...(body['status'] as object) };
      respondWith(response, 200, this.put(collection, { ...object, status }, true));
    }
  }

  #writeLease(method: string, path: string, body: FakeObject, response: ServerResponse): void {
    const leases = this.collections.get('leases') ?? new Map<string, FakeObject>();
    this.collections.set('leases', leases);
    const key = method === 'POST' ? `${path}/${body.metadata.name}` : path;
    const known = leases.get(key);
    const isConflict =
      method === 'POST'
        ? known !== undefined
        : method === 'PUT' && body.metadata.resourceVersion !== known?.metadata.resourceVersion;
    if (isConflict) {
      respondWith(response, 409, { kind: 'Status', code: 409, message: 'conflict' });
      return;
    }
    const spec = { ...(known?.['spec'] as object), ...(body['spec'] as object) };
    const metadata = { ...known?.metadata, ...body.metadata, resourceVersion: String(++this.#version) };
    const lease = { ...body, metadata, spec };
    leases.set(key, lease);
    respondWith(response, 200, lease);
  }
}

/** Returns the collection that a URL refers to, and the object name if a field selector selects a single object. */
function collectionOf(url: URL): { readonly collection: string; readonly name: string } {
  const match = /^(\/api\/v1)\/namespaces\/([^/]+)\/([^/]+)$/.exec(url.pathname);
  const selected = url.searchParams.get('fieldSelector')?.replace('metadata.name=', '');
  if (match === null) return { collection: url.pathname, name: '' };
  return { collection: `${match[1] ?? ''}/${match[3] ?? ''}`, name: `${match[2] ?? ''}/${selected ?? ''}` };
}

function isFor(watch: { readonly collection: string; readonly name: string }, change: Change): boolean {
  return watch.collection === change.collection && (watch.name === '' || watch.name === keyOf(change.object));
}

function keyOf({ metadata: { name, namespace } }: FakeObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

function eventText({ type, object }: Change): string {
  return `${JSON.stringify({ type, object })}\n`;
}

function respondWith(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(json));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
