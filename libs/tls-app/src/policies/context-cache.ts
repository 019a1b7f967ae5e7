/** Cache of OpenSSL contexts by certificate and connection policy. */
import type { SecureContext } from 'node:tls';
import type { StreamContext, TicketKeyring } from '@sluice/native';
import type { Certificate } from '../certificates/certificate.ts';
import { TicketSealing } from '../tickets/ticket-sealing.ts';

/** The members of a connection policy that the cache uses. */
export interface ContextOwner {
  /** Policy number, unique within a thread. */
  readonly number: number;
  makeContext(certificate: Certificate, tickets: boolean): SecureContext;
  makeNative(certificate: Certificate, tickets: boolean, sealing: TicketKeyring | null): StreamContext;
}

interface Entry {
  readonly context: SecureContext;
  readonly policy: ContextOwner;
  readonly hash: string;
  readonly old: boolean;
}

interface NativeEntry {
  readonly context: StreamContext;
  readonly policy: ContextOwner;
  readonly hash: string;
}

/** LRU cache of OpenSSL contexts. */
export class ContextCache {
  capacity: number;
  /** Encrypts session tickets with keys that all threads share. */
  readonly sealing = new TicketSealing();
  readonly #entries = new Map<string, Entry>();
  readonly #native = new Map<string, NativeEntry>();
  #tickets = true;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get size(): number {
    return this.#entries.size;
  }

  /**
   * Returns the OpenSSL context for a certificate under a policy, and creates it if necessary. TLS 1.2 handshakes use separate contexts
   * (`old`), because their session tickets are encrypted in a different way; see {@link TicketSealing}.
   */
  get(policy: ContextOwner, certificate: Certificate, old = false): SecureContext {
    const key = `${policy.number} ${certificate.hash}${old ? ' old' : ''}`;
    const there = this.#entries.get(key);
    if (there !== undefined) {
      // Reinsert the entry, which makes it the most recently used one.
      this.#entries.delete(key);
      this.#entries.set(key, there);
      return there.context;
    }
    const context = policy.makeContext(certificate, this.#tickets);
    this.sealing.applyTo(context, old);
    this.#entries.set(key, { context, policy, hash: certificate.hash, old });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.capacity) break;
      this.#entries.delete(oldest);
    }
    return context;
  }

  /** Returns the context for TLS connections that use the OpenSSL bindings. */
  native(policy: ContextOwner, certificate: Certificate): StreamContext {
    const key = `${policy.number} ${certificate.hash}`;
    const there = this.#native.get(key);
    if (there !== undefined) {
      this.#native.delete(key);
      this.#native.set(key, there);
      return there.context;
    }
    const context = policy.makeNative(certificate, this.#tickets, this.sealing.current === null ? null : this.sealing);
    this.#native.set(key, { context, policy, hash: certificate.hash });
    this.#dropNative(() => this.#native.size > this.capacity);
    return context;
  }

  /** Frees the contexts that `drops` selects, oldest first. Existing connections continue to use them. */
  #dropNative(drops: (entry: NativeEntry) => boolean): void {
    for (const [key, entry] of this.#native) {
      if (!drops(entry)) continue;
      this.#native.delete(key);
      entry.context.free();
    }
  }

  /** Removes the contexts of a replaced certificate from the cache. Existing connections continue to use them. */
  drop(hash: string): void {
    for (const [key, entry] of this.#entries) if (entry.hash === hash) this.#entries.delete(key);
    this.#dropNative((entry) => entry.hash === hash);
  }

  dropPolicy(policy: ContextOwner): void {
    for (const [key, entry] of this.#entries) if (entry.policy === policy) this.#entries.delete(key);
    this.#dropNative((entry) => entry.policy === policy);
  }

  useTickets(tickets: boolean): void {
    if (tickets === this.#tickets) return;
    this.#tickets = tickets;
    this.#entries.clear();
    this.#dropNative(() => true);
  }

  /** Sets the session ticket keys; see {@link TicketSealing.setKeys}. */
  setTicketKeys(keys: readonly Buffer[]): void {
    // Contexts look up the current keys for each ticket. This does not apply to contexts that were created while there were no keys.
    if (this.sealing.current === null) this.#dropNative(() => true);
    this.sealing.setKeys(keys);
    for (const { context, old } of this.#entries.values()) this.sealing.applyTo(context, old);
  }
}
