/** Secrets and ConfigMaps that Ingresses reference. Each one is watched by name, so the provider needs no permission to read others. */
import type { KubeClient } from '../api/client.ts';
import { Reflector } from '../api/reflector.ts';
import { slim, type KubeObject } from '../objects.ts';

interface Entry {
  /** `undefined` if the object doesn't exist. `null` if it has not been read yet. */
  object: KubeObject | null | undefined;
  readonly stop: AbortController;
}

export interface NamedObjectEvents {
  /** Called after an object has been read or has changed. */
  readonly onChange: (key: string) => void;
  readonly onState: (key: string, error: unknown) => void;
}

export class NamedObjects {
  readonly #client: KubeClient;
  readonly #plural: string;
  readonly #events: NamedObjectEvents;
  readonly #entries = new Map<string, Entry>();

  constructor(client: KubeClient, plural: 'configmaps' | 'secrets', events: NamedObjectEvents) {
    this.#client = client;
    this.#plural = plural;
    this.#events = events;
  }

  get(key: string): KubeObject | null | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined ? null : entry.object;
  }

  /** Watches an object by name, unless it is already being watched. */
  watch(key: string, signal: AbortSignal): void {
    if (this.#entries.has(key)) return;
    const stop = new AbortController();
    const entry: Entry = { object: null, stop };
    this.#entries.set(key, entry);
    const [namespace = '', name = ''] = key.split('/');
    const settle = (): void => {
      if (entry.object !== null) return;
      entry.object = undefined;
      this.#events.onChange(key);
    };
    const selector = encodeURIComponent(`metadata.name=${name}`);
    const reflector = new Reflector<KubeObject>(this.#client, {
      path: `/api/v1/namespaces/${namespace}/${this.#plural}?fieldSelector=${selector}`,
      keep: slim,
      onChange: (_key, object) => {
        entry.object = object ?? undefined;
        this.#events.onChange(key);
      },
      onListed: settle,
      onState: (error) => {
        if (error !== null) settle();
        this.#events.onState(`${this.#plural} ${key}`, error);
      },
    });
    reflector.run(AbortSignal.any([signal, stop.signal]));
  }

  forget(key: string): void {
    this.#entries.get(key)?.stop.abort();
    this.#entries.delete(key);
    // Clear the error state of a watch that is no longer needed, so that the source is not reported as unavailable.
    this.#events.onState(`${this.#plural} ${key}`, null);
  }
}
