/**
 * Batches changes of served certificates for all threads. Changes of an event loop turn or of a task are sent together.
 */
import { guarded, taskOf } from '@sluice/base';
import type { ThreadBus } from '@sluice/threads';
import type { Certificate } from '../certificates/certificate.ts';
import { certificatesChanged } from '../certificates/messages.ts';

const task = taskOf('tls');

export class CertificateChanges {
  readonly #bus: ThreadBus;
  #added: Certificate[] = [];
  #removed: string[] = [];
  /** Number of tasks in progress. */
  #batches = 0;

  constructor(bus: ThreadBus) {
    this.#bus = bus;
  }

  /** Adds a served certificate. Threads are notified at the end of the event loop turn. */
  add(certificate: Certificate): void {
    this.#added.push(certificate);
    if (this.#added.length === 1 && this.#batches === 0) queueMicrotask(guarded(task, () => this.publish()));
  }

  /**
   * Sends the changes of a task together when it completes, because each message wakes every thread. {@link publish}
   * sends them earlier.
   */
  async batch(work: () => Promise<void>): Promise<void> {
    this.#batches++;
    try {
      await work();
    } finally {
      if (--this.#batches === 0) this.publish();
    }
  }

  /** Removes a served certificate. The change is sent with the next added one, or by {@link publish}. */
  remove(hash: string): void {
    this.#removed.push(hash);
  }

  /** Sends pending changes. */
  publish(): void {
    if (this.#added.length === 0 && this.#removed.length === 0) return;
    const changes = { added: this.#added, removed: this.#removed };
    this.#added = [];
    this.#removed = [];
    this.#bus.broadcast(certificatesChanged, changes);
  }
}
