/** Kubernetes API client: paged lists, watches, and status patches. */
import { Agent as PlainAgent, request as plainRequest, type IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { guarded, isObject, messageOf, own, SluiceError, taskOf, type Json } from '@sluice/base';
import type { ClusterAccess } from './access.ts';
import type { KubeObject } from '../objects.ts';

/** Number of objects per page of a list. */
const pageSize = 500;
/** Timeout of all requests except watches, in milliseconds. */
const requestTimeout = 30_000;
/** Time after which the API server ends a watch, in seconds. A random time is added, so that watches do not end simultaneously. */
const watchSeconds = 240;
/** Maximum size of a response or watch event, in bytes. etcd limits an object to 1.5 MiB, and a page contains up to 500 objects. */
const maxBytes = 256 * 1024 * 1024;

/** Error response of the Kubernetes API server. */
export class ApiError extends SluiceError {
  constructor(status: number, message: string) {
    super('ERR_PROVIDER_SOURCE', message, { status });
  }
}

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: KubeObject;
}

export interface Watcher {
  /** Called when the API server has accepted the watch. */
  readonly onOpen: () => void;
  readonly onEvent: (event: WatchEvent) => void;
}

interface Body {
  readonly type: string;
  readonly json: Json;
}

export class KubeClient {
  readonly access: ClusterAccess;
  readonly #agent: Agent | PlainAgent;
  readonly #isTls: boolean;

  constructor(access: ClusterAccess) {
    this.access = access;
    this.#isTls = access.server.protocol === 'https:';
    this.#agent = this.#isTls ? new Agent({ keepAlive: true, ...access.tls }) : new PlainAgent({ keepAlive: true });
  }

  /** Closes idle connections. */
  close(): void {
    this.#agent.destroy();
  }

  /** Sends a request and returns the JSON response. Rejects with an {@link ApiError} for an error response. */
  async json(method: string, path: string, signal: AbortSignal, body?: Body): Promise<Json> {
    const limit = new AbortController();
    const abort = guarded(taskOf('sluice.providers.kubernetes'), () => limit.abort());
    // Clear the timer when the request ends. An `AbortSignal.timeout()` would remain active, and thousands of status patches may be sent
    // within seconds.
    const timer = setTimeout(abort, requestTimeout);
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    try {
      return JSON.parse(await textOf(await this.#send(method, path, limit.signal, body))) as Json;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  /**
   * Lists Kubernetes objects page by page.
   *
   * @param path Path with an optional query.
   * @returns the resource version to watch from.
   */
  async list(path: string, onObject: (object: KubeObject) => void, signal: AbortSignal): Promise<string> {
    let token = '';
    for (;;) {
      const page = withQuery(path, `limit=${pageSize}${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`);
      const list = (await this.json('GET', page, signal)) as unknown as ObjectList;
      for (const object of list.items ?? []) onObject(object);
      token = list.metadata?.continue ?? '';
      if (token === '') return list.metadata?.resourceVersion ?? '';
    }
  }

  /** Watches changes after a resource version. Resolves when the API server ends the watch after a few minutes. */
  async watch(path: string, version: string, { onOpen, onEvent }: Watcher, signal: AbortSignal): Promise<void> {
    const seconds = watchSeconds + Math.floor(Math.random() * 60);
    const query = `watch=1&allowWatchBookmarks=true&timeoutSeconds=${seconds}&resourceVersion=${encodeURIComponent(version)}`;
    // If the network fails without closing the connection, only this timeout ends the watch.
    const limited = AbortSignal.any([signal, AbortSignal.timeout((seconds + 15) * 1000)]);
    const response = await this.#send('GET', withQuery(path, query), limited);
    response.socket.setKeepAlive(true, requestTimeout);
    onOpen();
    let pending: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        pending.push(chunk.subarray(from, end));
        const line = Buffer.concat(pending).toString();
        [pending, size, from] = [[], 0, end + 1];
        if (line !== '') onEvent(eventOf(JSON.parse(line) as Json));
      }
      if (from < chunk.length) pending.push(chunk.subarray(from));
      size += chunk.length - from;
      if (size > maxBytes) throw sourceError('an event from the Kubernetes API server is too large');
    }
  }

  /** Modifies fields of a subresource, such as `status`, with a JSON merge patch (RFC 7386). */
  mergePatch(path: string, json: Json, signal: AbortSignal): Promise<Json> {
    return this.json('PATCH', path, signal, { type: 'application/merge-patch+json', json });
  }

  #send(method: string, path: string, signal: AbortSignal, body?: Body): Promise<IncomingMessage> {
    const { server } = this.access;
    const token = this.access.token();
    const payload = body === undefined ? null : Buffer.from(JSON.stringify(body.json));
    const options = {
      agent: this.#agent,
      protocol: server.protocol,
      hostname: server.hostname.replaceAll(/^\[|\]$/g, ''),
      port: server.port === '' ? (this.#isTls ? 443 : 80) : Number(server.port),
      path: `${server.pathname.replace(/\/$/, '')}${path}`,
      method,
      signal,
      headers: {
        Accept: 'application/json',
        'User-Agent': 'sluice',
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined || payload === null
          ? {}
          : { 'Content-Type': body.type, 'Content-Length': payload.length }),
      },
    };
    return new Promise((resolve, reject) => {
      const onResponse = (response: IncomingMessage): void => {
        const status = response.statusCode ?? 0;
        if (status >= 200 && status < 300) resolve(response);
        else
          textOf(response).then(
            (text) => {
              reject(new ApiError(status, `${method} ${path}: ${status} ${messageIn(text)}`));
            },
            () => {
              reject(new ApiError(status, `${method} ${path}: ${status}`));
            },
          );
      };
      const sent = this.#isTls ? request(options, onResponse) : plainRequest(options, onResponse);
      sent.on('error', (error) => {
        reject(sourceError(`cannot reach the Kubernetes API server at ${server.origin}: ${messageOf(error)}`, error));
      });
      sent.end(payload ?? undefined);
    });
  }
}

interface ObjectList {
  readonly metadata?: { readonly continue?: string; readonly resourceVersion?: string };
  readonly items?: readonly KubeObject[];
}

function withQuery(path: string, query: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/** Parses a watch event. Throws an {@link ApiError} if the event reports an error, such as 410 for an outdated resource version. */
function eventOf(json: Json): WatchEvent {
  const type = isObject(json) ? own(json, 'type') : undefined;
  const object = isObject(json) ? own(json, 'object') : undefined;
  if (typeof type !== 'string' || !isObject(object))
    throw sourceError('unexpected event from the Kubernetes API server');
  if (type === 'ERROR') {
    const code = own(object, 'code');
    throw new ApiError(typeof code === 'number' ? code : 500, `watch: ${messageIn(JSON.stringify(object))}`);
  }
  return { type, object } as unknown as WatchEvent;
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw sourceError(`a response from the Kubernetes API server exceeds ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Returns the message of a Kubernetes `Status` object. For any other response, returns the beginning of the response. */
function messageIn(text: string): string {
  try {
    const status = JSON.parse(text) as Json;
    const message = isObject(status) ? own(status, 'message') : undefined;
    if (typeof message === 'string') return message;
  } catch {
    // The response is not JSON. An intermediate proxy may have sent it.
  }
  return text.slice(0, 200);
}

function sourceError(message: string, cause?: unknown): SluiceError {
  return new SluiceError('ERR_PROVIDER_SOURCE', message, cause === undefined ? {} : { cause });
}
