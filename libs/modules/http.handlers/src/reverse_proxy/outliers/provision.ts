/** Resolves the options of outlier detection. In the control thread, also runs its periodic part. */
import { timeOption, upstreamEvents } from '@sluice/http-app';
import type { Context } from '@sluice/registry';
import type { SharedCells } from '@sluice/threads';
import { metricsToken } from '@sluice/telemetry';
import type { OutlierConfig } from '../options.ts';
import { OutlierSweep, upstreamEjections } from './sweep.ts';
import type { NamedUpstreams } from './named-upstreams.ts';
import { OutlierPool, type Outlier } from './outlier.ts';

const defaultInterval = 10_000;
const defaultBaseTime = 30_000;
const defaultMaxTime = 300_000;

/** State that outlier detection shares between proxies. */
export interface OutlierScope {
  readonly cells: SharedCells;
  /** Discovered upstreams, or `null` for static upstreams. */
  readonly named: NamedUpstreams | null;
}

/** Outlier detection state for the upstreams of a proxy, by address. */
export interface Outliers {
  acquire(address: string): Outlier;
  release(address: string): void;
}

/** Provisions outlier detection for a proxy. Upstreams are added later. */
export function provisionOutliers(config: OutlierConfig, context: Context, { cells, named }: OutlierScope): Outliers {
  const time = (name: 'interval' | 'base_ejection_time' | 'max_ejection_time', fallback: number): number =>
    timeOption(config[name], fallback, context, 'health_checks', 'outlier_detection', name);
  const pool = new OutlierPool({
    consecutiveErrors: config.consecutive_errors ?? 5,
    interval: time('interval', defaultInterval),
    baseEjectionTime: time('base_ejection_time', defaultBaseTime),
    maxEjectionTime: time('max_ejection_time', defaultMaxTime),
    maxEjectionPercent: config.max_ejection_percent ?? 10,
    stdevFactor: config.stdev_factor ?? 1.9,
    minRequests: config.min_requests ?? 100,
    minUpstreams: config.min_upstreams ?? 5,
  });
  const key = context.where();
  const acquire = (address: string): Outlier =>
    pool.member(address, () => cells.acquire(`upstream-outlier ${key} ${address}`));
  const release = (address: string): void => pool.remove(address);
  context.onDispose(() => {
    for (const { address } of [...pool.members]) release(address);
  });
  if (context.roles.traffic) named?.join(key, pool, context);
  if (!context.roles.control) return { acquire, release };
  const emit = context.find(upstreamEvents);
  const sweep = new OutlierSweep(pool, {
    log: context.log,
    counter: context.find(metricsToken)?.family(upstreamEjections) ?? null,
    listener: (host, healthy) => emit?.({ name: healthy ? 'healthy' : 'unhealthy', host }),
  });
  const update = named?.updater(key, pool, acquire, context) ?? null;
  context.onCommit(() => sweep.start(update));
  context.onRetire(() => sweep.stop());
  context.onDispose(() => sweep.stop());
  return { acquire, release };
}
