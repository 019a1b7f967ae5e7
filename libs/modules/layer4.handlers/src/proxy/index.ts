/** `layer4.handlers.proxy`: proxies layer 4 connections to upstreams. */
import { requiredText, type JsonObject } from '@sluice/base';
import { proxyIdentity, timeOption } from '@sluice/http-app';
import { layer4Handlers, layer4Policies, type Layer4Handler } from '@sluice/layer4-app';
import { hashNode } from '@sluice/reconciler';
import { defineModule, type Context } from '@sluice/registry';
import { Candidate, type AvailabilityRules } from './candidate.ts';
import { healthBoards, whileInForce } from './health.ts';
import { meterOf } from './meter.ts';
import { proxyOptions, type ProxyConfig } from './options.ts';
import { Layer4Proxy } from './proxy.ts';
import { Layer4Upstream } from './upstream.ts';

const defaultPolicy: JsonObject = Object.freeze({ policy: 'random' });
const defaultTryInterval = 250;

export const proxyModule = defineModule(layer4Handlers, {
  name: 'proxy',
  effect: 'outward',
  help: 'Proxies TCP connections and UDP packets to upstreams, with load balancing and health checks.',
  config: proxyOptions,
  provision: provisionProxy,
});

async function provisionProxy(config: ProxyConfig, context: Context): Promise<Layer4Handler> {
  context.provide(proxyIdentity, hashNode(config.upstreams ?? null));
  const upstreams: Layer4Upstream[] = [];
  for (const [index, node] of (config.upstreams ?? []).entries())
    upstreams.push(await context.structure(node, provisionUpstream, 'upstreams', index));
  if (upstreams.length === 0) throw context.error('are missing: add at least one', 'upstreams');
  const balancing = config.load_balancing ?? {};
  const selection = balancing.selection ?? defaultPolicy;
  const policy = await context.loadInline(layer4Policies, selection, 'policy', 'load_balancing', 'selection');
  const active = config.health_checks?.active ?? null;
  const boards = active === null ? null : healthBoards(upstreams, active, context);
  const rules = rulesOf(config, context);
  const candidates = upstreams.map((upstream, index) => new Candidate(upstream, rules, boards?.[index] ?? null));
  if (active?.close_if_unhealthy === true) whileInForce(() => closeUnhealthy(candidates), context);
  const at = 'load_balancing';
  return new Layer4Proxy({
    candidates,
    policy,
    tryDuration: timeOption(balancing.try_duration, 0, context, at, 'try_duration'),
    tryInterval: timeOption(balancing.try_interval, defaultTryInterval, context, at, 'try_interval'),
    header: headerVersion(config, context),
    meter: meterOf(candidates, context),
  });
}

function provisionUpstream(node: JsonObject, context: Context): Promise<Layer4Upstream> {
  return Layer4Upstream.provision(node, context);
}

function rulesOf(config: ProxyConfig, context: Context): AvailabilityRules {
  const passive = config.health_checks?.passive ?? {};
  const at = ['health_checks', 'passive', 'fail_duration'];
  return {
    failDuration: timeOption(passive.fail_duration, 0, context, ...at),
    maxFails: Math.max(1, passive.max_fails ?? 1),
    maxConnections: passive.unhealthy_connection_count ?? 0,
  };
}

function headerVersion(config: ProxyConfig, context: Context): 0 | 1 | 2 {
  const version = requiredText(config.proxy_protocol, context, 'proxy_protocol');
  if (version === '') return 0;
  if (version !== 'v1' && version !== 'v2')
    throw context.error(`must be v1 or v2, not ${JSON.stringify(version)}`, 'proxy_protocol');
  return version === 'v1' ? 1 : 2;
}

function closeUnhealthy(candidates: readonly Candidate[]): void {
  for (const { board, open } of candidates) if (board?.healthy === false) for (const close of [...open]) close();
}
