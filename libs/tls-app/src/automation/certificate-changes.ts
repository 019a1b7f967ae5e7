/** Batches changes to served certificates for all threads. Changes within one event loop turn or task are sent in a single message. */
import { guarded, taskOf } from '@sluice/base';
import type { ThreadBus } from '@sluice/threads';
import type { Certificate } from '../certificates/certificate.ts';
import { certificatesChanged } from '../certificates/messages.ts';

const task = taskOf('tls');

export class CertificateChanges {
  readonly #bus: ThreadBus;
  #added: Certificate[] = [];
  #removed: string[] = [];
  /** Number of batch tasks in progress. */
  #batches = 0;

  constructor(bus: ThreadBus) {
    this.#bus = bus;
  }

  /** Adds a served certificate. Other threads are notified at the end of the event loop turn. */
  add(certificate: Certificate): void {
    this.#added.push(certificate);
    if (this.#added.length === 1 && this.#batches === 0) queueMicrotask(guarded(task, () => this.publish()));
  }

  /**
   * Sends all changes made by a task in one message when the task completes, because each message wakes every thread. The task can call
   * {@link publish} to send the changes earlier.
   */
  async batch(work: () => Promise<void>): Promise<void> {
    this.#batches++;
    try {
      await work();
    } finally {
      if (--this.#batches === 0) this.publish();
    }
  }

  /** Removes a served certificate. The change is sent with the next addition, or by {@link publish}. */
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
