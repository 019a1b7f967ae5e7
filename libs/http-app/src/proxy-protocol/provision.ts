/** PROXY header options shared by a listener wrapper and a layer 4 handler. */
import type { Socket } from 'node:net';
import { messageOf, parseDuration, parseIpRange, privateRanges } from '@sluice/base';
import { duration, options, string, strings, type Context, type Options } from '@sluice/registry';
import type { SocketFacts } from '../engine/facts.ts';
import type { NextSocket } from '../listener/wrapper.ts';
import { PeerPolicies, policyOf, type Policy } from './policy.ts';
import { HeaderReader } from './reader.ts';

export const proxyProtocolOptions = options({
  timeout: duration(
    'Timeout for the PROXY protocol header. After the timeout, the connection is treated as one without a header. Default: no separate timeout.',
  ),
  allow: strings('CIDR ranges of trusted proxies, whose PROXY protocol headers are accepted.', {
    examples: [['10.0.0.0/8', 'fd00::/8']],
  }),
  deny: strings('CIDR ranges of peers that must not send a PROXY protocol header. Takes precedence over `allow`.'),
  fallback_policy: string(
    'Policy for peers that are in neither `allow` nor `deny`. `IGNORE` discards the header, `USE` accepts it, `REJECT` closes connections with a header, `REQUIRE` closes connections without one, and `SKIP` does not look for a header. Default: IGNORE.',
    { default: 'IGNORE' },
  ),
});

/** Reads a connection's PROXY header if the policy allows one. */
export type ReadProxyHeader = (socket: Socket, facts: SocketFacts, next: NextSocket) => void;

/** Provisions the PROXY protocol options. `fallback` is the default policy for unlisted peers. */
export function provisionProxyProtocol(
  config: Options<typeof proxyProtocolOptions>,
  context: Context,
  fallback: Policy,
): ReadProxyHeader {
  const policies = policiesOf(config, context, fallback);
  const timeout = timeoutOf(config, context);
  return (socket, facts, next) => {
    const policy = policies.of(facts.remoteAddress, facts.unix);
    if (policy === 'SKIP') next(socket, facts);
    else new HeaderReader(socket, facts, next, policy).start(timeout);
  };
}

function policiesOf(config: Options<typeof proxyProtocolOptions>, context: Context, byDefault: Policy): PeerPolicies {
  const fallback = policyOf(config.fallback_policy || byDefault);
  if (fallback === null)
    throw context.error(
      `${JSON.stringify(config.fallback_policy)} is not a valid policy; use IGNORE, USE, REJECT, REQUIRE or SKIP`,
      'fallback_policy',
    );
  return new PeerPolicies(rangesOf(config, 'allow', context), rangesOf(config, 'deny', context), fallback);
}

/** Validates CIDR ranges. There is no default, because trust must be explicit. */
function rangesOf(
  config: Options<typeof proxyProtocolOptions>,
  key: 'allow' | 'deny',
  context: Context,
): readonly string[] {
  const texts = (config[key] ?? []).flatMap((text) => (text === 'private_ranges' ? privateRanges : [text]));
  return texts.map((text, index) => {
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
