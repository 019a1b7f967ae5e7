/** Provisions a reverse proxy: resolves its options. */
import {
  type CheckedUpstream,
  HealthBoard,
  HealthChecker,
  type MatcherSet,
  type UpstreamUser,
  circuitBreakers,
  compileHeaderOperations,
  compileResponseMatcher,
  compileRewrite,
  listenSocketsToken,
  loadMatcherSet,
  loadResponseHandlers,
  proxyIdentity,
  selectionPolicies,
  timeOption,
  upstreamEvents,
  upstreamSources,
  upstreamStandIn,
  upstreamTransports,
} from '@sluice/http-app';
import { compileRanges, isSameToken, type Json, type JsonObject } from '@sluice/base';
import { hashNode } from '@sluice/reconciler';
import type { Context } from '@sluice/registry';
import type { AbortWatch } from './abort-watch.ts';
import type { FoundUpstreams } from './found-upstreams.ts';
import type { NamedUpstreams } from './outliers/named-upstreams.ts';
import { gaugeHealth } from './health/health-gauge.ts';
import type { ActiveCheck } from './health/active-check.ts';
import type { ActiveConfig, ReverseProxyConfig } from './options.ts';
import type { ProxyParts } from './proxy-parts.ts';
import { availabilityRules, type AvailabilityRules } from './availability-rules.ts';
import { ProxyUpstream } from './proxy-upstream.ts';
import type { QueueTurn } from './queue/queue-turn.ts';
import type { RequestQueue } from './queue/request-queue.ts';
import { asksForResponse, type RetryRules } from './retry.ts';
import { ReverseProxy } from './reverse-proxy.ts';
import { RoundtripLog } from './roundtrip-log.ts';
import { Tunnels } from './tunnels.ts';
import { StaticUpstreams, type UpstreamList } from './upstream-list.ts';
import type { UpstreamTable } from './upstream-table.ts';

export const defaultTransport: JsonObject = Object.freeze({ protocol: 'http' });
export const defaultPolicy: JsonObject = Object.freeze({ policy: 'random' });
const defaultTryInterval = 250;

// Rules that allow no retries. All proxies with default options share this object, because a configuration can contain thousands of them.
const noRetries: RetryRules = { retries: 0, duration: 0, interval: 0, match: null, responseMatch: null };

/** State that the proxies of a registry share. */
export interface SharedParts {
  readonly table: UpstreamTable;
  readonly found: FoundUpstreams;
  readonly named: NamedUpstreams;
  readonly watch: AbortWatch;
}

export async function provisionProxy(
  config: ReverseProxyConfig,
  context: Context,
  shared: SharedParts,
): Promise<ReverseProxy> {
  const identity = hashNode(config.upstreams ?? null);
  context.provide(proxyIdentity, identity);
  const where = context.where();
  const user: UpstreamUser = {
    isCanary: context.isCanary,
    key: `${where} ${identity}`,
    node: config.upstreams ?? null,
    where,
    finds: false,
  };
  const configured = await context.loadInline(
    upstreamTransports,
    config.transport ?? defaultTransport,
    'protocol',
    'transport',
  );
  const transport = context.find(upstreamStandIn)?.transport(configured) ?? configured;
  const breaker = config.circuit_breaker
    ? await context.loadInline(circuitBreakers, config.circuit_breaker, 'type', 'circuit_breaker')
    : null;
  const balancing = config.load_balancing ?? {};
  const policy = await context.loadInline(
    selectionPolicies,
    balancing.selection_policy ?? defaultPolicy,
    'policy',
    'load_balancing',
    'selection_policy',
  );
  const turn: QueueTurn | null = (balancing.queue ?? 0) > 0 ? { isServing: false } : null;
  const rules = availabilityRules(config.health_checks?.passive ?? null, breaker, turn, context);
  const slowStart = timeOption(balancing.slow_start, 0, context, 'load_balancing', 'slow_start');
  const isPaced = slowStart > 0 && policy.considers !== undefined;
  const maxRequests = balancing.max_requests ?? 0;
  const upstreams = await upstreamsOf(config, context, shared, { user, rules, transport, isPaced, maxRequests });
  const queue = turn === null ? null : await queueOf(config, context, shared.table, turn);
  const response = config.headers?.response ?? null;
  const request = config.headers?.request ?? null;
  const delay = timeOption(config.stream_close_delay, 0, context, 'stream_close_delay');
  const sockets = context.find(listenSocketsToken);
  const closeDelay = (): number => Math.max(delay, sockets?.streamTime ?? 0);
  const tunnels = new Tunnels(timeOption(config.stream_timeout, 0, context, 'stream_timeout'), closeDelay);
  context.onRetire((reason) => {
    if (reason === 'replaced') tunnels.retire();
  });
  context.onDispose(() => tunnels.close());
  const parts: ProxyParts = {
    roundtrips: new RoundtripLog(context.log, config.verbose_logs === true),
    transport,
    // If the transport uses TLS, the upstream's name is sent as the server name and verified. The Host header must match this name.
    namesUpstream: transport.usesTls === true && !givesHost(request),
    upstreams,
    queue,
    policy: isPaced ? new (await import('./slow-start.ts')).SlowStartPolicy(policy, slowStart) : policy,
    retry: await retryRules(config, context),
    isTrusted: trustOf(config, context),
    dropsBody: config.rewrite?.method === 'GET' || config.rewrite?.method === 'HEAD',
    rewrite: config.rewrite ? compileRewrite(config.rewrite, context, 'rewrite') : null,
    requestOperations: request === null ? null : compileHeaderOperations(request, context, 'headers', 'request'),
    responseOperations: response === null ? null : compileHeaderOperations(response, context, 'headers', 'response'),
    responseOperationsFor: compileResponseMatcher(response?.require),
    responseHandlers: await loadResponseHandlers(config.handle_response, context),
    flushes: timeOption(config.flush_interval, 0, context, 'flush_interval') !== 0,
    sseKeepalive: await keepaliveOf(config, context),
    requestBuffer: bufferSize(config.request_buffers),
    lengthBuffer: bufferSize(config.request_buffers) || (transport.lengthBuffer ?? 0),
    responseBuffer: bufferSize(config.response_buffers),
    tunnels,
    watch: shared.watch,
  };
  return new ReverseProxy(parts);
}

