/**
 * Pool of traffic threads, which prepare and commit configuration changes together. A thread that dies is replaced while the other threads
 * continue to serve. The new thread joins with the active document when no change is in progress. A spawner creates the threads.
 */
import {
  guarded,
  taskOf,
  unawaited,
  type Json,
  messageOf,
  SluiceError,
  type Logger,
  within,
  itemAt,
} from '@sluice/base';
import { setTimeout as sleep } from 'node:timers/promises';
import { applyOperations, type Transition, type TrafficThreads } from '@sluice/reconciler';
import { BackOff, type BackOffLimits } from './back-off.ts';
import { threadExited } from './channel.ts';
import type { ControlBus } from './control-bus.ts';
import { protocol, type PrepareRequest, type ShareRequest } from './protocol.ts';
import { isGone, prepareWatched, type ProvisionPulse } from './provision-watch.ts';
import type { Member, SpawnedThread } from './spawned-thread.ts';

/** Starts a thread. `thread` is a number from 1 to the size of the pool. */
export type Spawn = (thread: number) => SpawnedThread;

/** Timeouts for monitoring event loops, in milliseconds. */
export interface Pulse {
  /** Interval of pings. */
  readonly every: number;
  /** Ping response time after which another thread accepts connections on behalf of the unresponsive thread. */
  readonly silent: number;
  /** Ping response time after which a serving thread is terminated. */
  readonly timeout: number;
  /**
   * Ping response time after which a thread that is still loading its code is terminated. `provision-watch.ts` monitors threads that
   * prepare a change.
   */
  readonly atWork: number;
}

/** A thread exited, or its replacement started serving. `after` is the time until the replacement started serving, in milliseconds. */
export type ThreadChange =
  | { readonly name: 'worker_exited'; readonly worker: number; readonly reason: string }
  | { readonly name: 'worker_replaced'; readonly worker: number; readonly after: number };

export interface TrafficPoolOptions {
  /** Number of threads, at least 1. */
  readonly size: number;
  readonly spawn: Spawn;
  readonly bus: ControlBus;
  readonly log: Logger;
  /** Runs a task while no configuration change is in progress; see `Reconciler.exclusive`. */
  readonly exclusive: <T>(task: () => Promise<T>) => Promise<T>;
  /**
   * Called after a thread has exited and before its number is reused, to repair shared memory. `by` is a thread that can stand in for the
   * exited thread, or -1.
   */
  readonly onExit?: (thread: number, by: number) => void;
  /** Called when a thread's event loop is blocked. `by` is a thread that can stand in for the blocked thread. */
  readonly onSilent?: (thread: number, by: number) => void;
  /** Called when a blocked event loop has become responsive again. */
  readonly onReacts?: (thread: number) => void;
  /** Called when a thread has exited unexpectedly, and when its replacement starts serving. */
  readonly onChange?: (change: ThreadChange) => void;
  readonly backOff?: BackOffLimits;
  readonly pulse?: Pulse;
  /**
   * Ping settings for a thread that provisions a configuration. By default, the thread is pinged every second and terminated after 5 s
   * without a response.
   */
  readonly provisionPulse?: ProvisionPulse;
}

/** Maximum time to wait for a thread to terminate, in milliseconds. The timeout is needed because native code cannot be interrupted. */
const terminationTimeout = 3000;

const task = taskOf('threads');
const defaultPulse: Pulse = { every: 1000, silent: 1000, timeout: 5000, atWork: 30_000 };
const defaultProvisionPulse: ProvisionPulse = { every: 1000, timeout: 5000 };

