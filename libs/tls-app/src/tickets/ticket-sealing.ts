/**
 * Callback that lets OpenSSL encrypt and decrypt session tickets with several keys. Node's alternative, `setTicketKeys`, supports a single
 * key. With `setTicketKeys`, a full handshake gets two tickets and a resumed handshake gets none. Clients that use each ticket only once,
 * as recommended (RFC 8446 §C.4), would then need a full handshake every third time. With the callback, every handshake gets one ticket,
 * and previous keys can still decrypt tickets.
 */
import { randomFillSync } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import type { TicketKeyring } from '@sluice/native';

/** A session ticket key, split into the parts that OpenSSL expects. */
interface TicketKey {
  readonly whole: Buffer;
  readonly name: Buffer;
  readonly hmac: Buffer;
  readonly aes: Buffer;
}

/** Result of the callback for OpenSSL: action, HMAC key and AES key. For a new ticket, also the key name and initialization vector. */
type TicketDecision = [what: number, hmac: Buffer, aes: Buffer, name?: Buffer, vector?: Buffer];

/** Parts of Node's internal secure context handle that this file uses. */
interface NativeContext {
  setTicketKeys(keys: Buffer): void;
  enableTicketKeyCallback?(): void;
  onticketkeycallback?: (name: Buffer, vector: Buffer, sealing: boolean) => TicketDecision;
}

/** Action: don't create a ticket, or reject the received ticket. */
const refuse = 0;
const seal = 1;
/** Action: accept the received ticket and renew it. */
const openAndRenew = 2;

const partLength = 16;
const vectors = Buffer.allocUnsafeSlow(256 * partLength);

/** Encrypts and decrypts the session tickets of a thread. */
export class TicketSealing implements TicketKeyring {
  #keys: readonly TicketKey[] = [];
  /** True if a ticket was already created in the current handshake. */
  #issued = false;
  #nextVector = vectors.length;

  /** Sets the 48-byte keys, current key first. An empty list changes nothing. Until keys are set, OpenSSL uses its own ticket keys. */
  setKeys(keys: readonly Buffer[]): void {
    if (keys.length === 0) return;
    this.#keys = keys.map((whole) => ({
      whole,
      name: whole.subarray(0, partLength),
      hmac: whole.subarray(partLength, 2 * partLength),
      aes: whole.subarray(2 * partLength, 3 * partLength),
    }));
  }

  /** 48-byte key that encrypts new tickets, or `null` if no keys are set. */
  get current(): Buffer | null {
    return this.#keys[0]?.whole ?? null;
  }

  get sealingKey(): TicketKey | null {
    return this.#keys[0] ?? null;
  }

  keyNamed(name: Buffer): TicketKey | null {
    for (const key of this.#keys) if (key.name.equals(name)) return key;
    return null;
  }

  /**
   * Makes a TLS context use the shared keys. Must be called for each new context, and again for all contexts when the keys change. If
   * `once` is true, each handshake requests a single ticket, as in TLS 1.2. The handshake always receives that ticket, regardless of
   * concurrent handshakes.
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

  /** Must be called after each handshake, because the next ticket belongs to another handshake. */
  handshakeDone(): void {
    this.#issued = false;
  }

  /**
   * Handles ticket requests for TLS 1.3. OpenSSL requests both tickets in the step that completes the handshake, so requests of different
   * handshakes cannot interleave.
   */
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

  /** Returns random bytes that have not been used before. */
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
