/** The OCSP responses that a thread staples to its handshakes. */

/** A response that says that a certificate is good. Plain data: it is sent between threads. */
export interface Staple {
  /** Of the certificate. */
  readonly hash: string;
  /** DER of the response. */
  readonly response: Uint8Array;
  /** Until when it may be told, in milliseconds since 1970. */
  readonly until: number;
}

/** Responses that came and went. */
export interface StapleChanges {
  readonly added: readonly Staple[];
  /** Hashes of certificates. */
  readonly removed: readonly string[];
}

/** Finds the response for a certificate. One object for the life of a thread. */
export class Staples {
  readonly #byHash = new Map<string, Staple>();

  /** The response about a certificate, or `null` if there is none that holds. */
  get(hash: string): Uint8Array | null {
    const staple = this.#byHash.get(hash);
    return staple === undefined || staple.until <= Date.now() ? null : staple.response;
  }

  apply({ added, removed }: StapleChanges): void {
    for (const hash of removed) this.#byHash.delete(hash);
    for (const staple of added) this.#byHash.set(staple.hash, staple);
  }
}
