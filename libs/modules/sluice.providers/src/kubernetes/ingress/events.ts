/** Writes Kubernetes Events, which `kubectl describe ingress` shows. */
import { createHash } from 'node:crypto';
import { taskOf, unawaited, type Json, type Logger } from '@sluice/base';
import type { KubeClient } from '../api/client.ts';
import { keyOf } from '../objects.ts';
import type { Ingress } from './objects.ts';

/** Maximum number of queued Events. Additional Events are dropped, because they would delay the status of Ingresses. */
const maxWaiting = 1000;

export class EventWriter {
  readonly #client: KubeClient;
  readonly #log: Logger;
  readonly #signal: AbortSignal;
  /** Messages for which Events have been written, keyed by Ingress. */
  readonly #written = new Map<string, ReadonlySet<string>>();
  readonly #waiting: { readonly ingress: Ingress; readonly message: string }[] = [];
  #isWriting = false;

  constructor(client: KubeClient, log: Logger, signal: AbortSignal) {
    this.#client = client;
    this.#log = log;
    this.#signal = signal;
  }

  /** Writes Events for new warnings. If a warning disappears and reappears, its Event is written again. */
  warn(ingress: Ingress, messages: ReadonlySet<string>): void {
    const key = keyOf(ingress);
    const known = this.#written.get(key);
    if (messages.size === 0) this.#written.delete(key);
    else this.#written.set(key, messages);
    for (const message of messages)
      if (known?.has(message) !== true && this.#waiting.length < maxWaiting) this.#waiting.push({ ingress, message });
    if (!this.#isWriting && this.#waiting.length > 0) unawaited(taskOf('sluice.providers.ingress'), this.#writeAll());
  }

  forget(key: string): void {
    this.#written.delete(key);
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    for (let next = this.#waiting.shift(); next !== undefined && !this.#signal.aborted; next = this.#waiting.shift())
      await this.#write(next.ingress, next.message);
    this.#isWriting = false;
  }

  async #write(ingress: Ingress, message: string): Promise<void> {
    const { namespace = 'default' } = ingress.metadata;
    const path = `/api/v1/namespaces/${namespace}/events`;
    try {
      await this.#client.json('POST', path, this.#signal, {
        type: 'application/json',
        json: eventOf(ingress, message),
      });
    } catch (error) {
      if (!this.#signal.aborted)
        this.#log.warn('failed to create Kubernetes event', { ingress: keyOf(ingress), message, error });
    }
  }
}

function eventOf(ingress: Ingress, message: string): Json {
  const { name, namespace = 'default', uid, resourceVersion } = ingress.metadata;
  const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const suffix = createHash('sha256').update(`${now} ${message}`).digest('hex').slice(0, 16);
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name.slice(0, 200)}.${suffix}`, namespace },
    involvedObject: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      name,
      namespace,
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    type: 'Warning',
    reason: message.startsWith('refused') ? 'Refused' : 'NotSupported',
    message: message.slice(0, 1024),
    source: { component: 'sluice' },
    reportingComponent: 'sluice',
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  };
}
