/** Prepares documents and their canaries in all threads. */
import type { Json } from '@sluice/base';
import type { PatchOperation } from '@sluice/registry';
import type { Candidate, NextCanary, Runtime } from '../reconcile/runtime.ts';
import type { PlannedCanary } from './canary.ts';
import type { TrafficThreads } from './threads.ts';

/** A document that all threads have prepared. */
export interface PreparedTransition {
  readonly sequence: number;
  readonly candidate: Candidate;
  /** Canary to start with the commit; `null` if there is none. */
  readonly canary: NextCanary | null;
}

interface Wanted {
  readonly document: Json;
  /** JSON Patch from the document that the threads currently use. */
  readonly operations: readonly PatchOperation[];
  readonly force: boolean;
}

export class Transitions {
  readonly #runtime: Runtime;
  readonly #threads: TrafficThreads;
  #sequence = 0;

  constructor(runtime: Runtime, threads: TrafficThreads) {
    this.#runtime = runtime;
    this.#threads = threads;
  }

  /** First phase: prepares a document in all threads, or in none. */
  async prepare({ document, operations, force }: Wanted, planned: PlannedCanary | null): Promise<PreparedTransition> {
    const candidate = await this.#runtime.prepare(document, force);
    let prepared: PreparedTransition = { sequence: ++this.#sequence, candidate, canary: null };
    const { sequence } = prepared;
    try {
      if (planned !== null) {
        const beside = await this.#runtime.prepareCanary(planned.document, candidate);
        prepared = { ...prepared, canary: { candidate: beside, settings: planned.settings } };
      }
      const canary = planned === null ? null : { operations: planned.operations, settings: planned.settings };
      await this.#threads.prepare({ sequence, operations, force, took: candidate.took, canary });
    } catch (error) {
      await this.abort(prepared);
      throw error;
    }
    return prepared;
  }

  /** Second phase: activates the document in this thread. Resolves when the other threads have activated it. */
  commit({ candidate, canary }: PreparedTransition): void {
    this.#runtime.commit(candidate, canary);
  }

  /** Aborts the transition in all threads instead of committing it. */
  async abort({ sequence, candidate, canary }: PreparedTransition): Promise<void> {
    const aborted = this.#threads.abort(sequence);
    if (canary !== null) await this.#runtime.abort(canary.candidate);
    await Promise.all([aborted, this.#runtime.abort(candidate)]);
  }
}
