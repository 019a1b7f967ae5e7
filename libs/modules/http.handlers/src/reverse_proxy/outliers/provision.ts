/** Resolves the options of outlier detection, and runs its periodic part in the control thread. */
import { timeOption, upstreamEvents } from '@sluice/http-app';
import type { Context } from '@sluice/registry';
import { metricsToken } from '@sluice/telemetry';
import type { OutlierConfig } from '../options.ts';
import { OutlierSweep, upstreamEjections } from './sweep.ts';
import { OutlierPool } from './outlier.ts';

const defaultInterval = 10_000;
const defaultBaseTime = 30_000;
const defaultMaxTime = 300_000;

/** Creates the pool of a proxy. Its members are added later. */
export function provisionOutliers(config: OutlierConfig, context: Context): OutlierPool {
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
  if (!context.roles.control) return pool;
  const emit = context.find(upstreamEvents);
  const sweep = new OutlierSweep(pool, {
    log: context.log,
    counter: context.find(metricsToken)?.family(upstreamEjections) ?? null,
    listener: (host, healthy) => emit?.({ name: healthy ? 'healthy' : 'unhealthy', host }),
  });
  context.onCommit(() => sweep.start());
  context.onRetire(() => sweep.stop());
  context.onDispose(() => sweep.stop());
  return pool;
}
