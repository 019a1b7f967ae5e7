/** `caddy.listeners.proxy_protocol`: takes client addresses from a proxy or load balancer. */
import { listenerWrappers, type ListenerWrapper } from '@sluice/http-app';
import { defineModule, duration, options, string, strings, type Context, type Options } from '@sluice/registry';
import { messageOf, parseDuration, parseIpRange } from '@sluice/base';
import { PeerPolicies, policyOf } from './policy.ts';
import { HeaderReader } from './reader.ts';

const proxyProtocolOptions = options({
  timeout: duration(
    'Timeout for the PROXY header; after it, the connection is treated as one without a header. Default: no separate timeout.',
  ),
  allow: strings('CIDR ranges of trusted proxies, whose PROXY headers are accepted.', {
    examples: [['10.0.0.0/8', 'fd00::/8']],
  }),
  deny: strings('CIDR ranges of peers that must not send a PROXY header; takes precedence over `allow`.'),
  fallback_policy: string(
    'Policy for other peers. `IGNORE` discards the header, `USE` accepts it, `REJECT` closes connections with a header, `REQUIRE` closes those without one, `SKIP` does not look for a header. Default: IGNORE.',
    { default: 'IGNORE' },
  ),
});

export const proxyProtocolModule = defineModule(listenerWrappers, {
  name: 'proxy_protocol',
  help: 'Reads the PROXY header (version 1 or 2), in which proxies report the original addresses of a connection. Peers on Unix sockets are trusted.',
  config: proxyProtocolOptions,
  provision(config, context): ListenerWrapper {
    const policies = policiesOf(config, context);
    const timeout = timeoutOf(config, context);
    return {
      place: 'before_tls',
      wrap(socket, facts, next) {
        const policy = policies.of(facts.remoteAddress, facts.unix);
        if (policy === 'SKIP') next(socket, facts);
        else new HeaderReader(socket, facts, next, policy).start(timeout);
      },
    };
  },
});

function policiesOf(config: Options<typeof proxyProtocolOptions>, context: Context): PeerPolicies {
  const fallback = policyOf(config.fallback_policy ?? 'IGNORE');
  if (fallback === null)
    throw context.error(
      `${JSON.stringify(config.fallback_policy)} is not a policy; there are IGNORE, USE, REJECT, REQUIRE and SKIP`,
      'fallback_policy',
    );
  return new PeerPolicies(rangesOf(config, 'allow', context), rangesOf(config, 'deny', context), fallback);
}

/** Validates the CIDR ranges, because trust must be explicit. */
function rangesOf(
  config: Options<typeof proxyProtocolOptions>,
  key: 'allow' | 'deny',
  context: Context,
): readonly string[] {
  return (config[key] ?? []).map((text, index) => {
    try {
      parseIpRange(text);
    } catch (error) {
      throw context.error(messageOf(error), key, index);
    }
    if (text.includes('/')) return text;
    const bits = text.includes(':') ? 128 : 32;
    throw context.error(`${JSON.stringify(text)} is an address, not a range; write "${text}/${bits}"`, key, index);
  });
}

function timeoutOf(config: Options<typeof proxyProtocolOptions>, context: Context): number {
  try {
    return Math.max(0, parseDuration(config.timeout ?? 0));
  } catch (error) {
    throw context.error(messageOf(error), 'timeout');
  }
}
