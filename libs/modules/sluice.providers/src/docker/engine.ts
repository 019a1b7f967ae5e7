/** The parts of the Docker Engine API that the provider uses. Podman implements them as well. Only GET requests. */
import { request, type IncomingMessage } from 'node:http';
import { isArray, isObject, messageOf, own, SluiceError, valueError, type Json, type JsonObject } from '@sluice/base';

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

/** Longest time for a list of containers, in milliseconds. */
const listTimeout = 30_000;
const maxBytes = 64 * 1024 * 1024;

export class Engine {
  readonly #text: string;
  readonly #address: { readonly socketPath: string } | { readonly host: string; readonly port: number };

  /** @param address `unix:///path`, or `tcp://host:port` without TLS. Throws an error for other addresses. */
  constructor(address: string) {
    this.#text = address;
    const socket = /^unix:\/\/(\/.+)$/.exec(address)?.[1];
    if (socket !== undefined) {
      this.#address = { socketPath: socket };
      return;
    }
    const url = URL.canParse(address) ? new URL(address) : null;
    if (url === null || !['tcp:', 'http:'].includes(url.protocol) || url.hostname === '')
      throw valueError(`must be unix:///path or tcp://host:port: ${address}`);
    this.#address = { host: url.hostname.replaceAll(/^\[|\]$/g, ''), port: Number(url.port === '' ? 2375 : url.port) };
  }

  /** Lists running containers. */
  async containers(signal: AbortSignal): Promise<readonly EngineContainer[]> {
    const response = await this.#get('/containers/json', AbortSignal.any([signal, AbortSignal.timeout(listTimeout)]));
    const list = JSON.parse(await textOf(response)) as Json;
    if (!isArray(list)) throw sourceError('the container engine returned no list of containers');
    return list.filter(isObject).map(containerOf);
  }

  /** Calls `onEvent` for each event that may change containers. Rejects when the stream ends. */
  async events(onOpen: () => void, onEvent: () => void, signal: AbortSignal): Promise<never> {
    const filters = JSON.stringify({ type: ['container', 'network'] });
    const response = await this.#get(`/events?filters=${encodeURIComponent(filters)}`, signal);
    onOpen();
    try {
      for await (const chunk of response) if ((chunk as Buffer).length > 0) onEvent();
    } catch (error) {
      throw sourceError(`the event stream of the container engine ended: ${messageOf(error)}`, error);
    }
    throw sourceError('the event stream of the container engine ended');
  }

  #get(path: string, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = request({ ...this.#address, path, signal, headers: { Host: 'docker' } }, (response) => {
        if (response.statusCode === 200) resolve(response);
        else {
          response.resume();
          reject(sourceError(`the container engine responded to GET ${path} with status ${response.statusCode ?? 0}`));
        }
      });
      sent.on('error', (error) => {
        reject(sourceError(`cannot reach the container engine at ${this.#text}: ${error.message}`, error));
      });
      sent.end();
    });
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += (chunk as Buffer).length;
    if (size > maxBytes) throw sourceError(`the list of containers exceeds ${maxBytes} bytes`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

function containerOf(data: JsonObject): EngineContainer {
  const id = textAt(data, 'Id');
  const names = own(data, 'Names');
  const [name] = isArray(names) ? names : [];
  const labels = own(data, 'Labels');
  const settings = own(data, 'NetworkSettings');
  const networks = isObject(settings) ? own(settings, 'Networks') : undefined;
  return {
    id,
    name: typeof name === 'string' ? name.replace(/^\//, '') : id.slice(0, 12),
    labels: isObject(labels)
      ? Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, typeof value === 'string' ? value : '']))
      : {},
    networks: new Map(
      isObject(networks) ? Object.entries(networks).map(([key, value]) => [key, addressesOf(value)]) : [],
    ),
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
