/** Parts of the Docker Engine API that the provider uses. Podman implements them as well. Only GET requests. */
import { request, type IncomingMessage } from 'node:http';
import {
  httpGet,
  isArray,
  isObject,
  messageOf,
  objectAt,
  own,
  SluiceError,
  valueError,
  type Json,
  type JsonObject,
} from '@sluice/base';

/** A running container. */
export interface EngineContainer {
  readonly id: string;
  /** Name without the leading slash. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** IP addresses by network name. */
  readonly networks: ReadonlyMap<string, readonly string[]>;
  /** The container as the engine describes it. */
  readonly data: JsonObject;
}

/** Timeout for listing containers, in milliseconds. */
const listTimeout = 30_000;
/** Maximum size of a container list, in bytes. */
const maxBytes = 64 * 1024 * 1024;

/** Engine port if the address has none. */
const defaultPort = 2375;

export class Engine {
  readonly #address: string;
  readonly #url: URL;
  /** Unix socket to connect to instead of the URL host. */
  readonly #socket: { readonly socketPath?: string };

  /** @param address `unix:///path`, or `tcp://host:port` without TLS. Throws an error for other addresses. */
  constructor(address: string) {
    this.#address = address;
    const socketPath = /^unix:\/\/(\/.+)$/.exec(address)?.[1];
    const url = socketPath !== undefined ? new URL('http://docker') : URL.canParse(address) ? new URL(address) : null;
    if (url === null || !['tcp:', 'http:'].includes(url.protocol) || url.hostname === '')
      throw valueError(`must be unix:///path or tcp://host:port: ${address}`);
    this.#socket = socketPath === undefined ? {} : { socketPath };
    this.#url = new URL(
      `http://${url.hostname}:${socketPath === undefined && url.port === '' ? defaultPort : url.port}`,
    );
  }

  async containers(signal: AbortSignal): Promise<readonly EngineContainer[]> {
    const limits = { maxBytes, signal: AbortSignal.any([signal, AbortSignal.timeout(listTimeout)]) };
    const { status, body } = await httpGet(new URL('/containers/json', this.#url), {
      ...this.#socket,
      ...limits,
    }).catch((error: unknown) => {
      throw this.#unreachable(error);
    });
    if (status !== 200) throw unexpected('/containers/json', status);
    const list = JSON.parse(body.toString()) as Json;
    if (!isArray(list)) throw sourceError('the container engine returned no list of containers');
    return list.filter(isObject).map(containerOf);
  }

  /** Calls `onEvent` for each event that may change containers. Rejects when the stream ends. */
  async events(onOpen: () => void, onEvent: () => void, signal: AbortSignal): Promise<never> {
    const response = await this.#openEvents(signal);
    onOpen();
    try {
      for await (const chunk of response) if ((chunk as Buffer).length > 0) onEvent();
    } catch (error) {
      throw sourceError(`the event stream of the container engine ended: ${messageOf(error)}`, error);
    }
    throw sourceError('the event stream of the container engine ended');
  }

  #openEvents(signal: AbortSignal): Promise<IncomingMessage> {
    const url = new URL('/events', this.#url);
    url.searchParams.set('filters', JSON.stringify({ type: ['container', 'network'] }));
    return new Promise((resolve, reject) => {
      const sent = request(url, { ...this.#socket, signal }, (response) => {
        if (response.statusCode === 200) resolve(response);
        else {
          response.resume();
          reject(unexpected('/events', response.statusCode ?? 0));
        }
      });
      sent.on('error', (error) => reject(this.#unreachable(error)));
      sent.end();
    });
  }

  #unreachable(error: unknown): SluiceError {
    return sourceError(`cannot reach the container engine at ${this.#address}: ${messageOf(error)}`, error);
  }
}

function unexpected(path: string, status: number): SluiceError {
  return sourceError(`the container engine responded to GET ${path} with status ${status}`);
}

function containerOf(data: JsonObject): EngineContainer {
  const id = textAt(data, 'Id');
  const names = own(data, 'Names');
  const [name] = isArray(names) ? names : [];
  const labels = Object.entries(objectAt(data, ['Labels']));
  const networks = Object.entries(objectAt(data, ['NetworkSettings', 'Networks']));
  return {
    id,
    name: typeof name === 'string' ? name.replace(/^\//, '') : id.slice(0, 12),
    labels: Object.fromEntries(labels.map(([key, value]) => [key, typeof value === 'string' ? value : ''])),
    networks: new Map(networks.map(([key, value]) => [key, addressesOf(value)])),
    data: { ...data, ID: id },
  };
}

function addressesOf(network: Json): readonly string[] {
  if (!isObject(network)) return [];
  const address = textAt(network, 'IPAddress') || textAt(network, 'GlobalIPv6Address');
  return address === '' ? [] : [address];
}

function textAt(object: JsonObject, key: string): string {
  const value = own(object, key);
  return typeof value === 'string' ? value : '';
}

function sourceError(message: string, cause?: unknown): SluiceError {
  return new SluiceError('ERR_PROVIDER_SOURCE', message, cause === undefined ? {} : { cause });
}
