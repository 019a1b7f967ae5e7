/**
 * The traffic threads as one. They prepare together and commit together; one that dies is replaced while the others
 * serve, and joins with the document in force when no change is under way. How a thread is made is the spawner's business.
 */
import {
  guarded,
  taskOf,
  unawaited,
  type Json,
  isSluiceError,
  messageOf,
  SluiceError,
  type Logger,
  within,
} from '@sluice/base';
import { setTimeout as sleep } from 'node:timers/promises';
import { applyOperations, type Transition, type TrafficThreads } from '@sluice/engine';
import { BackOff, type BackOffLimits } from './back-off.ts';
import { threadGone, type Channel } from './channel.ts';
import type { ControlBus } from './control-bus.ts';
import { protocol, type PrepareRequest } from './protocol.ts';

/** A thread that a spawner started. */
export interface SpawnedThread {
  readonly channel: Channel;
  /** Resolves when it has ended, with the reason as text for the log. Must not reject. */
  readonly gone: Promise<string>;
  /** Ends it at once. Resolves when it has ended. */
  terminate(): Promise<void>;
}

/** Starts the thread of a number from 1 to the size of the pool. */
export type Spawn = (thread: number) => SpawnedThread;

/** How often threads are asked whether their event loop turns, and how long one may owe the response, in milliseconds. */
export interface Pulse {
  readonly every: number;
  readonly patience: number;
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
  /** Runs a task while no change is under way: `Engine.exclusive`. */
  readonly exclusive: <T>(task: () => Promise<T>) => Promise<T>;
  /** Called when a thread is gone and before its number is used again, to repair shared memory. */
  readonly onGone?: (thread: number) => void;
  /** Told when a thread is gone that should not be, and when another one has taken its place. */
  readonly onChange?: (change: ThreadChange) => void;
  readonly backOff?: BackOffLimits;
  readonly pulse?: Pulse;
}

interface Member {
  readonly thread: number;
  readonly spawned: SpawnedThread;
  readonly startedAt: number;
  /** How many pulses ago a ping was sent that waits for its response; -1 while none does. */
  owed: number;
}

/** Longest that a thread may take to end that is ended at once, in milliseconds: native code cannot be interrupted. */
const endPatience = 3000;

const task = taskOf('threads');
const usualPulse: Pulse = { every: 5_000, patience: 30_000 };

/** Runs and supervises traffic threads. */
export class TrafficPool implements TrafficThreads {
  readonly #options: TrafficPoolOptions;
  readonly #pulse: Pulse;
  /** Threads that have the document in force, or take part in the transition that brings it. */
  readonly #members = new Set<Member>();
  /** All that run, those that have not joined included. */
  readonly #running = new Set<Member>();
  readonly #backOffs: readonly BackOff[];
  readonly #stopped = new AbortController();
  #document: Json = null;
  #joins = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: TrafficPoolOptions) {
    this.#options = options;
    this.#pulse = options.pulse ?? usualPulse;
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

  async prepare({ sequence, operations, force }: Transition): Promise<void> {
    const request: PrepareRequest = { sequence, force, change: { operations } };
    const asked = [...this.#members].map((member) => member.spawned.channel.ask(protocol.prepare, request));
    const results = await Promise.allSettled(asked);
    const failures = results.filter((result) => result.status === 'rejected').map((result) => result.reason as Error);
    const refusal = failures.find((error) => !isGone(error));
    if (refusal !== undefined) throw refusal;
    // A thread that died takes no part; if that leaves none, the change is shown to a new one before it is believed.
    if (failures.length === results.length)
      await this.#prepareAgain(sequence, applyOperations(this.#document, operations));
  }

  async commit(sequence: number): Promise<void> {
    await Promise.all([...this.#members].map((member) => this.#commitMember(member, sequence)));
  }

  async abort(sequence: number): Promise<void> {
    const asked = [...this.#members].map((member) => member.spawned.channel.ask(protocol.abort, sequence));
    for (const result of await Promise.allSettled(asked)) {
      if (result.status === 'rejected' && !isGone(result.reason)) {
        this.#options.log.error('a worker could not let go of a refused configuration', {
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
    const member: Member = { thread, spawned, startedAt: performance.now(), owed: -1 };
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
    this.#running.delete(member);
    this.#options.bus.detach(thread);
    spawned.channel.close(`worker ${thread} is gone: ${reason}`);
    this.#options.onGone?.(thread);
    if (this.#stopped.signal.aborted) return;
    const delay = (this.#backOffs[thread - 1] as BackOff).next(performance.now() - member.startedAt);
    this.#options.log.error('a worker ended and is replaced', { worker: thread, reason, delay_ms: delay });
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
      this.#options.log.error('a new worker could not take over the configuration', { worker: member.thread, error });
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
    await prepareWhole(member, sequence, this.#document);
    await member.spawned.channel.ask(protocol.commit, sequence);
    this.#members.add(member);
    const after = Math.round(performance.now() - member.startedAt);
    this.#options.log.info('a new worker serves', { worker: member.thread, after_ms: after });
    this.#options.onChange?.({ name: 'worker_replaced', worker: member.thread, after });
  }

  /** All threads died while they prepared: tries it once more in one new thread, and blames the change if that dies too. */
  async #prepareAgain(sequence: number, document: Json): Promise<void> {
    if (this.#stopped.signal.aborted) throw new SluiceError(threadGone, 'the server is stopping');
    const [starting] = this.#running;
    const member = starting ?? this.#launch(1);
    try {
      await prepareWhole(member, sequence, document);
    } catch (error) {
      if (isGone(error)) {
        const message = `every worker died while it prepared the configuration: ${messageOf(error)}`;
        throw new SluiceError('ERR_WORKER_DIED', message, { cause: error });
      }
      if (starting === undefined) unawaited(task, this.#admit(member));
      throw error;
    }
    this.#members.add(member);
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
      this.#options.log.error('a worker could not take over the configuration', { worker: member.thread, error });
      await member.spawned.terminate();
    }
  }

  async #stopMember({ thread, spawned }: Member): Promise<void> {
    try {
      await spawned.channel.ask(protocol.stop, null);
    } catch (error) {
      if (!isGone(error)) this.#options.log.error('a worker could not stop', { worker: thread, error });
    }
  }

  /**
   * Ends threads whose event loop does not turn: they would hold up every change and their share of the connections.
   * Counts pulses, not time, so that a process that was stopped for a while is not taken for one with dead workers.
   */
  #checkPulse(): void {
    const { every, patience } = this.#pulse;
    for (const member of this.#running) {
      if (member.owed < 0) unawaited(task, this.#ping(member));
      else if (++member.owed * every >= patience) {
        const silent = member.owed * every;
        this.#options.log.error('a worker does not react and is ended', { worker: member.thread, silent_ms: silent });
        unawaited(task, member.spawned.terminate());
      }
    }
  }

  async #ping(member: Member): Promise<void> {
    member.owed = 0;
    try {
      await member.spawned.channel.ask(protocol.ping, null);
      member.owed = -1;
    } catch {
      // It is gone, and lost already.
    }
  }
}

async function prepareWhole(member: Member, sequence: number, document: Json): Promise<void> {
  const request: PrepareRequest = { sequence, force: false, change: { document } };
  await member.spawned.channel.ask(protocol.prepare, request);
}

function isGone(error: unknown): boolean {
  return isSluiceError(error) && error.code === threadGone;
}
