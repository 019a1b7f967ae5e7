/** Creates the `http.handlers.rate_limit` module. In the control thread, it gives the admin API access to the zones. */
import { guarded, parseDuration, taskOf, unawaited } from '@sluice/base';
import { storageToken, storages, type Storage } from '@sluice/contracts';
import { compileText, httpHandlers, loadMatcherSet, type HttpHandler } from '@sluice/http-app';
import { defineModule, type Context, type Options } from '@sluice/registry';
import { metricsToken } from '@sluice/telemetry';
import { sharedMemoryToken } from '@sluice/threads';
import { Distribution } from './distribution.ts';
import { rateLimitKeys, ZoneCounter } from './metrics.ts';
import { rateLimitOptions, type zoneOptions } from './options.ts';
import { RateLimit } from './rate-limit.ts';
import { SlidingWindows } from './sliding-windows.ts';
import { ZoneTable } from './zone-table.ts';
import { maxWindow, Zone } from './zone.ts';

const defaultMemory = 64 * 1024 * 1024;
const defaultSweepInterval = 60_000;

export interface RateLimitModule {
  readonly descriptor: ReturnType<typeof makeDescriptor>;
  /** Zones of the active configuration. Empty in all threads except the control thread. */
  readonly zones: ZoneTable;
}

export function makeRateLimitModule(): RateLimitModule {
  const zones = new ZoneTable();
  return { descriptor: makeDescriptor(zones), zones };
}

function makeDescriptor(table: ZoneTable) {
  return defineModule(httpHandlers, {
    name: 'rate_limit',
    effect: 'consumes',
    help: 'Limits the number of requests per key within a sliding window. Requests over the limit are rejected with status code 429. Counts are exact across all worker threads and survive configuration changes. `{http.rate_limit.exceeded.name}` is the name of the zone that rejected a request.',
    config: rateLimitOptions,
    async provision(config, context): Promise<HttpHandler> {
      const zones: Zone[] = [];
      for (const [name, zone] of Object.entries(config.rate_limits ?? {}))
        zones.push(await provisionZone(name, zone, config, context));
      // Check short windows first. They admit requests again sooner, and a request that they reject is not counted in longer windows.
      zones.sort((a, b) => a.settings.window - b.settings.window || a.settings.maxEvents - b.settings.maxEvents);
      const jitter = config.jitter ?? 0;
      if (context.roles.control) await runZones(zones, config, context, table);
      const metrics = context.roles.traffic && config.disable_metrics !== true ? context.find(metricsToken) : undefined;
      return new RateLimit({
        zones,
        jitter,
        logKey: config.log_key === true,
        headers: config.headers === true,
        counters: metrics === undefined ? null : zones.map(({ settings }) => new ZoneCounter(metrics, settings.name)),
        log: context.log,
      });
    },
  });
}

async function provisionZone(
  name: string,
  zone: Options<typeof zoneOptions>,
  config: Options<typeof rateLimitOptions>,
  context: Context,
): Promise<Zone> {
  const at = ['rate_limits', name] as const;
  const window = zone.window == null ? 0 : parseDuration(zone.window);
  if (!(window > 0)) throw context.error('window must be greater than zero, such as "1m"', ...at, 'window');
  if (window > maxWindow)
    throw context.error(`window must be at most 24 days (576h), not ${String(zone.window)}`, ...at, 'window');
  const match = [];
  for (const [i, set] of (zone.match ?? []).entries())
    match.push(await loadMatcherSet(set, context, ...at, 'match', i));
  const shared = context.use(sharedMemoryToken);
  const memory = await shared.acquire(`rate_limit ${name}`, zone.memory ?? defaultMemory, context);
  return new Zone(
    {
      name,
      match,
      key: compileText(zone.key ?? '', 'empty'),
      window,
      maxEvents: zone.max_events ?? 0,
      ipv4Prefix: zone.ipv4_prefix ?? 0,
      ipv6Prefix: zone.ipv6_prefix ?? 0,
      rejectWhenFull: config.when_full === 'reject',
    },
    new SlidingWindows(memory, shared.thread),
  );
}

/** Runs the control thread's tasks: removing idle keys, exchanging counts with other servers, and serving the admin API. */
async function runZones(
  zones: readonly Zone[],
  config: Options<typeof rateLimitOptions>,
  context: Context,
  table: ZoneTable,
): Promise<void> {
  const interval = config.sweep_interval == null ? defaultSweepInterval : parseDuration(config.sweep_interval);
  if (!(interval > 0)) throw context.error('sweep_interval must be greater than zero', 'sweep_interval');
  const distribution = config.distributed == null ? null : await provisionDistribution(zones, config, context);
  const gauges = config.disable_metrics === true ? undefined : context.find(metricsToken);
  const end = new AbortController();
  const task = taskOf('http.handlers.rate_limit');
  let timer: NodeJS.Timeout | undefined;
  let stopCollecting: (() => void) | undefined;
  context.onCommit(() => {
    table.add(zones);
    const sweep = guarded(task, () => {
      for (const zone of zones) unawaited(task, zone.sweep(end.signal));
    });
    timer = setInterval(sweep, interval).unref();
    distribution?.start(end.signal);
    const keys = gauges?.family(rateLimitKeys);
    stopCollecting = gauges?.onCollect(() => {
      for (const zone of zones) keys?.with(zone.settings.name).set(zone.totals.keys);
    });
  });
  context.onRetire(() => {
    end.abort();
    clearInterval(timer);
    stopCollecting?.();
    table.remove(zones);
  });
}

async function provisionDistribution(
  zones: readonly Zone[],
  config: Options<typeof rateLimitOptions>,
  context: Context,
): Promise<Distribution> {
  const { distributed } = config;
  const storage: Storage =
    config.storage === undefined
      ? await context.app(storageToken)
      : await context.loadInline(storages, config.storage, 'module', 'storage');
  const intervalOf = (key: 'write_interval' | 'read_interval' | 'purge_age', defaults: number): number => {
    const value = distributed?.[key];
    const interval = value == null ? defaults : parseDuration(value);
    if (!(interval > 0)) throw context.error(`${key} must be greater than zero`, 'distributed', key);
    return interval;
  };
  return new Distribution({
    zones,
    storage,
    log: context.log,
    writeInterval: intervalOf('write_interval', 5000),
    readInterval: intervalOf('read_interval', 5000),
    purgeAge: intervalOf('purge_age', 24 * 3600 * 1000),
  });
}
