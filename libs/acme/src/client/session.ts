/** A client's talk with one server: directory, nonces, signed requests (RFC 8555 §6). */
import type { KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AcmeError } from '../protocol/acme-error.ts';
import { signMessage, type Signer } from '../protocol/jws.ts';
import { AcmeProblem, type ProblemDocument } from '../protocol/problem.ts';
import type { DirectoryResource } from '../protocol/resources.ts';
import type { ClientResponse, AcmeTransport } from './transport.ts';

/** How often a request is sent before its failure counts. */
const attempts = 4;
/** How many nonces may be refused for one request. */
const mostNonces = 10;
/** Before the second attempt, in milliseconds; doubled for each further one. */
const firstPause = 500;
/** The longest wait that a server may ask for in between, in milliseconds; for more the order fails, to be tried again later. */
const longestPause = 30_000;

/** What a session is made of. */
export interface SessionOptions {
  /** URL. */
  readonly directory: string;
  readonly transport: AcmeTransport;
  /** Ends everything. */
  readonly signal: AbortSignal;
}

/** How a request is signed. */
export interface Signature {
  readonly key: KeyObject;
  readonly signer: Signer;
}

/** Sends requests to one server; those that failed in passing are sent again. */
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

  /** The directory, fetched once. */
  async directory(): Promise<DirectoryResource> {
    if (this.#directory !== null) return this.#directory;
    const directory = jsonOf(await this.get(this.#url), this.#url) as Partial<DirectoryResource>;
    for (const name of ['newNonce', 'newAccount', 'newOrder'] as const)
      if (typeof directory[name] !== 'string')
        throw new AcmeError('ERR_ACME_AUTHORITY', `${this.#url} is not an ACME directory: ${name} is missing`);
    return (this.#directory = directory as DirectoryResource);
  }

  /** An unsigned request. */
  get(url: string): Promise<ClientResponse> {
    return this.#persistently(url, () => this.#transport.send({ method: 'GET', url, signal: this.signal }));
  }

  /** A signed request; POST-as-GET with `payload` `null`. Rejects with the problem of the server. */
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

  /** Waits, for as long as the server asked for within bounds, else for `usual` milliseconds. */
  async pause(response: ClientResponse | null, usual: number): Promise<void> {
    const asked = response === null ? null : retryAfter(response);
    await sleep(Math.min(asked ?? usual, longestPause), undefined, { signal: this.signal });
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
        // RFC 8555 §6.5: at once, with the nonce that came.
        if (problem.type === 'badNonce' && ++nonces < mostNonces) {
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

/** The JSON of a response. */
export function jsonOf({ body, status }: ClientResponse, url: string): object {
  let value: unknown = null;
  try {
    value = JSON.parse(body);
  } catch {
    // Said below.
  }
  if (typeof value !== 'object' || value === null)
    throw new AcmeError('ERR_ACME_AUTHORITY', `${url} returned status ${status} without a JSON object`);
  return value;
}

/** The field `Retry-After` (RFC 9110 §10.2.3) as milliseconds from now, or `null`. */
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
    // A proxy in between responds with what it likes.
  }
  if (typeof document?.type === 'string') return new AcmeProblem(status, document as ProblemDocument);
  return new AcmeProblem(status, { type: 'about:blank', detail: `${url} returned status ${status}` });
}

function isPassing(problem: AcmeProblem, response: ClientResponse): boolean {
  if (problem.status === 429 || problem.status === 503) return (retryAfter(response) ?? 0) <= longestPause;
  return problem.status >= 500 && problem.status !== 501;
}
