/** Leader election among the replicas, with a Kubernetes `Lease` (coordination.k8s.io/v1). Only the leader writes object status. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isObject, own, type Json, type Logger } from '@sluice/base';
import { ApiError, type KubeClient } from './client.ts';
import { pause } from './reflector.ts';

const defaultSeconds = 15;
/** Delay between lease renewals, and between attempts to acquire the lease, in milliseconds. */
const renewDelay = 5_000;

export interface LeaseOptions {
  readonly namespace: string;
  readonly name: string;
  /** Unique name of this replica, as the lease holder. */
  readonly identity: string;
  /** Lease duration in seconds. The lease expires unless it is renewed. Default: 15. */
  readonly seconds?: number;
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly renewTime?: string;
  readonly leaseDurationSeconds?: number;
  readonly leaseTransitions?: number;
}

interface LeaseParts {
  readonly metadata: Readonly<Record<string, Json>>;
  readonly spec: Readonly<Record<string, Json>>;
}

export class Election {
  readonly #client: KubeClient;
  readonly #options: LeaseOptions;
  readonly #log: Logger;
  readonly #path: string;
  readonly #seconds: number;
  /**
   * Last renewal by another replica, and the local time at which this replica observed it. Comparing remote times with local times would
   * fail, because node clocks differ.
   */
  #seen: { readonly renewTime: string; readonly at: number } = { renewTime: '', at: 0 };
  #isLeader = false;
  #renewedAt = 0;

  constructor(client: KubeClient, options: LeaseOptions, log: Logger) {
    this.#client = client;
    this.#options = options;
    this.#log = log;
    this.#seconds = options.seconds ?? defaultSeconds;
    this.#path = `/apis/coordination.k8s.io/v1/namespaces/${options.namespace}/leases`;
  }

  /** True while this replica holds the lease. Becomes false when the lease expires because renewals failed. */
  get isLeader(): boolean {
    return this.#isLeader && performance.now() - this.#renewedAt < this.#seconds * 1000 * 0.7;
  }

  /**
   * Participates in the election until `signal` is aborted, then releases the lease. Calls `onLead` each time this replica becomes the
   * leader.
   */
  async run(onLead: () => void, signal: AbortSignal, delay: number = renewDelay): Promise<void> {
    while (!signal.aborted) {
      try {
        const renewedAt = await this.#acquire(signal);
        // If the lease expired during the renewal, this replica has stopped writing status, so call `onLead` again.
        const was = this.isLeader;
        this.#isLeader = renewedAt !== null;
        if (renewedAt !== null) this.#renewedAt = renewedAt;
        if (this.isLeader && !was) {
          this.#log.info('elected as leader; this replica writes the status of objects', { lease: this.#options.name });
          onLead();
        }
      } catch (error) {
        if (!signal.aborted) this.#log.warn('failed to acquire or renew the leader election lease', { error });
      }
      await pause(delay, signal);
    }
    if (this.isLeader) await this.#release();
  }

  /** Acquires or renews the lease. Returns the time of the renewal, or `null` if another replica holds the lease. */
  async #acquire(signal: AbortSignal): Promise<number | null> {
    const path = `${this.#path}/${this.#options.name}`;
    let lease: Json;
    try {
      lease = await this.#client.json('GET', path, signal);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      return this.#put(
        'POST',
        this.#path,
        { metadata: { name: this.#options.name }, spec: { leaseTransitions: 0 } },
        signal,
      );
    }
    const spec = (isObject(lease) ? own(lease, 'spec') : undefined) as LeaseSpec | undefined;
    const metadata = isObject(lease) ? own(lease, 'metadata') : undefined;
    const version = isObject(metadata) ? own(metadata, 'resourceVersion') : undefined;
    const isOwn = spec?.holderIdentity === this.#options.identity;
    if (!isOwn && !this.#isExpired(spec ?? {})) return null;
    // Send the resource version, so that the API server rejects the request if another replica was faster.
    const named = { name: this.#options.name, resourceVersion: version as string };
    const leaseTransitions = (spec?.leaseTransitions ?? 0) + (isOwn ? 0 : 1);
    return this.#put('PUT', path, { metadata: named, spec: { leaseTransitions } }, signal);
  }

  #isExpired({ holderIdentity = '', renewTime = '', leaseDurationSeconds = this.#seconds }: LeaseSpec): boolean {
    if (holderIdentity === '') return true;
    if (renewTime !== this.#seen.renewTime) this.#seen = { renewTime, at: performance.now() };
    return performance.now() - this.#seen.at > leaseDurationSeconds * 1000;
  }

  async #put(
    method: string,
    path: string,
    { metadata, spec }: LeaseParts,
    signal: AbortSignal,
  ): Promise<number | null> {
    const started = performance.now();
    const now = new Date().toISOString().replace('Z', '000Z');
    const json: Json = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { ...metadata, namespace: this.#options.namespace },
      spec: {
        holderIdentity: this.#options.identity,
        leaseDurationSeconds: this.#seconds,
        acquireTime: now,
        renewTime: now,
        ...spec,
      },
    };
    try {
      await this.#client.json(method, path, signal, { type: 'application/json', json });
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) return null;
      throw error;
    }
    return started;
  }

  /** Releases the lease. Another replica can then become the leader immediately. */
  async #release(): Promise<void> {
    this.#isLeader = false;
    const path = `${this.#path}/${this.#options.name}`;
    const { signal } = new AbortController();
    try {
      await this.#client.mergePatch(path, { spec: { holderIdentity: '', leaseDurationSeconds: 1 } }, signal);
    } catch (error) {
      this.#log.warn('failed to release the leader election lease; other replicas wait until it expires', { error });
    }
  }
}

/**
 * Returns the options of the Lease that a setting names, or `null` for `none`.
 *
 * @param text `namespace/name` or `name`
 */
export function leaseOf(text: string, ownNamespace: string): LeaseOptions | null {
  if (text === 'none') return null;
  const [namespace, name] = text.includes('/') ? text.split('/') : [ownNamespace, text];
  return { namespace: namespace ?? '', name: name ?? '', identity: `${hostname()}_${randomUUID()}` };
}

export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else
      signal.addEventListener(
        'abort',
        () => {
          resolve();
        },
        { once: true },
      );
  });
}
