/** The challenges that are up, as a thread serves them. */
import { createSecureContext, type SecureContext } from 'node:tls';
import type { HttpChallenges } from '@sluice/contracts';
import { normalName } from '../certificates/names.ts';
import type { ChallengeChange } from './messages.ts';

const prefix = '/.well-known/acme-challenge/';

/** Protocol of tls-alpn-01 (RFC 8737 §3). */
export const acmeProtocol = 'acme-tls/1';

/** {@link acmeProtocol} as ALPN writes it. */
export const acmeAlpn: Buffer = Buffer.from(`${String.fromCharCode(acmeProtocol.length)}${acmeProtocol}`);

/** Responds to http-01 and tls-alpn-01. One object for the life of a thread. */
export class ChallengeResponses implements HttpChallenges {
  open = false;
  /** By host and token. */
  readonly #http = new Map<string, string>();
  readonly #alpn = new Map<string, SecureContext>();

  /** Puts a challenge up, or takes it down. */
  apply(change: ChallengeChange): void {
    const name = normalName(change.name);
    if (change.kind === 'http') {
      const key = `${name} ${change.challenge}`;
      if (change.response === null) this.#http.delete(key);
      else this.#http.set(key, change.response);
      this.open = this.#http.size > 0;
    } else if (change.certificate === null) this.#alpn.delete(name);
    else this.#alpn.set(name, createSecureContext({ cert: change.certificate.chain, key: change.certificate.key }));
  }

  response(host: string, path: string): string | null {
    if (!path.startsWith(prefix)) return null;
    return this.#http.get(`${normalName(host)} ${path.slice(prefix.length)}`) ?? null;
  }

  /** The context with the certificate of a tls-alpn-01 challenge, or `null` if none is up for the name. */
  contextFor(name: string): SecureContext | null {
    return this.#alpn.get(name) ?? null;
  }
}