/** Reports whether the header operations set the Host header. */
export function givesHost(request: NonNullable<ReverseProxyConfig['headers']>['request']): boolean {
  const names = [...Object.keys(request?.set ?? {}), ...Object.keys(request?.add ?? {})];
  return names.some((name) => isSameToken(name, 'host'));
}

async function keepaliveOf(config: ReverseProxyConfig, context: Context): Promise<ProxyParts['sseKeepalive']> {
  const time = timeOption(config.sse_keepalive, 0, context, 'sse_keepalive');
  if (time < 0) throw context.error('must be positive, such as "15s", or 0 to disable comments', 'sse_keepalive');
  if (time === 0) return null;
  const { SseKeepalive } = await import('./sse-keepalive.ts');
  return (exchange, client) => new SseKeepalive(exchange, client, time);
}

function bufferSize(bytes: number | null | undefined): number {
  return bytes === null || bytes === undefined ? 0 : bytes < 0 ? Number.POSITIVE_INFINITY : bytes;
}

const byServer: ProxyParts['isTrusted'] = (exchange) => exchange.server?.isTrustedProxy(exchange) ?? false;

/** Returns the peers whose forwarding headers are kept, because the proxy or the server trusts these peers. */
export function trustOf(
  config: Pick<ReverseProxyConfig, 'trusted_proxies'>,
  context: Context,
): ProxyParts['isTrusted'] {
  const ranges = config.trusted_proxies ?? [];
  if (ranges.length === 0) return byServer;
  try {
    const contains = compileRanges(ranges);
    return (exchange) => contains(exchange.connection.remoteAddress) || byServer(exchange);
  } catch (error) {
    throw context.error((error as Error).message, 'trusted_proxies');
  }
}

interface UpstreamParts {
  readonly user: UpstreamUser;
  readonly rules: AvailabilityRules;
  readonly transport: ProxyParts['transport'];
  readonly isPaced: boolean;
  /** Default maximum number of concurrent requests per upstream. 0 means no limit. */
  readonly maxRequests: number;
}

/** Provisions the queue of a proxy. Proxies with the same upstreams, limits and health checks share a queue, even across configurations. */
async function queueOf(
  { upstreams, dynamic_upstreams: dynamic, health_checks: checks, load_balancing: balancing }: ReverseProxyConfig,
  context: Context,
  table: UpstreamTable,
  turn: QueueTurn,
): Promise<RequestQueue> {
  const { provisionQueue } = await import('./queue/provision.ts');
  const key = hashNode([upstreams ?? null, dynamic ?? null, checks ?? null, balancing?.max_requests ?? null]);
  const places = table.acquirePlaces(table.cellsOf(context));
  context.onDispose(() => table.releasePlaces());
  return provisionQueue(balancing ?? {}, context, {
    places,
    turn,
    cell: (name) => table.cell(`upstream-queue-${name} ${key}`, context),
    hosts: () => table.hosts(),
  });
}

