/** Changes of served certificates on their way to the threads: what comes in one turn, or in one batch, is sent together. */
import { guarded, taskOf } from '@sluice/base';
import type { ThreadBus } from '@sluice/threads';
import type { Certificate } from '../certificates/certificate.ts';
import { certificatesChanged } from '../certificates/messages.ts';

const task = taskOf('tls');

/** Collects changes and broadcasts them. */
export class CertificateChanges {
  readonly #bus: ThreadBus;
  #added: Certificate[] = [];
  #removed: string[] = [];
  /** Batches under way. */
  #batches = 0;

  constructor(bus: ThreadBus) {
    this.#bus = bus;
  }

  /** A certificate is served from now on; the threads hear of it at the end of this turn. */
  add(certificate: Certificate): void {
    this.#added.push(certificate);
    if (this.#added.length === 1 && this.#batches === 0) queueMicrotask(guarded(task, () => this.publish()));
  }

  /** Sends what a task adds when it has ended, or when someone cannot wait for that. Each message wakes every thread. */
  async batch(work: () => Promise<void>): Promise<void> {
    this.#batches++;
    try {
      await work();
    } finally {
      if (--this.#batches === 0) this.publish();
    }
  }

  /** A certificate is not served any more. Sent with the next one that is added, or by {@link publish}. */
  remove(hash: string): void {
    this.#removed.push(hash);
  }

  /** Sends what was collected. */
  publish(): void {
    if (this.#added.length === 0 && this.#removed.length === 0) return;
    const changes = { added: this.#added, removed: this.#removed };
    this.#added = [];
    this.#removed = [];
    this.#bus.broadcast(certificatesChanged, changes);
  }
}
