/** Client for a provider's HTTP API. Its errors do not contain credentials. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, messageOf, SluiceError, type Json, type JsonObject } from '@sluice/base';
import { sendRequest, apiTransportToken, type ApiRequest, type ApiResponse, type ApiTransport } from './transport.ts';
import type { Context } from '@sluice/registry';

/** Maximum `Retry-After` delay that is accepted, in milliseconds. */
const maxPause = 60_000;
const maxReason = 300;

export interface Call {
  readonly method: ApiRequest['method'];
  /** Path that is appended to the base URL. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Json | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses, in addition to 2xx, that are not treated as errors. */
  readonly accept?: readonly number[];
  readonly signal: AbortSignal;
}

export interface ApiSettings {
  /** Name of the provider, for error messages. */
  readonly name: string;
  /** Base URL, without a trailing slash. */
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Secrets, which are removed from error messages. */
  readonly secrets: readonly string[];
}

export class Api {
  readonly #settings: ApiSettings;
  readonly #send: ApiTransport;

  constructor(settings: ApiSettings, context: Context) {
    this.#settings = settings;
    this.#send = context.find(apiTransportToken) ?? sendRequest;
  }

  /** Sends a request and returns the response. After a response with status 429 (too many requests), waits and retries once. */
  async call(call: Call): Promise<ApiResponse> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.#once(call);
      const { status } = response;
      if ((status >= 200 && status < 300) || call.accept?.includes(status) === true) return response;
      const pause = Number(response.headers['retry-after'] ?? 1) * 1000;
      if (status !== 429 || attempt > 1 || !(pause <= maxPause))
        throw this.error(`${call.method} ${call.path}: ${status} ${reasonIn(response.body)}`.trimEnd());
      await sleep(pause, undefined, { signal: call.signal });
    }
  }

  /** Sends a request and returns the JSON object in the response. Returns `null` if the status is in `accept`. */
  async json(call: Call): Promise<JsonObject | null> {
    const { status, body } = await this.call(call);
    if (status >= 300) return null;
    const value = parsed(body);
    if (isObject(value)) return value;
    throw this.error(`${call.method} ${call.path}: the server returned status ${status} without a JSON object`);
  }

  /** Sends a request and returns the JSON list in the response. */
  async list(call: Call): Promise<readonly Json[]> {
    const { status, body } = await this.call(call);
    if (status >= 300) return [];
    const value = parsed(body);
    if (Array.isArray(value)) return value as readonly Json[];
    throw this.error(`${call.method} ${call.path}: the server returned status ${status} without a JSON array`);
  }

  /** Returns an error that contains the provider's name. Removes secrets from the error message. */
  error(message: string, cause?: unknown): SluiceError {
    let text = message;
    for (const secret of this.#settings.secrets) if (secret !== '') text = text.replaceAll(secret, '***');
    const details = cause === undefined ? {} : { cause };
    return new SluiceError('ERR_DNS_PROVIDER', `${this.#settings.name}: ${text}`, details);
  }

  async #once({ method, path, query, body, headers, signal }: Call): Promise<ApiResponse> {
    const url = `${this.#settings.base}${path}${query === undefined ? '' : `?${new URLSearchParams(query).toString()}`}`;
    const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
    const type = text === null || typeof body === 'string' ? {} : { 'content-type': 'application/json' };
    try {
      const all = { accept: 'application/json', ...type, ...this.#settings.headers, ...headers };
      return await this.#send({ method, url, headers: all, body: text, signal });
    } catch (error) {
      // Omit the error cause, because it may contain the URL.
      throw this.error(`${method} ${path}: ${messageOf(error)}`);
    }
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Returns the message in an error response. APIs use different field names for the message. */
function reasonIn(body: string): string {
  const value = parsed(body);
  const found = value === undefined ? body : messageIn(value);
  const line = found.replaceAll(/\s+/g, ' ').trim();
  return line.length > maxReason ? `${line.slice(0, maxReason)}…` : line;
}

const messageKeys = ['message', 'detail', 'error', 'errors', 'cause', 'description'];

function messageIn(value: Json): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(messageIn).join('; ');
  if (!isObject(value)) return '';
  for (const key of messageKeys) {
    const found = value[key];
    const text = found === undefined ? '' : messageIn(found);
    if (text !== '') return text;
  }
  return JSON.stringify(value);
}
