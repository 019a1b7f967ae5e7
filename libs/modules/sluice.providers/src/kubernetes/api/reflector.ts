/** Maintains a copy of all Kubernetes objects of one kind, with a list request followed by a watch. */
import { setTimeout as sleep } from 'node:timers/promises';
import { taskOf, unawaited } from '@sluice/base';
import { keyOf, type KubeObject } from '../objects.ts';
import { ApiError, type KubeClient, type WatchEvent } from './client.ts';

/** Initial and maximum delay after failures, in milliseconds. The delay doubles after each failure, and random jitter is added. */
const firstDelay = 200;
const maxDelay = 30_000;
/** Time after which an open watch counts as successful and resets the retry delay, in milliseconds. */
const stableTime = 1_000;

export interface Reflected<T extends KubeObject> {
  /** API path of the collection, with an optional query. */
  readonly path: string;
  /** Returns the parts of an object that are kept in memory. */
  readonly keep: (object: KubeObject) => T;
  /** Called for each object that was added, changed or removed. */
  readonly onChange: (key: string, object: T | null, previous: T | null) => void;
  /** Called with an error after repeated failures, and with `null` after recovery. */
  readonly onState: (error: unknown) => void;
  /**
   * True if the cluster may lack this kind or deny access to it. The provider then starts without objects of this kind, and tries again
   * later.
   */
  readonly isOptional?: boolean;
  /** Called after each complete list request. */
  readonly onListed?: () => void;
}

export class Reflector<T extends KubeObject> {
  readonly objects = new Map<string, T>();
  readonly #client: KubeClient;
  readonly #options: Reflected<T>;

  constructor(client: KubeClient, options: Reflected<T>) {
    this.#client = client;
    this.#options = options;
  }

  /** Lists the objects once. Rejects if the API server doesn't respond, or denies access to a required kind. */
  async start(signal: AbortSignal): Promise<void> {
    const version = await this.#list(signal).catch((error: unknown) => {
      if (this.#options.isOptional === true && isUnavailable(error)) return null;
      throw error;
    });
    unawaited(taskOf('sluice.providers.kubernetes'), this.#follow(version, signal));
  }

  /** Starts the list and watch loop, without waiting for the first list. */
  run(signal: AbortSignal): void {
    unawaited(taskOf('sluice.providers.kubernetes'), this.#follow(null, signal));
  }

  async #follow(listed: string | null, signal: AbortSignal): Promise<void> {
    let version = listed;
    let delay = firstDelay;
    let failures = 0;
    let opened = Infinity;
    const onOpen = (): void => {
      failures = 0;
      opened = performance.now();
      this.#options.onState(null);
    };
    const onEvent = ({ type, object }: WatchEvent): void => {
      version = object.metadata.resourceVersion ?? version;
      delay = firstDelay;
      if (type !== 'BOOKMARK') this.#set(keyOf(object), type === 'DELETED' ? null : this.#options.keep(object));
    };
    while (!signal.aborted) {
      opened = Infinity;
      try {
        version ??= await this.#list(signal);
        await this.#client.watch(this.#options.path, version, { onOpen, onEvent }, signal);
        if (performance.now() - opened > delay) continue;
      } catch (error) {
        if (signal.aborted) return;
        // Status 410: the resource version is no longer in the API server's history.
        if (error instanceof ApiError && (error.status === 410 || error.status === 404)) version = null;
        // Report only repeated failures, because broken connections are common and the next attempt usually succeeds.
        if (this.#options.isOptional === true && isMissing(error)) onOpen();
        else if (++failures > 1) this.#options.onState(error);
      }
      if (performance.now() - opened > stableTime) delay = firstDelay;
      await pause(delay * (0.5 + Math.random()), signal);
      delay = Math.min(2 * delay, maxDelay);
    }
  }

  /** Replaces the copy with the result of a new list request. Returns the resource version of the list. */
  async #list(signal: AbortSignal): Promise<string> {
    const listed = new Set<string>();
    const found: T[] = [];
    const keep = (object: KubeObject): unknown => found.push(this.#options.keep(object));
    const version = await this.#client.list(this.#options.path, keep, signal);
    for (const object of found) {
      const key = keyOf(object);
      listed.add(key);
      if (this.objects.get(key)?.metadata.resourceVersion !== object.metadata.resourceVersion) this.#set(key, object);
    }
    for (const key of this.objects.keys()) if (!listed.has(key)) this.#set(key, null);
    this.#options.onListed?.();
    return version;
  }

  #set(key: string, object: T | null): void {
    const previous = this.objects.get(key) ?? null;
    if (object === null) this.objects.delete(key);
    else this.objects.set(key, object);
    if (object !== null || previous !== null) this.#options.onChange(key, object, previous);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Reports whether an error means that the cluster lacks a kind, or that the service account may not read it. */
function isUnavailable(error: unknown): boolean {
  return isMissing(error) || (error instanceof ApiError && error.status === 403);
}

export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, null, { signal, ref: false }).catch(() => null);
}
