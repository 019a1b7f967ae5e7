/** Counts requests affected by a change, starting when the stage members have applied the change. */
import { applyOperations, type Reconciler } from '@sluice/reconciler';
import type { MeteredChange, TrafficCounts, TrafficReader } from '@sluice/contracts';
import { operationsOf } from '../member/known-log.ts';
import type { RolloutChange } from './rollout.ts';
import { noTraffic, trafficSince } from '@sluice/rollout';

/** Creates a reader for a change to the shared document; `null` if nothing serves requests. */
export type MakeReader = (reconciler: Reconciler, change: MeteredChange) => Promise<TrafficReader | null>;

interface Subject {
  readonly reconciler: Reconciler;
  readonly change: RolloutChange;
  readonly isMade: boolean;
  readonly window: number;
}

interface Counted {
  readonly window: number;
  readonly traffic: TrafficCounts;
  readonly lost: number;
}

/** The counters of one member. */
export class Meter {
  readonly #makeReader: MakeReader;
  #subject: Subject | null = null;
  #reader: TrafficReader | null = null;
  #before: TrafficCounts = noTraffic;
  #lostBefore = 0;

  constructor(makeReader: MakeReader) {
    this.#makeReader = makeReader;
  }

  /** Continues counting. The count starts at zero with each window and each rollout. */
  async count(subject: Subject): Promise<Counted> {
    const last = this.#subject;
    if (last?.change.id !== subject.change.id || last.isMade !== subject.isMade) {
      this.#reader = await this.#open(subject);
      this.#lostBefore = this.#reader?.lost() ?? 0;
      this.#before = this.#reader?.read() ?? noTraffic;
    } else if (last.window !== subject.window) this.#before = this.#reader?.read() ?? noTraffic;
    this.#subject = subject;
    const traffic = trafficSince(this.#reader?.read() ?? noTraffic, this.#before);
    return { window: subject.window, traffic, lost: (this.#reader?.lost() ?? 0) - this.#lostBefore };
  }

  #open({ reconciler, change, isMade }: Subject): Promise<TrafficReader | null> {
    const operations = operationsOf(change);
    const { document: before } = reconciler;
    return this.#makeReader(reconciler, { operations, before, after: applyOperations(before, operations), isMade });
  }
}
