/** Cache of OpenSSL contexts per certificate and policy. */
import type { SecureContext } from 'node:tls';
import type { StreamContext, TicketKeyring } from '@sluice/native';
import type { Certificate } from '../certificates/certificate.ts';
import { TicketSealing } from '../tickets/ticket-sealing.ts';

/** The parts of a policy that the cache uses. */
export interface ContextOwner {
  /** Unique within a thread. */
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

/** LRU cache of contexts. */
export class ContextCache {
  capacity: number;
  /** Encrypts session tickets with keys shared by all threads. */
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
   * Returns the context of a certificate under a policy; creates it if necessary. TLS 1.2 handshakes have separate
   * contexts (`old`), because their session tickets are encrypted differently; see {@link TicketSealing}.
   */
  get(policy: ContextOwner, certificate: Certificate, old = false): SecureContext {
    const key = `${policy.number} ${certificate.hash}${old ? ' old' : ''}`;
    const there = this.#entries.get(key);
    if (there !== undefined) {
      // Insert again as the most recently used.
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

  /** Returns the context of the OpenSSL bindings. */
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

  /** Frees contexts, oldest first. Existing connections keep them. */
  #dropNative(drops: (entry: NativeEntry) => boolean): void {
    for (const [key, entry] of this.#native) {
      if (!drops(entry)) continue;
      this.#native.delete(key);
      entry.context.free();
    }
  }

  /** Drops the contexts of a replaced certificate. Existing connections keep them. */
  drop(hash: string): void {
    for (const [key, entry] of this.#entries) if (entry.hash === hash) this.#entries.delete(key);
    this.#dropNative((entry) => entry.hash === hash);
  }

  dropPolicy(policy: ContextOwner): void {
    for (const [key, entry] of this.#entries) if (entry.policy === policy) this.#entries.delete(key);
    this.#dropNative((entry) => entry.policy === policy);
  }

  /** Enables or disables session tickets. */
  useTickets(tickets: boolean): void {
    if (tickets === this.#tickets) return;
    this.#tickets = tickets;
    this.#entries.clear();
    this.#dropNative(() => true);
  }

  /** Sets the session ticket keys; see {@link TicketSealing.setKeys}. */
  setTicketKeys(keys: readonly Buffer[]): void {
    // Contexts look up keys for each ticket, unless they were created when there were none.
    if (this.sealing.current === null) this.#dropNative(() => true);
    this.sealing.setKeys(keys);
    for (const { context, old } of this.#entries.values()) this.sealing.applyTo(context, old);
  }
}
