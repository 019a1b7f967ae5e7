/** Services of Traefik, converted to proxies. */
import { createHash } from 'node:crypto';
import { isArray, isObject, joinHostPort, SluiceError, type JsonObject } from '@sluice/base';
import { literal } from '../../common/text.ts';
import type { LabeledContainer } from '../labels.ts';
import type { LabelOptions } from './labels.ts';

export interface Server {
  readonly scheme: string;
  readonly dial: string;
  /** Load-balancing weight, relative to the other servers. */
  readonly weight: number;
}

export function serversOf(options: LabelOptions, container: LabeledContainer): readonly Server[] {
  const option = (name: string): string => `loadbalancer.server.${name}`;
  const weight = options.integer(option('weight')) ?? 1;
  if (weight < 0) throw options.error(option('weight'), `must not be negative: ${weight}`);
  const address = options.text(option('url'));
  if (address !== undefined) {
    const url = URL.canParse(address) ? new URL(address) : null;
    const scheme = url?.protocol.slice(0, -1) ?? '';
    if (url === null || !/^(?:https?|h2c)$/.test(scheme))
      throw options.error(option('url'), `must be a URL, not ${address}`);
    return [{ scheme, dial: `${url.hostname}:${url.port || (scheme === 'https' ? '443' : '80')}`, weight }];
  }
  const scheme = options.text(option('scheme')) ?? 'http';
  if (!/^(?:https?|h2c)$/.test(scheme))
    throw options.error(option('scheme'), `must be http, https or h2c, not ${scheme}`);
  const port = options.integer(option('port')) ?? exposedPort(container);
  if (port === undefined)
    throw new SluiceError(
      'ERR_LABEL',
      "the container exposes no port; set the service's label loadbalancer.server.port",
    );
  if (port < 1 || port > 65_535) throw options.error(option('port'), `must be a port from 1 to 65535, not ${port}`);
  if (container.addresses.length === 0)
    throw new SluiceError('ERR_LABEL', 'the container has no address in the selected networks');
  return container.addresses.map((each) => ({ scheme, dial: joinHostPort(each, port), weight }));
}

/** Returns the lowest TCP port that the container exposes. */
function exposedPort({ data }: LabeledContainer): number | undefined {
  const ports = isObject(data as JsonObject) ? (data as JsonObject)['Ports'] : undefined;
  if (!isArray(ports)) return undefined;
  const numbers = ports.flatMap((each) =>
    isObject(each) && (each['Type'] ?? 'tcp') === 'tcp' && typeof each['PrivatePort'] === 'number'
      ? [each['PrivatePort']]
      : [],
  );
  return numbers.length === 0 ? undefined : Math.min(...numbers);
}

/** Settings of a router's middlewares. */
interface ProxySettings {
  readonly loadBalancing?: JsonObject;
  readonly host?: string | undefined;
}

/** @param service Name of the service, from which the name of its cookie is derived. */
export function proxyOf(
  service: string,
  options: LabelOptions,
  servers: readonly Server[],
  { loadBalancing: retries, host: ownHost }: ProxySettings = {},
): JsonObject {
  const option = (name: string): string => `loadbalancer.${name}`;
  const [{ scheme } = { scheme: 'http' }] = servers;
  const isUpstreamHost = options.boolean(option('passhostheader')) === false;
  const host = isUpstreamHost ? '{http.reverse_proxy.upstream.hostport}' : ownHost && literal(ownHost);
  const weights = new Map(servers.map(({ dial, weight }) => [dial, weight]));
  const turns = turnsOf([...weights.values()]);
  const loadBalancing: JsonObject = { selection_policy: stickyOf(service, options, turns) ?? turns, ...retries };
  const active = healthCheckOf(options);
  return {
    handler: 'reverse_proxy',
    upstreams: [...weights.keys()].map((dial) => ({ dial })),
    ...(scheme === 'https' ? { transport: { protocol: 'http', tls: {} } } : {}),
    ...(scheme === 'h2c' ? { transport: { protocol: 'http', versions: ['h2c'] } } : {}),
    load_balancing: loadBalancing,
    ...(active === null ? {} : { health_checks: { active } }),
    ...(host === undefined ? {} : { headers: { request: { set: { Host: [host] } } } }),
  };
}

/** Returns the options for round-robin selection of servers. A weight of 0 excludes a server, unless all weights are 0. */
function turnsOf(weights: readonly number[]): JsonObject {
  const isEven = weights.every((weight) => weight === weights[0]);
  return isEven ? { policy: 'round_robin' } : { policy: 'weighted_round_robin', weights };
}

function stickyOf(service: string, options: LabelOptions, fallback: JsonObject): JsonObject | null {
  const cookie = 'loadbalancer.sticky.cookie';
  const isSticky =
    options.boolean(cookie) ?? (options.boolean('loadbalancer.sticky') === true || options.hasPrefix(`${cookie}.`));
  const name = options.text(`${cookie}.name`);
  const maxAge = options.integer(`${cookie}.maxage`) ?? 0;
  if (!isSticky) return null;
  return {
    policy: 'cookie',
    // Services with the same host need different cookies.
    name: name || `_${createHash('sha256').update(service).digest('hex').slice(0, 8)}`,
    fallback,
    ...(maxAge > 0 ? { max_age: `${maxAge}s` } : {}),
  };
}

function healthCheckOf(options: LabelOptions): JsonObject | null {
  const option = (name: string): string => `loadbalancer.healthcheck.${name}`;
  if (!options.hasPrefix(option(''))) return null;
  const fields = Object.entries(options.map(option('headers.'))).map(
    ([name, value]) => [name, [literal(value)]] as const,
  );
  const hostname = options.text(option('hostname'));
  const [port, status, method] = [
    options.integer(option('port')),
    options.integer(option('status')),
    options.text(option('method')),
  ];
  const all = [...fields, ...(hostname === undefined ? [] : [['Host', [literal(hostname)]] as const])];
  return {
    uri: options.text(option('path')) ?? '/',
    interval: options.duration(option('interval')) ?? '30s',
    timeout: options.duration(option('timeout')) ?? '5s',
    follow_redirects: options.boolean(option('followredirects')) ?? true,
    ...(port === undefined ? {} : { port }),
    ...(status === undefined ? {} : { expect_status: status }),
    ...(method === undefined ? {} : { method: method.toUpperCase() }),
    ...(all.length === 0 ? {} : { headers: Object.fromEntries(all) }),
  };
}
