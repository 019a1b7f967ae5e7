import type { TrafficCounts } from '@sluice/contracts';
import { bucketOfLatency } from '@sluice/rollout';

/** Returns counters for requests with the given latencies in milliseconds. Each latency has a number of requests. */
export function traffic(
  latencies: readonly (readonly [milliseconds: number, count: number])[],
  failures = 0,
  upstreamFailures: number | null = 0,
): TrafficCounts {
  const latency: number[] = Array<number>(52).fill(0);
  let requests = 0;
  for (const [milliseconds, count] of latencies) {
    const bucket = bucketOfLatency(milliseconds);
    latency[bucket] = (latency[bucket] ?? 0) + count;
    requests += count;
  }
  return { requests, failures, upstreamFailures, clientErrors: 0, redirects: 0, cut: 0, latency };
}
