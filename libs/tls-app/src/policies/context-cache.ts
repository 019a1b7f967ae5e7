/** Contexts of OpenSSL, made once per certificate and policy. */
import type { SecureContext } from 'node:tls';
import type { Certificate } from '../certificates/certificate.ts';
import { TicketSealing } from '../tickets/ticket-sealing.ts';

/** A policy, as far as it is known here. */
export interface ContextOwner {
  /** No two policies of a thread have the same. */
  readonly number: number;
  makeContext(certificate: Certificate, tickets: boolean): SecureContext;
}

interface Entry {
  readonly context: SecureContext;
  readonly policy: ContextOwner;
  readonly hash: string;
  readonly old: boolean;
}

/** Keeps contexts, the least recently used of which go when there are too many. */
export class ContextCache {
  capacity: number;
  /** Seals session tickets by keys that all threads share. */
  readonly sealing = new TicketSealing();
  readonly #entries = new Map<string, Entry>();
  #tickets = true;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get size(): number {
    return this.#entries.size;
  }

  /**
   * The context of a certificate under a policy, made if it is not there. Handshakes of TLS 1.2 have contexts of their
   * own (`old`), as their session tickets are sealed otherwise; see {@link TicketSealing}.
   */
  get(policy: ContextOwner, certificate: Certificate, old = false): SecureContext {
    const key = `${policy.number} ${certificate.hash}${old ? ' old' : ''}`;
    const there = this.#entries.get(key);
    if (there !== undefined) {
      // Re-inserted, it is the last to go.
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

  /** Drops the contexts of a certificate that was replaced. Connections keep theirs. */
  drop(hash: string): void {
    for (const [key, entry] of this.#entries) if (entry.hash === hash) this.#entries.delete(key);
  }

  /** Drops all contexts of a policy that is gone. */
  dropPolicy(policy: ContextOwner): void {
    for (const [key, entry] of this.#entries) if (entry.policy === policy) this.#entries.delete(key);
  }

  /** Whether clients get session tickets from now on. */
  useTickets(tickets: boolean): void {
    if (tickets === this.#tickets) return;
    this.#tickets = tickets;
    this.#entries.clear();
  }

  /** Session tickets are sealed by these keys from now on; see {@link TicketSealing.setKeys}. */
  setTicketKeys(keys: readonly Buffer[]): void {
    this.sealing.setKeys(keys);
    for (const { context, old } of this.#entries.values()) this.sealing.applyTo(context, old);
  }
}