async function upstreamsOf(
  config: ReverseProxyConfig,
  context: Context,
  { table, found, named }: SharedParts,
  { user, rules, transport, isPaced, maxRequests }: UpstreamParts,
): Promise<UpstreamList> {
  const cells = table.cellsOf(context);
  const active = config.health_checks?.active;
  const check = active ? await activeCheck(active, context) : null;
  const checkKey = check === null ? '' : hashNode([active as Json, config.transport ?? null]);
  const checked: CheckedUpstream[] = [];
  const outlierConfig = config.health_checks?.outlier_detection ?? null;
  const isDynamic = Boolean(config.dynamic_upstreams);
  const outliers =
    outlierConfig === null
      ? null
      : (await import('./outliers/provision.ts')).provisionOutliers(outlierConfig, context, {
          cells,
          named: isDynamic ? named : null,
        });
  const upstreams = (config.upstreams ?? []).map((upstream) => {
    const address = upstream?.dial ?? '';
    const lease = table.acquire(address, cells, user, isPaced);
    context.onRetire(lease.retire);
    context.onDispose(lease.release);
    if (rules.turn !== null) table.countWaiters(lease.host, cells);
    const board =
      check === null ? null : new HealthBoard(table.cell(`upstream-health ${checkKey} ${address}`, context));
    if (board !== null) checked.push({ address, board });
    return (lease.upstream = new ProxyUpstream(lease, upstream?.max_requests || maxRequests, rules, {
      active: board,
      outlier: isDynamic ? null : (outliers?.acquire(address) ?? null),
    }));
  });
  gaugeHealth(upstreams, table, context);
  if (check !== null && context.roles.control) {
    const emit = context.find(upstreamEvents);
    const checker = new HealthChecker(check.through(transport), checked, {
      log: context.log,
      listener: (host, healthy) => emit?.({ name: healthy ? 'healthy' : 'unhealthy', host }),
    });
    context.onCommit(() => checker.start());
    context.onRetire(() => checker.stop());
    context.onDispose(() => checker.stop());
  }
  if (!config.dynamic_upstreams) return new StaticUpstreams(upstreams);
  const configured = await context.loadInline(upstreamSources, config.dynamic_upstreams, 'source', 'dynamic_upstreams');
  const source = context.find(upstreamStandIn)?.source(configured) ?? configured;
  const finder: UpstreamUser = { ...user, node: config.dynamic_upstreams, finds: true };
  const { DynamicUpstreams } = await import('./dynamic-upstreams.ts');
  const dynamic = new DynamicUpstreams(source, upstreams, {
    table,
    cells,
    rules,
    user: finder,
    isPaced,
    maxRequests,
    outliers,
    log: context.log,
  });
  found.join(context);
  context.onRetire(() => dynamic.retire());
  context.onDispose(() => dynamic.close());
  return dynamic;
}

/** Returns the active health check, or `null` if the options don't enable it. Invalid options are errors in both cases. */
async function activeCheck(config: ActiveConfig, context: Context): Promise<ActiveCheck | null> {
  const { ActiveCheck: Check } = await import('./health/active-check.ts');
  const check = new Check(config, context);
  return Check.isWanted(config) ? check : null;
}

async function retryRules({ load_balancing: balancing }: ReverseProxyConfig, context: Context): Promise<RetryRules> {
  if (!balancing) return noRetries;
  const duration = timeOption(balancing.try_duration, 0, context, 'load_balancing', 'try_duration');
  const sets: MatcherSet[] = [];
  const responseSets: MatcherSet[] = [];
  for (const [index, set] of (balancing.retry_match ?? []).entries()) {
    const loaded = await loadMatcherSet(set, context, 'load_balancing', 'retry_match', index);
    sets.push(loaded);
    if (asksForResponse(set)) responseSets.push(loaded);
  }
  return {
    retries: balancing.retries ?? 0,
    duration,
    interval: timeOption(
      balancing.try_interval,
      duration > 0 ? defaultTryInterval : 0,
      context,
      'load_balancing',
      'try_interval',
    ),
    match: sets.length === 0 ? null : sets,
    responseMatch: responseSets.length === 0 ? null : responseSets,
  };
}
