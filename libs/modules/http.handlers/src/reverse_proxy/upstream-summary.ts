/** Summary for polling clients, with one row per upstream. A cursor lets clients receive only rows that have changed. */
import type { HealthCheck } from '@sluice/http-app';
import { randomBytes } from 'node:crypto';
import type { DetailedStatus } from './upstream-status.ts';

/** Summary row for an upstream, including the number of its proxies. */
export interface UpstreamSummary {
  readonly address: string;
  readonly num_requests: number;
  readonly fails: number;
  readonly draining: boolean;
  readonly queued: number;
  readonly latency_ms: number;
  /** Worst state of the upstream in any proxy, with the reason and the start time (ISO 8601). */
  readonly state: string;
  readonly reason: string;
  readonly since: string;
  /** Counts of proxies that use the upstream, that consider it unhealthy, and that have active health checks. */
  readonly used_by: number;
  readonly unhealthy: number;
  readonly checked: number;
  /** Latest end of an ejection by outlier detection in any proxy (ISO 8601). `null` if the upstream is not ejected. */
  readonly ejected_until: string | null;
  /** Latest active health check by any proxy. */
  readonly last_check: HealthCheck | null;
}

/** Response body of `GET /reverse_proxy/upstreams/summary`. */
export interface SummaryChanges {
  /** Cursor to pass as `since` in the next request, which then returns only later changes. */
  readonly cursor: string;
  /** True if `upstreams` contains all rows. Clients must then replace the rows that they have. */
  readonly complete: boolean;
  readonly upstreams: readonly UpstreamSummary[];
}

export function summaryOf({ proxies, ...status }: DetailedStatus): UpstreamSummary {
  let last: HealthCheck | null = null;
  let unhealthy = 0;
  let checked = 0;
  let ejected: string | null = null;
  for (const { healthy, active, last_check: check, ejected_until: until } of proxies) {
    if (!healthy) unhealthy++;
    if (active !== null) checked++;
    if (until !== null && (ejected === null || until > ejected)) ejected = until;
    // ISO 8601 times in UTC can be compared as strings.
    if (check !== null && (last === null || check.time > last.time)) last = check;
  }
  return { ...status, used_by: proxies.length, unhealthy, checked, ejected_until: ejected, last_check: last };
}

interface Row {
  readonly text: string;
  readonly version: number;
}

/** Records the version at which each row last changed. The memory use does not depend on the number of clients. */
export class SummaryVersions {
  /** Random ID of this process. Cursors from other processes are invalid. */
  readonly #process = randomBytes(6).toString('base64url');
  readonly #rows = new Map<string, Row>();
  #version = 0;
  /** Version at which a row was last removed. A client with an older cursor receives all rows. */
  #removedAt = 0;

  /** Compares the rows with the rows from the previous call. Returns the changes since the cursor. */
  changes(summaries: readonly UpstreamSummary[], since: string | null): SummaryChanges {
    const next = this.#version + 1;
    const present = new Set<string>();
    for (const summary of summaries) {
      present.add(summary.address);
      const text = JSON.stringify(summary);
      if (this.#rows.get(summary.address)?.text === text) continue;
      this.#rows.set(summary.address, { text, version: next });
      this.#version = next;
    }
    for (const address of this.#rows.keys()) {
      if (present.has(address)) continue;
      this.#rows.delete(address);
      this.#version = this.#removedAt = next;
    }
    const known = this.#versionOf(since);
    const complete = known === null || known < this.#removedAt;
    return {
      cursor: `${this.#process}.${this.#version}`,
      complete,
      upstreams: complete
        ? summaries
        : summaries.filter(({ address }) => (this.#rows.get(address)?.version ?? 0) > known),
    };
  }

  #versionOf(cursor: string | null): number | null {
    if (cursor === null || !cursor.startsWith(`${this.#process}.`)) return null;
    const version = Number(cursor.slice(this.#process.length + 1));
    return Number.isInteger(version) && version >= 0 && version <= this.#version ? version : null;
  }
}
