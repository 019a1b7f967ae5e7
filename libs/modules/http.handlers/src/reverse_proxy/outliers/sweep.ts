/** Periodic part of outlier detection, which runs only in the control thread. */
import { guarded, maxTimer, taskOf, unawaited, type Logger } from '@sluice/base';
import { declareCounter, type Family } from '@sluice/telemetry';
import type { Outlier, OutlierPool } from './outlier.ts';

export const upstreamEjections = declareCounter(
  'sluice_reverse_proxy_upstream_ejections_total',
  'Total number of times that outlier detection ejected a reverse proxy upstream.',
  ['upstream'],
);

/** Maximum delay between the end of an ejection and the return of the upstream, in milliseconds. */
const maxPeriod = 1000;

const task = taskOf('http.handlers.reverse_proxy');

/** Destinations of reports. */
export interface OutlierReports {
  readonly log: Logger;
  readonly counter: Family | null;
  /** Called when an upstream is ejected and when its ejection ends. */
  readonly listener: (address: string, healthy: boolean) => void;
}

/** Compares success rates, ejects upstreams and ends ejections. Reports each ejection and its end. */
export class OutlierSweep {
  readonly #pool: OutlierPool;
  readonly #reports: OutlierReports;
  /** Members that were claimed during the previous run. A claim only takes microseconds, unless the thread that made it has died. */
  #claimed: readonly Outlier[] = [];
  #comparedAt: number;
  #timer: NodeJS.Timeout | null = null;
  #isUpdating = false;

  constructor(pool: OutlierPool, reports: OutlierReports) {
    this.#pool = pool;
    this.#comparedAt = pool.now();
    this.#reports = reports;
  }

  /** `update` brings the members up to date before each run. It is `null` if the members never change. */
  start(update: (() => Promise<void>) | null): void {
    const { interval, baseEjectionTime } = this.#pool.rules;
    const run = guarded(task, update === null ? () => this.run() : () => unawaited(task, this.#runAfter(update)));
    this.#timer = setInterval(run, Math.max(1, Math.min(interval, baseEjectionTime, maxPeriod, maxTimer)));
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  async #runAfter(update: () => Promise<void>): Promise<void> {
    if (this.#isUpdating) return;
    this.#isUpdating = true;
    try {
      await update();
    } finally {
      this.#isUpdating = false;
    }
    if (this.#timer !== null) this.run();
  }

  /** Runs one sweep. */
  run(): void {
    const { members, rules } = this.#pool;
    const now = this.#pool.now();
    for (const member of this.#claimed) member.unclaim();
    this.#claimed = members.filter(({ isClaimed }) => isClaimed);
    for (const member of members) if (member.isEjected && member.isOver(now)) this.#restore(member, now);
    if (now - this.#comparedAt >= rules.interval || now < this.#comparedAt) {
      this.#comparedAt = now;
      for (const member of members)
        if (member.isInRotation && now - member.restoredAt >= rules.interval) member.forgetEjection();
      this.#compare(now);
    }
    for (const member of members) this.#report(member);
  }

  #restore(member: Outlier, now: number): void {
    this.#report(member);
    member.restore(now);
    this.#reports.log.info('upstream is in rotation again', { upstream: member.address });
    this.#reports.listener(member.address, true);
  }

  /** Ejects members whose success rate is too far below the average. The lowest rate comes first. */
  #compare(now: number): void {
    const { rules, members } = this.#pool;
    const rates: { readonly member: Outlier; readonly rate: number }[] = [];
    for (const member of members) {
      const { requests, errors } = member.takeCounts();
      if (member.isInRotation && requests > 0 && requests >= rules.minRequests)
        rates.push({ member, rate: 1 - errors / requests });
    }
    if (rules.stdevFactor === 0 || rates.length < Math.max(2, rules.minUpstreams)) return;
    const mean = rates.reduce((sum, { rate }) => sum + rate, 0) / rates.length;
    const variance = rates.reduce((sum, { rate }) => sum + (rate - mean) ** 2, 0) / rates.length;
    const threshold = mean - rules.stdevFactor * Math.sqrt(variance);
    rates.sort((a, b) => a.rate - b.rate);
    for (const { member, rate } of rates) if (rate < threshold) member.ejectForRate(rate, now);
  }

  #report(member: Outlier): void {
    const { ejection } = member;
    if (ejection === null || !member.claimReport()) return;
    const { log, counter, listener } = this.#reports;
    log.warn('upstream is ejected', {
      upstream: member.address,
      reason: ejection.reason,
      until: new Date(ejection.until).toISOString(),
    });
    counter?.with(member.address).add();
    listener(member.address, false);
  }
}
