/** Creates the `http.handlers.mirror` module. Mirrors and reverse proxies share upstreams, including their state and connections. */
import {
  compileHeaderOperations,
  compileRewrite,
  httpHandlers,
  proxyIdentity,
  selectionPolicies,
  timeOption,
  upstreamStandIn,
  upstreamTransports,
  type HttpHandler,
  type UpstreamUser,
} from '@sluice/http-app';
import { isObject, own } from '@sluice/base';
import { hashNode } from '@sluice/reconciler';
import { defineModule, type Context, type ModuleDescriptor } from '@sluice/registry';
import { metricsToken } from '@sluice/telemetry';
import { defaultPolicy, defaultTransport, givesHost, trustOf } from '../reverse_proxy/provision.ts';
import type { AvailabilityRules } from '../reverse_proxy/availability-rules.ts';
import { ProxyUpstream } from '../reverse_proxy/proxy-upstream.ts';
import type { UpstreamTable } from '../reverse_proxy/upstream-table.ts';
import { MirrorMetrics } from './metrics.ts';
import { Mirror } from './mirror.ts';
import { mirrorOptions, type MirrorConfig } from './options.ts';

const defaultConcurrent = 100;
const defaultBody = 1024 * 1024;
const defaultTimeout = 30_000;

/** Availability rules of mirrors. An upstream is always available unless it is draining. */
const rules: AvailabilityRules = {
  maxFails: 0,
  maxRequests: 0,
  breaker: null,
  turn: null,
  passive: { failDuration: 0, unhealthyStatus: [], unhealthyLatency: 0 },
};

/** Creates the module for a registry. The reverse proxies of the registry must use the same `table`. */
export function makeMirrorModule(table: UpstreamTable): ModuleDescriptor {
  return defineModule(httpHandlers, {
    name: 'mirror',
    effect: 'outward',
    help: 'Sends copies of requests to additional upstreams and discards the responses. Clients never wait for a copy. Event streams, gRPC calls and connection upgrades are not copied.',
    config: mirrorOptions,
    provision: (config, context) => provisionMirror(config, context, table),
  });
}

async function provisionMirror(config: MirrorConfig, context: Context, table: UpstreamTable): Promise<HttpHandler> {
  const identity = hashNode(config.upstreams ?? null);
  context.provide(proxyIdentity, identity);
  const transport = await context.loadInline(
    upstreamTransports,
    config.transport ?? defaultTransport,
    'protocol',
    'transport',
  );
  const selection = config.load_balancing?.selection_policy ?? defaultPolicy;
  if (isObject(selection) && own(selection, 'policy') === 'cookie')
    throw context.error(
      'is cookie, which would add a cookie to client responses; use ip_hash for sticky copies',
      'load_balancing',
      'selection_policy',
    );
  const policy = await context.loadInline(selectionPolicies, selection, 'policy', 'load_balancing', 'selection_policy');
  const request = config.headers?.request ?? null;
  const metrics = context.find(metricsToken);
  const mirror = new Mirror({
    transport,
    upstreams: upstreamsOf(config, context, table, identity),
    policy,
    // No copies are sent in configuration tests.
    share: context.find(upstreamStandIn) === undefined ? (config.share ?? 1) : 0,
    maxConcurrent: config.max_concurrent ?? defaultConcurrent,
    maxBody: config.max_body_size ?? defaultBody,
    timeout: timeOption(config.timeout, defaultTimeout, context, 'timeout'),
    namesUpstream: transport.usesTls === true && !givesHost(request),
    isTrusted: trustOf(config, context),
    rewrite: config.rewrite ? compileRewrite(config.rewrite, context, 'rewrite') : null,
    requestOperations: request === null ? null : compileHeaderOperations(request, context, 'headers', 'request'),
    cell: table.cell(`mirror ${context.where()} ${identity}`, context),
    metrics: metrics === undefined ? null : new MirrorMetrics(metrics),
    random: Math.random,
  });
  context.onDispose(() => mirror.close());
  return mirror;
}

function upstreamsOf(config: MirrorConfig, context: Context, table: UpstreamTable, identity: string): ProxyUpstream[] {
  const where = context.where();
  const user: UpstreamUser = {
    key: `${where} ${identity}`,
    node: config.upstreams ?? null,
    where,
    finds: false,
    isCanary: context.isCanary,
  };
  const cells = table.cellsOf(context);
  return (config.upstreams ?? []).map((upstream) => {
    const lease = table.acquire(upstream?.dial ?? '', cells, user, false);
    context.onRetire(lease.retire);
    context.onDispose(lease.release);
    return (lease.upstream = new ProxyUpstream(lease, upstream?.max_requests ?? 0, rules, {
      active: null,
      outlier: null,
    }));
  });
}
