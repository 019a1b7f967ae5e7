/** Counts the requests that a change affects. Counting starts when all members of the stage have applied the change. */
import { applyOperations, type Reconciler } from '@sluice/reconciler';
import type { MeteredChange, TrafficCounts, TrafficReader } from '@sluice/contracts';
import { operationsOf } from '../member/known-log.ts';
import type { RolloutChange } from './rollout.ts';
import { noTraffic, sidesReader, trafficSince } from '@sluice/rollout';

/** Creates a traffic reader for a change to the shared document. Resolves to `null` if the server doesn't serve requests. */
export type MakeReader = (reconciler: Reconciler, change: MeteredChange) => Promise<TrafficReader | null>;

interface Subject {
  readonly reconciler: Reconciler;
  readonly change: RolloutChange;
  /** Share of this member's clients that have the change: `none`, `share`, or `all`. */
  readonly served: 'none' | 'share' | 'all';
  readonly window: number;
}

interface Counted {
  readonly window: number;
  readonly traffic: TrafficCounts;
  /** Counts of requests from clients without the change, if only a share of the clients has the change. */
  readonly beside: TrafficCounts | null;
  readonly lost: number;
}

/** Counters with and without the change. `beside` counts the clients without the change. It is `null` if all clients have the change. */
interface Counters {
  readonly read: () => { readonly traffic: TrafficCounts; readonly beside: TrafficCounts | null };
  readonly lost: () => number;
}

const nothingCounted = { traffic: noTraffic, beside: null };

/** Counts requests on one member during a rollout. */
export class Meter {
  readonly #makeReader: MakeReader;
  #subject: Subject | null = null;
  #counters: Counters | null = null;
  #before: ReturnType<Counters['read']> = nothingCounted;
  #lostBefore = 0;

  constructor(makeReader: MakeReader) {
    this.#makeReader = makeReader;
  }

  /** Returns the counts. They restart at zero with each window and each rollout. */
  async count(subject: Subject): Promise<Counted> {
    const last = this.#subject;
    if (last?.change.id !== subject.change.id || last.served !== subject.served) {
      this.#counters = await this.#open(subject);
      this.#lostBefore = this.#counters?.lost() ?? 0;
      this.#before = this.#counters?.read() ?? nothingCounted;
    } else if (last.window !== subject.window) this.#before = this.#counters?.read() ?? nothingCounted;
    this.#subject = subject;
    const { traffic, beside } = this.#counters?.read() ?? nothingCounted;
    const before = this.#before;
    return {
      window: subject.window,
      traffic: trafficSince(traffic, before.traffic),
      beside: beside === null ? null : trafficSince(beside, before.beside ?? noTraffic),
      lost: (this.#counters?.lost() ?? 0) - this.#lostBefore,
    };
  }

  async #open({ reconciler, change, served }: Subject): Promise<Counters | null> {
    if (served === 'share') {
      const sides = await sidesReader(reconciler);
      const read: Counters['read'] = () => {
        const { new: traffic, old: beside } = sides.read();
        return { traffic, beside };
      };
      return { read, lost: () => sides.lost() };
    }
    const operations = operationsOf(change);
    const { document: before } = reconciler;
    const after = applyOperations(before, operations);
    const reader = await this.#makeReader(reconciler, { operations, before, after, isMade: served === 'all' });
    if (reader === null) return null;
    return { read: () => ({ traffic: reader.read(), beside: null }), lost: () => reader.lost() };
  }
}
