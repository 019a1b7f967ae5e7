/**
 * Announces a fleet member in the store. The member leases its name while it runs, and writes its state shortly after each change. Serving
 * requests does not depend on the store.
 */
import { guarded, messageOf, taskOf, unawaited, type Json, type Logger } from '@sluice/base';
import { claimMark } from '../member-list/member-list.ts';
import type { FleetStore, StoreLease } from '../store.ts';
import type { MemberEnvironment } from '../environment.ts';

const task = taskOf('sluice.fleet');

/**
 * `lease` is the lease duration in seconds. The other values are intervals in milliseconds: between attempts, between writes, and between
 * checks for operator requests.
 */
const times = { lease: 6, again: 1000, write: 250, orders: 2000 };

export interface PresenceOptions {
  readonly store: FleetStore;
  readonly name: string;
  /** ID that distinguishes machines with the same member name. */
  readonly instance: string;
  /** Properties that never change while the member runs. */
  readonly about: Json;
  /** Callback that runs before the member becomes visible to others. */
  readonly before?: () => Promise<void>;
  readonly state: () => Json;
  readonly environment: MemberEnvironment;
  readonly log: Logger;
}

/** Leases the name of a fleet member and publishes its state. */
export class Presence {
  /** True if an operator has requested that this member stop serving new clients. */
  isDrained = false;
  /** True if another machine has leased the member name. */
  isTaken = false;
  readonly #options: PresenceOptions;
  #lease: StoreLease | null = null;
  /** Lease of a claim, which the member publishes while another machine has leased its name. */
  #claim: StoreLease | null = null;
  #takenAt: number | null = null;
  #pending = false;
  #writing = false;
  #closed = false;

  constructor(options: PresenceOptions) {
    this.#options = options;
  }

  /** Lease of the member name. `null` if the name is not leased. */
  get lease(): StoreLease | null {
    return this.#lease;
  }

  start(): void {
    unawaited(task, this.#take());
    this.#look();
  }

  /** Schedules a write of the state after a change. */
  changed(): void {
    if (this.#pending || this.#closed) return;
    this.#pending = true;
    if (!this.#writing) unawaited(task, this.#write());
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#lease?.release(), this.#claim?.release()]);
  }

  async #take(): Promise<void> {
    const { store, name, about, log, before } = this.#options;
    if (this.#closed) return;
    try {
      await before?.();
      const lease = await store.lease(`member/${name}`, JSON.stringify(about), times.lease);
      if (lease === null && !this.isTaken)
        log.warn('member name is still leased, probably by a previous instance; waiting for the lease to expire', {
          name,
        });
      this.isTaken = lease === null;
      this.#lease = lease;
      await this.#showClaim();
      if (this.#closed) await lease?.release();
      else if (lease !== null) {
        lease.lost.addEventListener(
          'abort',
          guarded(task, () => this.#lose(lease)),
          { once: true },
        );
        this.changed();
        return;
      }
    } catch (error) {
      log.debug('failed to lease member name', { error: messageOf(error) });
    }
    this.#later(times.again, () => unawaited(task, this.#take()));
  }

  /**
   * Publishes a claim: this machine uses a name that is already leased. If a previous instance holds the lease, the lease will expire. If
   * the name stays leased, another machine uses it.
   */
  async #showClaim(): Promise<void> {
    const { store, name, instance, about, environment, log } = this.#options;
    if (!this.isTaken) {
      this.#takenAt = null;
      await this.#claim?.release();
      this.#claim = null;
      return;
    }
    this.#takenAt ??= environment.now();
    if (environment.now() - this.#takenAt < times.lease * 1500 || this.#claim?.lost.aborted === false) return;
    if (this.#claim === null)
      log.error('another machine uses this member name; give each machine a unique name with --fleet-member', { name });
    this.#claim = await store.lease(`member/${name}${claimMark}${instance}`, JSON.stringify(about), times.lease);
    if (this.#closed) await this.#claim?.release();
  }

  #lose(lease: StoreLease): void {
    if (this.#lease !== lease) return;
    this.#lease = null;
    unawaited(task, this.#take());
  }

  async #write(): Promise<void> {
    const { store, name, state, log } = this.#options;
    this.#writing = true;
    this.#pending = false;
    const lease = this.#lease;
    try {
      const write = { key: `status/${name}`, value: JSON.stringify(state()), bound: true };
      if (lease !== null && !(await store.transaction(lease, [write]))) {
        await lease.release();
        this.#lose(lease);
      }
    } catch (error) {
      this.#pending = true;
      log.debug('failed to report member state', { error: messageOf(error) });
    }
    this.#later(times.write, () => {
      this.#writing = false;
      if (this.#pending) {
        this.#pending = false;
        this.changed();
      }
    });
  }

  /** Checks for operator requests to this member. */
  #look(): void {
    const { store, name, log } = this.#options;
    const look = async (): Promise<void> => {
      try {
        const isDrained = (await store.values(`drain/${name}`)).has(`drain/${name}`);
        if (isDrained !== this.isDrained) {
          this.isDrained = isDrained;
          log.info(isDrained ? 'draining: reporting not ready' : 'stopped draining: reporting ready');
          this.changed();
        }
      } catch {
        // Ignore the error: the store is unavailable, which is reported elsewhere.
      }
      this.#later(times.orders, () => this.#look());
    };
    unawaited(task, look());
  }

  #later(milliseconds: number, run: () => void): void {
    if (!this.#closed) this.#options.environment.after(milliseconds, run);
  }
}
