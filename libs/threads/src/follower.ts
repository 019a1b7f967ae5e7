/**
 * Applies configuration changes in a traffic thread. Each thread has its own copy of the document tree. Unchanged nodes remain shared
 * between versions.
 */
import { applyOperations, type Candidate, type NextCanary, type Runtime } from '@sluice/reconciler';
import { SluiceError, within, type Json } from '@sluice/base';
import type { PatchOperation } from '@sluice/registry';
import type { Channel } from './channel.ts';
import { protocol, type PrepareRequest, type ShareRequest } from './protocol.ts';

/** Maximum time that a stopping thread waits for a change in progress, in milliseconds. */
const timeout = 2000;

interface Prepared {
  readonly sequence: number;
  readonly candidate: Candidate;
  readonly canary: NextCanary | null;
}

/** Applies change requests from the control thread to a runtime. */
class Follower {
  readonly #runtime: Runtime;
  #prepared: Prepared | null = null;
  readonly #committed: () => void;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(runtime: Runtime, committed: () => void) {
    this.#runtime = runtime;
    this.#committed = committed;
  }

  /** Runs tasks one at a time. An abort that arrives during a prepare must wait until the prepare is complete. */
  inTurn<T>(task: () => Promise<T>): Promise<T> {
    const run = this.#turn.then(task);
    this.#turn = run.catch(() => undefined);
    return run;
  }

  /** Runs a task after all earlier tasks. The wait has a timeout, in case a provision hangs. */
  async atLast(task: () => Promise<void>): Promise<void> {
    await within(this.#turn, timeout);
    await task();
  }

  async prepare({ sequence, force, change, canary }: PrepareRequest): Promise<void> {
    const runtime = this.#runtime;
    const document =
      'document' in change
        ? (JSON.parse(change.document) as Json)
        : applyOperations(runtime.config, JSON.parse(change.operations) as readonly PatchOperation[]);
    const candidate = await runtime.prepare(document, force);
    if (canary === null) {
      this.#prepared = { sequence, candidate, canary };
      return;
    }
    const { operations, settings } = canary;
    try {
      const beside = await runtime.prepareCanary(applyOperations(document, operations), candidate);
      this.#prepared = { sequence, candidate, canary: { candidate: beside, settings } };
    } catch (error) {
      await runtime.abort(candidate);
      throw error;
    }
  }

  async commit(sequence: number): Promise<void> {
    const prepared = this.#prepared;
    if (prepared?.sequence !== sequence) {
      throw new SluiceError(
        'ERR_THREAD_PROTOCOL',
        `cannot commit configuration change ${sequence}: it was not prepared in this thread`,
      );
    }
    this.#prepared = null;
    await this.#runtime.leave(prepared.candidate);
    this.#runtime.commit(prepared.candidate, prepared.canary);
    this.#committed();
  }

  async abort(sequence: number): Promise<void> {
    const prepared = this.#prepared;
    if (prepared?.sequence !== sequence) return;
    this.#prepared = null;
    if (prepared.canary !== null) await this.#runtime.abort(prepared.canary.candidate);
    await this.#runtime.abort(prepared.candidate);
  }

  share({ id, share }: ShareRequest): void {
    this.#runtime.shareCanary(id, share);
  }
}

/**
 * Applies the control thread's configuration changes to a runtime. Must be called before the channel is opened.
 *
 * `stop` is called when this thread must exit. `committed` is called after each swap.
 */
export function follow(
  runtime: Runtime,
  channel: Channel,
  stop: () => Promise<void>,
  committed: () => void = () => undefined,
): void {
  const follower = new Follower(runtime, committed);
  channel.respond(protocol.prepare, (request) => follower.inTurn(() => follower.prepare(request as PrepareRequest)));
  channel.respond(protocol.commit, (sequence) => follower.inTurn(() => follower.commit(sequence as number)));
  channel.respond(protocol.abort, (sequence) => follower.inTurn(() => follower.abort(sequence as number)));
  channel.respond(protocol.share, (request) => follower.share(request as ShareRequest));
  channel.respond(protocol.stop, () => follower.atLast(stop));
  channel.respond(protocol.ping, () => null);
}
