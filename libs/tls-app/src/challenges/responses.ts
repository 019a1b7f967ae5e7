import { createSecureContext, type SecureContext } from 'node:tls';
import type { HttpChallenges } from '@sluice/contracts';
import { normalName } from '../certificates/names.ts';
import type { CertificatePair } from '../contracts/key-pair.ts';
import type { ChallengeChange, ChallengeQuery } from './messages.ts';

const prefix = '/.well-known/acme-challenge/';

/** ALPN protocol name for tls-alpn-01 challenges (RFC 8737 §3). */
export const acmeProtocol = 'acme-tls/1';

/** {@link acmeProtocol} in ALPN wire encoding. */
export const acmeAlpn: Buffer = Buffer.from(`${String.fromCharCode(acmeProtocol.length)}${acmeProtocol}`);

/** Maximum number of concurrent storage lookups. Challenges beyond this limit are treated as not found. */
const maxLookups = 100;
/** Maximum length of a challenge token. Tokens have at least 22 characters (RFC 8555 §8.3), and rarely many more. */
const maxTokenLength = 256;

/** Requests a challenge that another server has added. Sends the request to the control thread. */
export type Seek = (sought: ChallengeQuery) => Promise<ChallengeChange | null>;

/** Key authorizations for http-01 challenges, by host and token. */
export class ChallengeResponses implements HttpChallenges {
  open = false;
  readonly #ask: Seek;
  #shared = false;
  #seeking = 0;
  /** Key authorizations for http-01, by host and token. */
  readonly #http = new Map<string, string>();
  readonly #alpn = new Map<string, SecureContext>();

  constructor(ask: Seek) {
    this.#ask = ask;
  }

  /** True if other servers that share the storage may have added challenges. */
  get shared(): boolean {
    return this.#shared;
  }

  set shared(shared: boolean) {
    this.#shared = shared;
    this.open = shared || this.#http.size > 0;
  }

  apply(change: ChallengeChange): void {
    const name = normalName(change.name);
    if (change.kind === 'http') {
      const key = `${name} ${change.challenge}`;
      if (change.response === null) this.#http.delete(key);
      else this.#http.set(key, change.response);
      this.open = this.#shared || this.#http.size > 0;
    } else if (change.certificate === null) this.#alpn.delete(name);
    else this.#alpn.set(name, contextOf(change.certificate));
  }

  covers(path: string): boolean {
    return path.startsWith(prefix);
  }

  response(host: string, path: string): string | null | Promise<string | null> {
    const name = normalName(host);
    const challenge = path.slice(prefix.length);
    const response = this.#http.get(`${name} ${challenge}`) ?? null;
    if (response !== null || !this.#shared || challenge === '' || challenge.length > maxTokenLength) return response;
    return this.#sharedResponse(name, challenge);
  }

  /** Returns the TLS context with the certificate for a tls-alpn-01 challenge. Returns `null` if there is no challenge for the name. */
  contextFor(name: string): SecureContext | null {
    return this.#alpn.get(name) ?? null;
  }

  /** Returns the TLS context for a challenge that another server has added. Never rejects. */
  async sharedContextFor(name: string): Promise<SecureContext | null> {
    const found = await this.#seek({ kind: 'tls-alpn', name: normalName(name) });
    return found?.kind === 'tls-alpn' && found.certificate !== null ? contextOf(found.certificate) : null;
  }

  async #sharedResponse(name: string, challenge: string): Promise<string | null> {
    const found = await this.#seek({ kind: 'http', name, challenge });
    return found?.kind === 'http' ? found.response : null;
  }

  async #seek(sought: ChallengeQuery): Promise<ChallengeChange | null> {
    if (this.#seeking >= maxLookups) return null;
    this.#seeking++;
    try {
      return await this.#ask(sought);
    } catch {
      // The request failed because the control thread is shutting down. The control thread logs all other failures.
      return null;
    } finally {
      this.#seeking--;
    }
  }
}

function contextOf({ chain, key }: CertificatePair): SecureContext {
  return createSecureContext({ cert: chain, key });
}
