/** The challenges that are up, as a thread serves them. */
import { createSecureContext, type SecureContext } from 'node:tls';
import type { HttpChallenges } from '@sluice/contracts';
import { normalName } from '../certificates/names.ts';
import type { CertificatePair } from '../contracts/key-pair.ts';
import type { ChallengeChange, SoughtChallenge } from './messages.ts';

const prefix = '/.well-known/acme-challenge/';

/** Protocol of tls-alpn-01 (RFC 8737 §3). */
export const acmeProtocol = 'acme-tls/1';

/** {@link acmeProtocol} as ALPN writes it. */
export const acmeAlpn: Buffer = Buffer.from(`${String.fromCharCode(acmeProtocol.length)}${acmeProtocol}`);

/** Challenges that are looked for in the storage at a time; the others are not there. */
const mostSought = 100;
/** Tokens have 22 characters at least (RFC 8555 §8.3), and need not have many more. */
const longestToken = 256;

/** Asks the control thread for what another server has put up. */
export type Seek = (sought: SoughtChallenge) => Promise<ChallengeChange | null>;

/** Responds to http-01 and tls-alpn-01. One object for the life of a thread. */
export class ChallengeResponses implements HttpChallenges {
  open = false;
  readonly #ask: Seek;
  #shared = false;
  #seeking = 0;
  /** By host and token. */
  readonly #http = new Map<string, string>();
  readonly #alpn = new Map<string, SecureContext>();

  constructor(ask: Seek) {
    this.#ask = ask;
  }

  /** Whether servers that share the storage may have put challenges up. */
  get shared(): boolean {
    return this.#shared;
  }

  set shared(shared: boolean) {
    this.#shared = shared;
    this.open = shared || this.#http.size > 0;
  }

  /** Puts a challenge up, or takes it down. */
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
    if (response !== null || !this.#shared || challenge === '' || challenge.length > longestToken) return response;
    return this.#sharedResponse(name, challenge);
  }

  /** The context with the certificate of a tls-alpn-01 challenge, or `null` if none is up for the name. */
  contextFor(name: string): SecureContext | null {
    return this.#alpn.get(name) ?? null;
  }

  /** The same where another server has put it up. Never rejects. */
  async sharedContextFor(name: string): Promise<SecureContext | null> {
    const found = await this.#seek({ kind: 'tls-alpn', name: normalName(name) });
    return found?.kind === 'tls-alpn' && found.certificate !== null ? contextOf(found.certificate) : null;
  }

  async #sharedResponse(name: string, challenge: string): Promise<string | null> {
    const found = await this.#seek({ kind: 'http', name, challenge });
    return found?.kind === 'http' ? found.response : null;
  }

  async #seek(sought: SoughtChallenge): Promise<ChallengeChange | null> {
    if (this.#seeking >= mostSought) return null;
    this.#seeking++;
    try {
      return await this.#ask(sought);
    } catch {
      // The control thread is about to end; it logs what else fails.
      return null;
    } finally {
      this.#seeking--;
    }
  }
}

function contextOf({ chain, key }: CertificatePair): SecureContext {
  return createSecureContext({ cert: chain, key });
}
