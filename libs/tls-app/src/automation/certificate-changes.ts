/** Changes of served certificates on their way to the threads: what comes in one turn is sent together. */
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

  constructor(bus: ThreadBus) {
    this.#bus = bus;
  }

  /** A certificate is served from now on; the threads hear of it at the end of this turn. */
  add(certificate: Certificate): void {
    this.#added.push(certificate);
    if (this.#added.length === 1) queueMicrotask(guarded(task, () => this.publish()));
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
