/** Parts of the Docker Engine API that the provider uses. Podman implements them as well. The provider sends only GET requests. */
import { request, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
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
  /** False if the container's own health check failed, or has not succeeded yet. */
  readonly isHealthy: boolean;
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
  readonly #socket: { readonly socketPath?: string };

  /** @param address `unix:///path`, or `tcp://host:port` without TLS. Throws an error for other addresses. */
  constructor(address: string) {
    this.#address = address;
    const socketPath = /^unix:\/\/(\/.+)$/.exec(address)?.[1];
    const url = socketPath !== undefined ? new URL('http://docker') : URL.canParse(address) ? new URL(address) : null;
    if (url === null || !['tcp:', 'http:'].includes(url.protocol) || url.hostname === '')
      throw valueError(`must be unix:///path or tcp://host:port, not ${address}`);
    this.#socket = socketPath === undefined ? {} : { socketPath };
    this.#url = new URL(
      `http://${url.hostname}:${socketPath === undefined && url.port === '' ? defaultPort : url.port}`,
    );
  }

  /** @param ids Containers to return if they are running. Default: all running ones. */
  async containers(signal: AbortSignal, ids?: ReadonlySet<string>): Promise<readonly EngineContainer[]> {
    const limits = { maxBytes, signal: AbortSignal.any([signal, AbortSignal.timeout(listTimeout)]) };
    const url = new URL('/containers/json', this.#url);
    if (ids !== undefined) url.searchParams.set('filters', JSON.stringify({ id: [...ids] }));
    const { status, body } = await httpGet(url, {
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

  /**
   * Calls `onEvent` with the ID of each container that may have changed; `null` if the container is unknown. Rejects when the stream ends.
   */
  async events(onOpen: () => void, onEvent: (id: string | null) => void, signal: AbortSignal): Promise<never> {
    const response = await this.#openEvents(signal);
    onOpen();
    try {
      for await (const line of createInterface({ input: response })) {
        const id = affectedBy(line);
        if (id !== undefined) onEvent(id);
      }
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

/** Actions that don't affect the data that the provider uses. Most of these actions are health checks. */
const irrelevant = /^(?:exec_|top$|attach$|detach$|resize$|archive-path$|extract-to-dir$|copy$|export$)/;

/** Returns the ID of the container that an event affects. Returns `null` if the container is unknown, and `undefined` if nothing changed. */
function affectedBy(line: string): string | null | undefined {
  if (line.trim() === '') return undefined;
  let event: Json;
  try {
    event = JSON.parse(line) as Json;
  } catch {
    return null;
  }
  const actor = objectAt(event, ['Actor']);
  if (!isObject(event) || textAt(event, 'Type') === 'network')
    return textAt(objectAt(actor, ['Attributes']), 'container') || null;
  if (irrelevant.test(textAt(event, 'Action'))) return undefined;
  return textAt(actor, 'ID') || null;
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
    // The list contains the health only as text: `Up 5 minutes (unhealthy)`, `Up 5 seconds (health: starting)`.
    isHealthy: !/\((?:unhealthy|health: starting|starting)\)/.test(textAt(data, 'Status')),
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
