/**
 * The traffic threads as one. They prepare together and commit together; one that dies is replaced while the others
 * serve, and joins with the document in force when no change is under way. How a thread is made is the spawner's business.
 */
import { guarded, taskOf, unawaited, type Json, messageOf, SluiceError, type Logger, within } from '@sluice/base';
import { setTimeout as sleep } from 'node:timers/promises';
import { applyOperations, type Transition, type TrafficThreads } from '@sluice/reconciler';
import { BackOff, type BackOffLimits } from './back-off.ts';
import { threadGone } from './channel.ts';
import type { ControlBus } from './control-bus.ts';
import { protocol, type PrepareRequest } from './protocol.ts';
import { isGone, prepareWatched, type ProvisionPulse } from './provision-watch.ts';
import type { Member, SpawnedThread } from './spawned-thread.ts';

/** Starts the thread of a number from 1 to the size of the pool. */
export type Spawn = (thread: number) => SpawnedThread;

/** Supervision of event loops. Times in milliseconds. */
export interface Pulse {
  /** How often threads are asked whether their event loop turns. */
  readonly every: number;
  /** After this long without a response another thread accepts connections for the silent one. */
  readonly silent: number;
  /** After this long a thread that serves is ended. */
  readonly patience: number;
  /** The same for a thread that loads its code. One that prepares a change is watched by `provision-watch.ts`. */
  readonly atWork: number;
}

/** A thread that ended, and its replacement. `after` is how long that took to serve, in milliseconds. */
export type ThreadChange =
  | { readonly name: 'worker_exited'; readonly worker: number; readonly reason: string }
  | { readonly name: 'worker_replaced'; readonly worker: number; readonly after: number };

/** What a pool is made of. */
export interface TrafficPoolOptions {
  /** How many threads; at least 1. */
  readonly size: number;
  readonly spawn: Spawn;
  readonly bus: ControlBus;
  readonly log: Logger;
  /** Runs a task while no change is under way: `Reconciler.exclusive`. */
  readonly exclusive: <T>(task: () => Promise<T>) => Promise<T>;
  /**
   * Called when a thread is gone and before its number is used again, to repair shared memory. `by` is a thread that can
   * stand in for it, -1 if there is none.
   */
  readonly onGone?: (thread: number, by: number) => void;
  /** Called when the event loop of a thread does not turn, and `by` can stand in for it. */
  readonly onSilent?: (thread: number, by: number) => void;
  /** Called when the event loop of a silent thread turns again. */
  readonly onReacts?: (thread: number) => void;
  /** Told when a thread is gone that should not be, and when another one has taken its place. */
  readonly onChange?: (change: ThreadChange) => void;
  readonly backOff?: BackOffLimits;
  readonly pulse?: Pulse;
  /** The pulse of a thread that provisions a configuration. Default: each second, ended after 5 s. */
  readonly provisionPulse?: ProvisionPulse;
}

/** Longest that a thread may take to end that is ended at once, in milliseconds: native code cannot be interrupted. */
const endPatience = 3000;

const task = taskOf('threads');
const defaultPulse: Pulse = { every: 1000, silent: 1000, patience: 5000, atWork: 30_000 };
const defaultProvisionPulse: ProvisionPulse = { every: 1000, patience: 5000 };

