/** Session with an ACME server. Manages the directory, nonces, and request signing (RFC 8555 §6). */
import type { KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AcmeError } from '../protocol/acme-error.ts';
import { signMessage, type Signer } from '../protocol/jws.ts';
import { AcmeProblem, type ProblemDocument } from '../protocol/problem.ts';
import type { DirectoryResource } from '../protocol/resources.ts';
import type { ClientResponse, AcmeTransport } from './transport.ts';

/** Maximum number of attempts to send a request. */
const attempts = 4;
/** Maximum number of `badNonce` errors per request. */
const maxNonces = 10;
/** Delay before the first retry, in milliseconds. The delay doubles with each retry. */
const firstPause = 500;
/** Maximum accepted `Retry-After`, in milliseconds. If the server requests a longer delay, the order fails and is retried later. */
const maxPause = 30_000;

export interface SessionOptions {
  /** Directory URL. */
  readonly directory: string;
  readonly transport: AcmeTransport;
  /** Aborts all requests. */
  readonly signal: AbortSignal;
}

/** Key and signer identity for signing a request. */
export interface Signature {
  readonly key: KeyObject;
  readonly signer: Signer;
}

export class Session {
  readonly signal: AbortSignal;
  readonly #url: string;
  readonly #transport: AcmeTransport;
  readonly #nonces: string[] = [];
  #directory: DirectoryResource | null = null;

  constructor({ directory, transport, signal }: SessionOptions) {
    this.#url = directory;
    this.#transport = transport;
    this.signal = signal;
  }

  /** Returns the ACME directory. Fetches the directory on the first call and caches it. */
  async directory(): Promise<DirectoryResource> {
    if (this.#directory !== null) return this.#directory;
    const directory = jsonOf(await this.get(this.#url), this.#url) as Partial<DirectoryResource>;
    for (const name of ['newNonce', 'newAccount', 'newOrder'] as const)
      if (typeof directory[name] !== 'string')
        throw new AcmeError('ERR_ACME_AUTHORITY', `${this.#url} is not an ACME directory: ${name} is missing`);
    return (this.#directory = directory as DirectoryResource);
  }

  /** Sends an unsigned request. */
  get(url: string): Promise<ClientResponse> {
    return this.#persistently(url, () => this.#transport.send({ method: 'GET', url, signal: this.signal }));
  }

  /**
   * Sends a signed request. If `payload` is `null`, the request is a POST-as-GET (RFC 8555 §6.3). Rejects with the problem document that
   * the server returns.
   */
  post(url: string, { key, signer }: Signature, payload: object | null, accept?: string): Promise<ClientResponse> {
    return this.#persistently(url, async () => {
      const nonce = this.#nonces.pop() ?? (await this.#newNonce());
      return this.#transport.send({
        method: 'POST',
        url,
        contentType: 'application/jose+json',
        ...(accept !== undefined && { headers: { accept } }),
        body: JSON.stringify(signMessage(key, signer, { url, nonce }, payload)),
        signal: this.signal,
      });
    });
  }

  /** Waits for the duration in `Retry-After`, up to a maximum. If the header is missing, waits `defaultDelay` milliseconds. */
  async pause(response: ClientResponse | null, defaultDelay: number): Promise<void> {
    const asked = response === null ? null : retryAfter(response);
    await sleep(Math.min(asked ?? defaultDelay, maxPause), undefined, { signal: this.signal });
  }

  async #persistently(url: string, send: () => Promise<ClientResponse>): Promise<ClientResponse> {
    let nonces = 0;
    for (let attempt = 1; ; attempt++) {
      const last = attempt === attempts;
      let response: ClientResponse | null = null;
      try {
        response = await send();
        this.#keepNonce(response);
        if (response.status < 400) return response;
        const problem = problemOf(url, response);
        // After a `badNonce` error, retry immediately with the nonce from the error response (RFC 8555 §6.5).
        if (problem.type === 'badNonce' && ++nonces < maxNonces) {
          attempt--;
          continue;
        }
        if (last || !isPassing(problem, response)) throw problem;
      } catch (error) {
        if (last || response !== null || this.signal.aborted) throw error;
      }
      await this.pause(response, firstPause * 2 ** (attempt - 1));
    }
  }

  async #newNonce(): Promise<string> {
    const { newNonce } = await this.directory();
    const response = await this.#transport.send({ method: 'HEAD', url: newNonce, signal: this.signal });
    const nonce = response.headers['replay-nonce'];
    if (nonce === undefined)
      throw new AcmeError('ERR_ACME_AUTHORITY', `HEAD ${newNonce} returned status ${response.status} without a nonce`);
    return nonce;
  }

  #keepNonce({ headers }: ClientResponse): void {
    const nonce = headers['replay-nonce'];
    if (nonce !== undefined && this.#nonces.length < 16) this.#nonces.push(nonce);
  }
}

export function jsonOf({ body, status }: ClientResponse, url: string): object {
  let value: unknown = null;
  try {
    value = JSON.parse(body);
  } catch {
    // Ignore the parse error; the code below reports the failed request.
  }
  if (typeof value !== 'object' || value === null)
    throw new AcmeError('ERR_ACME_AUTHORITY', `${url} returned status ${status} without a JSON object`);
  return value;
}

/** Returns the delay in `Retry-After` (RFC 9110 §10.2.3), in milliseconds from now. Returns `null` if the header is missing. */
export function retryAfter({ headers }: ClientResponse): number | null {
  const value = headers['retry-after'];
  if (value === undefined) return null;
  const time = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(time) ? null : Math.max(0, time);
}

function problemOf(url: string, { status, body }: ClientResponse): AcmeProblem {
  let document: Partial<ProblemDocument> = {};
  try {
    document = JSON.parse(body) as Partial<ProblemDocument>;
  } catch {
    // Ignore the parse error: a proxy may return an error body that is not a problem document.
  }
  if (typeof document?.type === 'string') return new AcmeProblem(status, document as ProblemDocument);
  return new AcmeProblem(status, { type: 'about:blank', detail: `${url} returned status ${status}` });
}

function isPassing(problem: AcmeProblem, response: ClientResponse): boolean {
  if (problem.status === 429 || problem.status === 503) return (retryAfter(response) ?? 0) <= maxPause;
  return problem.status >= 500 && problem.status !== 501;
}
