/**
 * What OpenSSL asks for when it makes or opens a session ticket. Left to itself (`setTicketKeys`) Node knows one key only,
 * sends two tickets for a full handshake and none for a resumed one, so that a client that uses each ticket once, as it
 * should (RFC 8446 §C.4), makes every third handshake in full. Here it is one ticket for every handshake, and the keys
 * before the current one still open what they have sealed.
 */
import { randomFillSync } from 'node:crypto';
import type { SecureContext } from 'node:tls';

/** One key in the parts that OpenSSL takes. */
interface TicketKey {
  readonly whole: Buffer;
  readonly name: Buffer;
  readonly hmac: Buffer;
  readonly aes: Buffer;
}

/** What OpenSSL is told: what to do, key for HMAC, key for AES; for new tickets also name and initialisation vector. */
type TicketDecision = [what: number, hmac: Buffer, aes: Buffer, name?: Buffer, vector?: Buffer];

/** Node's handle of a context, as far as it is used here. */
interface NativeContext {
  setTicketKeys(keys: Buffer): void;
  enableTicketKeyCallback?(): void;
  onticketkeycallback?: (name: Buffer, vector: Buffer, sealing: boolean) => TicketDecision;
}

/** No ticket is made, or the ticket is not opened. */
const refuse = 0;
const seal = 1;
/** The ticket is opened, and a new one is to be sent. */
const openAndRenew = 2;

const partLength = 16;
const vectors = Buffer.allocUnsafeSlow(256 * partLength);

/** Seals and opens the tickets of a thread. */
export class TicketSealing {
  #keys: readonly TicketKey[] = [];
  /** A ticket was made in this handshake. */
  #issued = false;
  #nextVector = vectors.length;

  /** Takes keys of 48 bytes, the current one first. None change nothing: without any, tickets are left to OpenSSL. */
  setKeys(keys: readonly Buffer[]): void {
    if (keys.length === 0) return;
    this.#keys = keys.map((whole) => ({
      whole,
      name: whole.subarray(0, partLength),
      hmac: whole.subarray(partLength, 2 * partLength),
      aes: whole.subarray(2 * partLength, 3 * partLength),
    }));
  }

  /** The key that new tickets are sealed with, of 48 bytes; `null` without one. */
  get current(): Buffer | null {
    return this.#keys[0]?.whole ?? null;
  }

  /**
   * Has a context use the keys. To be called for each context, and for all of them again when the keys change. With
   * `once` a handshake asks for one ticket only, as those of TLS 1.2 do: then it always gets one, whatever handshakes are
   * under way beside it.
   */
  applyTo({ context }: SecureContext, once: boolean): void {
    const [current] = this.#keys;
    if (current === undefined) return;
    const native = context as NativeContext;
    if (native.enableTicketKeyCallback === undefined) native.setTicketKeys(current.whole);
    else {
      const decide = once ? this.#decideOnce : this.#decide;
      if (native.onticketkeycallback === decide) return;
      native.onticketkeycallback = decide;
      native.enableTicketKeyCallback();
    }
  }

  /** A handshake is complete: the next ticket is for another one. */
  handshakeDone(): void {
    this.#issued = false;
  }

  /** For TLS 1.3: OpenSSL asks for both tickets of a handshake in the step that completes it, so that no other comes between. */
  readonly #decide = (name: Buffer, _vector: Buffer, sealing: boolean): TicketDecision => {
    if (!sealing) {
      this.#issued = false;
      return this.#open(name);
    }
    const what = this.#issued ? refuse : seal;
    this.#issued = true;
    return this.#seal(what);
  };

  readonly #decideOnce = (name: Buffer, _vector: Buffer, sealing: boolean): TicketDecision =>
    sealing ? this.#seal(seal) : this.#open(name);

  #seal(what: number): TicketDecision {
    const [current] = this.#keys as readonly [TicketKey];
    return [what, current.hmac, current.aes, current.name, this.#vector()];
  }

  #open(name: Buffer): TicketDecision {
    const [current] = this.#keys as readonly [TicketKey];
    for (const key of this.#keys) if (key.name.equals(name)) return [openAndRenew, key.hmac, key.aes];
    return [refuse, current.hmac, current.aes];
  }

  /** Random bytes that were not used before. */
  #vector(): Buffer {
    if (this.#nextVector === vectors.length) {
      randomFillSync(vectors);
      this.#nextVector = 0;
    }
    const from = this.#nextVector;
    this.#nextVector += partLength;
    return vectors.subarray(from, this.#nextVector);
  }
}