/** Runs and supervises traffic threads. */
export class TrafficPool implements TrafficThreads {
  readonly #options: TrafficPoolOptions;
  readonly #pulse: Pulse;
  /** Threads that have the document in force, or take part in the transition that brings it. */
  readonly #members = new Set<Member>();
  /** Threads that prepared the current change instead of one that died. They serve when it is committed. */
  readonly #joining = new Set<Member>();
  /** All that run, those that have not joined included. */
  readonly #running = new Set<Member>();
  readonly #backOffs: readonly BackOff[];
  readonly #stopped = new AbortController();
  #document: Json = null;
  #joins = 0;
  /** Pulses since the last thread was ended for its silence. */
  #sinceEnded = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: TrafficPoolOptions) {
    this.#options = options;
    this.#pulse = options.pulse ?? defaultPulse;
    this.#backOffs = Array.from({ length: options.size }, () => new BackOff(options.backOff));
  }

  /** How many threads serve the document in force. */
  get serving(): number {
    return this.#members.size;
  }

  /** Starts all threads. They take part in the first transition at once; it reaches them when they have loaded. */
  start(): void {
    for (let thread = 1; thread <= this.#options.size; thread++) this.#members.add(this.#launch(thread));
    this.#timer = setInterval(
      guarded(task, () => this.#checkPulse()),
      this.#pulse.every,
    );
    this.#timer.unref();
  }

  /**
   * One thread first, then the others at once: a module that ends its thread, or loops, takes one of those that serve and not all. While
   * nothing is served, all begin at once.
   */
  async prepare({ sequence, operations, force, took }: Transition): Promise<void> {
    const request: PrepareRequest = { sequence, force, change: { operations } };
    const members = [...this.#members];
    const first = this.#document === null ? undefined : members.shift();
    const survived = first === undefined ? false : await this.#prepareFirst(first, request, took);
    const results = await Promise.allSettled(members.map((member) => this.#prepareIn(member, request, took)));
    const failures = results.filter((result) => result.status === 'rejected').map((result) => result.reason as Error);
    const refusal = failures.find((error) => !isGone(error));
    if (refusal !== undefined) throw refusal;
    // A thread that died takes no part; if that leaves none, the change is shown to a new one before it is believed.
    if (!survived && failures.length === results.length)
      await this.#prepareAgain(sequence, applyOperations(this.#document, operations), 1);
  }

  /** Returns whether a thread has the change prepared: the first one or, if that died without reason of its own, a new one. */
  async #prepareFirst(member: Member, request: PrepareRequest, took: number | undefined): Promise<boolean> {
    try {
      await this.#prepareIn(member, request, took);
    } catch (error) {
      if (!isGone(error) || !('operations' in request.change)) throw error;
      await this.#prepareAgain(
        request.sequence,
        applyOperations(this.#document, request.change.operations),
        member.thread,
      );
    }
    return true;
  }

  async #prepareIn(member: Member, request: PrepareRequest, took = 0): Promise<void> {
    const { thread, spawned } = member;
    const { every, patience } = this.#options.provisionPulse ?? defaultProvisionPulse;
    // A large configuration takes its time: the measure is ten times what the control thread needed.
    const limit = Math.max(member.loaded ? patience : this.#pulse.atWork, 10 * took);
    member.preparing++;
    try {
      await prepareWatched({ thread, spawned, request, pulse: { every, patience: limit }, log: this.#options.log });
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

  joined(document: Json): void {
    this.#document = document;
  }

  /**
   * Lets every thread that serves finish its requests and end. After `patience` milliseconds it is ended at once; without
   * a limit it is when its event loop does not turn.
   */
  async stop(patience: number = Number.POSITIVE_INFINITY): Promise<void> {
    this.#stopped.abort();
    await within(Promise.all([...this.#members].map((member) => this.#stopMember(member))), patience);
    if (this.#timer !== null) clearInterval(this.#timer);
    await within(Promise.all([...this.#running].map((member) => member.spawned.terminate())), endPatience);
  }

  #launch(thread: number): Member {
    const spawned = this.#options.spawn(thread);
    const member: Member = {
      thread,
      spawned,
      startedAt: performance.now(),
      owed: -1,
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
    spawned.channel.close(`worker ${thread} is gone: ${reason}`);
    this.#options.onGone?.(thread, this.#standIn(member));
    if (this.#stopped.signal.aborted) return;
    const delay = (this.#backOffs[thread - 1] as BackOff).next(performance.now() - member.startedAt);
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

  /** Lets a new thread join once it has loaded and no change is under way. */
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

  /** Waits for a task, but not beyond {@link stop}: a module that never ends its provision must not keep the server. */
  async #unlessStopped(task: Promise<void>): Promise<void> {
    const { promise: stopped, resolve } = Promise.withResolvers<void>();
    this.#stopped.signal.addEventListener('abort', () => resolve(), { once: true });
    await Promise.race([task, stopped]);
  }

  /** Gives a new thread the document in force. Runs while no change is under way. */
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

  /** Threads died while they prepared: tries it once more in a new thread, and blames the change if that dies too. */
  async #prepareAgain(sequence: number, document: Json, thread: number): Promise<void> {
    if (this.#stopped.signal.aborted) throw new SluiceError(threadGone, 'the server is stopping');
    const starting = [...this.#running].find((member) => !this.#members.has(member));
    const member = starting ?? this.#launch(thread);
    try {
      await this.#prepareWhole(member, sequence, document);
    } catch (error) {
      if (isGone(error)) {
        const message = `workers died while they provisioned the configuration, and nothing was changed: ${messageOf(error)}`;
        throw new SluiceError('ERR_WORKER_DIED', message, { cause: error });
      }
      if (starting === undefined) unawaited(task, this.#admit(member));
      throw error;
    }
    this.#joining.add(member);
  }

  async #prepareWhole(member: Member, sequence: number, document: Json): Promise<void> {
    await this.#prepareIn(member, { sequence, force: false, change: { document } });
  }

  #runs(thread: number): boolean {
    for (const member of this.#running) if (member.thread === thread) return true;
    return false;
  }

  /** A thread that cannot swap is of no use any more: it is ended, and replaced. */
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
   * Ends threads whose event loop does not turn: they would hold up every change and their share of the connections.
   * Counts pulses, not time, so that a process that was stopped for a while is not taken for one with dead workers.
   */
  #checkPulse(): void {
    this.#sinceEnded++;
    for (const member of this.#running) {
      if (member.owed < 0) unawaited(task, this.#ping(member));
      else {
        member.owed++;
        this.#checkSilent(member);
      }
    }
  }

  #checkSilent(member: Member): void {
    const { every, silent, patience, atWork } = this.#pulse;
    const since = member.owed * every;
    const by = since >= silent && !member.silent && this.#members.has(member) ? this.#standIn(member) : -1;
    if (by >= 0) {
      member.silent = true;
      this.#options.onSilent?.(member.thread, by);
    }
    if (member.ended || member.preparing > 0) return;
    if (since < (member.loaded ? patience : atWork) || !this.#mayEnd(member)) return;
    this.#sinceEnded = 0;
    member.ended = true;
    this.#options.log.error('worker is unresponsive; terminating it', { worker: member.thread, silent_ms: since });
    unawaited(task, member.spawned.terminate());
  }

  /**
   * Threads are ended one after the other, so that what makes all of them silent does not end all service: the next one
   * when the last one is replaced. A replacement may wait for a change that waits for a silent thread, so not for ever.
   */
  #mayEnd(member: Member): boolean {
    let serving = 0;
    for (const { ended } of this.#members) if (!ended) serving++;
    return (
      serving === this.#options.size ||
      !this.#members.has(member) ||
      this.#sinceEnded * this.#pulse.every >= this.#pulse.patience
    );
  }

  /** A thread that serves and reacts, other than this one; -1 if there is none. */
  #standIn(other: Member): number {
    for (const member of this.#members) if (member !== other && member.owed <= 0) return member.thread;
    return -1;
  }

  async #ping(member: Member): Promise<void> {
    member.owed = 0;
    try {
      await member.spawned.channel.ask(protocol.ping, null);
      member.owed = -1;
      member.loaded = true;
      if (!member.silent) return;
      member.silent = false;
      this.#options.onReacts?.(member.thread);
    } catch {
      // It is gone, and lost already.
    }
  }
}