/** Runs and monitors the traffic threads. */
export class TrafficPool implements TrafficThreads {
  readonly #options: TrafficPoolOptions;
  readonly #pulse: Pulse;
  /** Threads that use the active document or take part in the change that creates it. */
  readonly #members = new Set<Member>();
  /** Threads that replaced dead threads while the current change was being prepared. They start serving after the commit. */
  readonly #joining = new Set<Member>();
  /** All running threads, including those that have not joined yet. */
  readonly #running = new Set<Member>();
  readonly #backOffs: readonly BackOff[];
  readonly #stopped = new AbortController();
  #document: Json = null;
  #joins = 0;
  /** Number of pings since the last termination of an unresponsive thread. */
  #sinceEnded = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: TrafficPoolOptions) {
    this.#options = options;
    this.#pulse = options.pulse ?? defaultPulse;
    this.#backOffs = Array.from({ length: options.size }, () => new BackOff(options.backOff));
  }

  /** Number of threads that are serving the active document. */
  get serving(): number {
    return this.#members.size;
  }

  /** Starts all threads. Once its code is loaded, each thread takes part in the first change. */
  start(): void {
    for (let thread = 1; thread <= this.#options.size; thread++) this.#members.add(this.#launch(thread));
    this.#timer = setInterval(
      guarded(task, () => this.#checkPulse()),
      this.#pulse.every,
    );
    this.#timer.unref();
  }

  /**
   * Prepares a change in one thread, and then in the remaining threads in parallel. A module that crashes its thread or loops endlessly
   * therefore affects only one thread.
   *
   * If no configuration is active yet, all threads prepare in parallel.
   */
  async prepare({ sequence, operations, force, took, canary = null }: Transition): Promise<void> {
    const request: PrepareRequest = { sequence, force, change: { operations: JSON.stringify(operations) }, canary };
    const members = [...this.#members];
    const first = this.#document === null ? undefined : members.shift();
    const prepareElsewhere = (thread: number): Promise<void> =>
      this.#prepareAgain(sequence, applyOperations(this.#document, operations), thread);
    if (first !== undefined) await this.#prepareFirst(first, request, took, prepareElsewhere);
    const results = await Promise.allSettled(members.map((member) => this.#prepareIn(member, request, took)));
    const failures = results.filter((result) => result.status === 'rejected').map((result) => result.reason as Error);
    const refusal = failures.find((error) => !isGone(error));
    if (refusal !== undefined) throw refusal;
    // Skip threads that died. If no thread survived, test the change in a new thread before accepting it.
    if (first === undefined && failures.length === results.length) await prepareElsewhere(1);
  }

  /**
   * Prepares the change in the first thread. If that thread exits for an unrelated reason, prepares the change in a new thread. Rejects
   * if the change fails.
   */
  async #prepareFirst(
    member: Member,
    request: PrepareRequest,
    took: number | undefined,
    prepareElsewhere: (thread: number) => Promise<void>,
  ): Promise<void> {
    try {
      await this.#prepareIn(member, request, took);
    } catch (error) {
      if (!isGone(error)) throw error;
      await prepareElsewhere(member.thread);
    }
  }

  async #prepareIn(member: Member, request: PrepareRequest, took = 0): Promise<void> {
    const { thread, spawned } = member;
    const { every, timeout } = this.#options.provisionPulse ?? defaultProvisionPulse;
    // Large configurations take longer to prepare. The timeout is at least ten times the duration in the control thread.
    const limit = Math.max(member.loaded ? timeout : this.#pulse.atWork, 10 * took);
    member.preparing++;
    try {
      await prepareWatched({ thread, spawned, request, pulse: { every, timeout: limit }, log: this.#options.log });
      member.loaded = true;
    } finally {
      member.preparing--;
    }
  }

  async commit(sequence: number): Promise<void> {
    const joining = [...this.#joining];
    this.#joining.clear();
    for (const member of joining) if (this.#running.has(member)) this.#members.add(member);
    await Promise.all([...this.#members].map((member) => this.#commitMember(member, sequence)));
    for (const member of joining) if (this.#members.has(member)) this.#joined(member);
  }

  async abort(sequence: number): Promise<void> {
    const joining = [...this.#joining];
    this.#joining.clear();
    const asked = [...this.#members, ...joining].map((member) => member.spawned.channel.ask(protocol.abort, sequence));
    for (const member of joining) unawaited(task, this.#admit(member));
    for (const result of await Promise.allSettled(asked)) {
      if (result.status === 'rejected' && !isGone(result.reason)) {
        this.#options.log.error('worker failed to release a rejected configuration', {
          error: result.reason as unknown,
        });
      }
    }
  }

  async share(id: string, share: number): Promise<void> {
    const request: ShareRequest = { id, share };
    // Ignore failures. A thread that has exited serves no requests, and its replacement starts without the canary.
    await Promise.allSettled([...this.#running].map(({ spawned }) => spawned.channel.ask(protocol.share, request)));
  }

  joined(document: Json): void {
    this.#document = document;
  }

  /**
   * Lets all serving threads complete their requests and exit. Terminates threads that are still running after `timeout` milliseconds.
   *
   * If there is no timeout, only threads with a blocked event loop are terminated.
   */
  async stop(timeout: number = Number.POSITIVE_INFINITY): Promise<void> {
    this.#stopped.abort();
    await within(Promise.all([...this.#members].map((member) => this.#stopMember(member))), timeout);
    if (this.#timer !== null) clearInterval(this.#timer);
    await within(Promise.all([...this.#running].map((member) => member.spawned.terminate())), terminationTimeout);
  }

  #launch(thread: number): Member {
    const spawned = this.#options.spawn(thread);
    const member: Member = {
      thread,
      spawned,
      startedAt: performance.now(),
      unanswered: -1,
      loaded: false,
      preparing: 0,
      silent: false,
      ended: false,
    };
    this.#running.add(member);
    this.#options.bus.attach(thread, spawned.channel);
    unawaited(
      task,
      spawned.gone.then((reason) => this.#lose(member, reason)),
    );
    return member;
  }

  #lose(member: Member, reason: string): void {
    const { thread, spawned } = member;
    this.#members.delete(member);
    this.#joining.delete(member);
    this.#running.delete(member);
    this.#options.bus.detach(thread);
    spawned.channel.close(`worker ${thread} exited: ${reason}`);
    this.#options.onExit?.(thread, this.#standIn(member));
    if (this.#stopped.signal.aborted) return;
    const delay = itemAt(this.#backOffs, thread - 1).next(performance.now() - member.startedAt);
    this.#options.log.error('worker exited; replacing it', { worker: thread, reason, delay_ms: delay });
    this.#options.onChange?.({ name: 'worker_exited', worker: thread, reason });
    unawaited(task, this.#replace(thread, delay));
  }

  async #replace(thread: number, delay: number): Promise<void> {
    try {
      await sleep(delay, null, { signal: this.#stopped.signal, ref: false });
    } catch {
      return;
    }
    if (!this.#runs(thread)) await this.#admit(this.#launch(thread));
  }

  /** Waits until a new thread has loaded its code and no change is in progress, and adds it to the pool. */
  async #admit(member: Member): Promise<void> {
    try {
      await member.spawned.channel.ask(protocol.ping, null);
      await this.#options.exclusive(() => this.#unlessStopped(this.#join(member)));
    } catch (error) {
      if (isGone(error) || this.#stopped.signal.aborted) return;
      this.#options.log.error('new worker failed to load the configuration', { worker: member.thread, error });
      await member.spawned.terminate();
    }
  }

  /** Waits for a task until {@link stop} is called. A provision that hangs must not prevent the server from stopping. */
  async #unlessStopped(task: Promise<void>): Promise<void> {
    const { promise: stopped, resolve } = Promise.withResolvers<void>();
    this.#stopped.signal.addEventListener('abort', () => resolve(), { once: true });
    await Promise.race([task, stopped]);
  }

  /** Sends the active document to a new thread. Must run while no change is in progress. */
  async #join(member: Member): Promise<void> {
    if (this.#stopped.signal.aborted || !this.#running.has(member) || this.#members.has(member)) return;
    const sequence = -++this.#joins;
    await this.#prepareWhole(member, sequence, this.#document);
    await member.spawned.channel.ask(protocol.commit, sequence);
    this.#members.add(member);
    this.#joined(member);
  }

  #joined(member: Member): void {
    const after = Math.round(performance.now() - member.startedAt);
    this.#options.log.info('new worker is serving', { worker: member.thread, after_ms: after });
    this.#options.onChange?.({ name: 'worker_replaced', worker: member.thread, after });
  }

  /** Prepares a change again in a new or starting thread after other threads have exited. If this thread exits too, the change is rejected. */
  async #prepareAgain(sequence: number, document: Json, thread: number): Promise<void> {
    if (this.#stopped.signal.aborted) throw new SluiceError(threadExited, 'the server is stopping');
    const starting = [...this.#running].find((member) => !this.#members.has(member));
    const member = starting ?? this.#launch(thread);
    try {
      await this.#prepareWhole(member, sequence, document);
    } catch (error) {
      if (isGone(error)) {
        const message = `workers exited while provisioning the configuration; nothing was changed: ${messageOf(error)}`;
        throw new SluiceError('ERR_WORKER_DIED', message, { cause: error });
      }
      if (starting === undefined) unawaited(task, this.#admit(member));
      throw error;
    }
    this.#joining.add(member);
  }

  async #prepareWhole(member: Member, sequence: number, document: Json): Promise<void> {
    await this.#prepareIn(member, {
      sequence,
      force: false,
      change: { document: JSON.stringify(document) },
      canary: null,
    });
  }

  #runs(thread: number): boolean {
    for (const member of this.#running) if (member.thread === thread) return true;
    return false;
  }

  /** Commits a change in one thread. A thread that fails to commit is out of sync, so it is terminated and replaced. */
  async #commitMember(member: Member, sequence: number): Promise<void> {
    try {
      await member.spawned.channel.ask(protocol.commit, sequence);
    } catch (error) {
      if (isGone(error)) return;
      this.#options.log.error('worker failed to load the configuration', { worker: member.thread, error });
      await member.spawned.terminate();
    }
  }

  async #stopMember({ thread, spawned }: Member): Promise<void> {
    try {
      await spawned.channel.ask(protocol.stop, null);
    } catch (error) {
      if (!isGone(error)) this.#options.log.error('worker failed to stop', { worker: thread, error });
    }
  }

  /**
   * Terminates threads with a blocked event loop. Such a thread would delay every change, as well as its share of the connections.
   *
   * Counts pings instead of elapsed time. Otherwise, resuming a suspended process would terminate its workers.
   */
  #checkPulse(): void {
    this.#sinceEnded++;
    for (const member of this.#running) {
      if (member.unanswered < 0) unawaited(task, this.#ping(member));
      else {
        member.unanswered++;
        this.#checkSilent(member);
      }
    }
  }

  #checkSilent(member: Member): void {
    const { every, silent, timeout, atWork } = this.#pulse;
    const since = member.unanswered * every;
    const by = since >= silent && !member.silent && this.#members.has(member) ? this.#standIn(member) : -1;
    if (by >= 0) {
      member.silent = true;
      this.#options.onSilent?.(member.thread, by);
    }
    if (member.ended || member.preparing > 0) return;
    if (since < (member.loaded ? timeout : atWork) || !this.#mayEnd(member)) return;
    this.#sinceEnded = 0;
    member.ended = true;
    this.#options.log.error('worker is unresponsive; terminating it', { worker: member.thread, silent_ms: since });
    unawaited(task, member.spawned.terminate());
  }

  /**
   * Reports whether a thread may be terminated. Threads are terminated one at a time, so a problem that blocks all threads does not stop
   * the service. The next thread is terminated only after the previous one has been replaced. This wait is limited, because a replacement
   * may be waiting for a change that a blocked thread delays.
   */
  #mayEnd(member: Member): boolean {
    let serving = 0;
    for (const { ended } of this.#members) if (!ended) serving++;
    return (
      serving === this.#options.size ||
      !this.#members.has(member) ||
      this.#sinceEnded * this.#pulse.every >= this.#pulse.timeout
    );
  }

  /** Returns the number of another thread that serves traffic and is responsive, or -1. */
  #standIn(other: Member): number {
    for (const member of this.#members) if (member !== other && member.unanswered <= 0) return member.thread;
    return -1;
  }

  async #ping(member: Member): Promise<void> {
    member.unanswered = 0;
    try {
      await member.spawned.channel.ask(protocol.ping, null);
      member.unanswered = -1;
      member.loaded = true;
      if (!member.silent) return;
      member.silent = false;
      this.#options.onReacts?.(member.thread);
    } catch {
      // Ignore the error: the thread has already exited.
    }
  }
}
