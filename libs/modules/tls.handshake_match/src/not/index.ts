/** `tls.handshake_match.not`: matches if none of its matcher sets match. */
import { anything, defineModule, moduleKeyword } from '@sluice/registry';
import { isObject, kindOf, type JsonObject } from '@sluice/base';
import { handshakeMatchers, type HandshakeMatcher } from '@sluice/contracts';

export const notModule = defineModule(handshakeMatchers, {
  name: 'not',
  help: 'Matches TLS handshakes that match none of the matcher sets.',
  config: anything({
    type: 'array',
    description:
      'Matcher sets, none of which may match. A set matches if all its matchers match. An empty set always matches.',
    [moduleKeyword]: { namespace: handshakeMatchers.id, kind: 'sets' },
    items: { type: ['object', 'null'] },
  }),
  async provision(config, context): Promise<HandshakeMatcher> {
    const sets: HandshakeMatcher[][] = [];
    // Validate the configuration here, because traffic threads receive this JSON from the control thread and don't validate it.
    if (!Array.isArray(config)) throw context.error(`expected a list of matcher sets, not ${kindOf(config)}`);
    for (const [index, set] of (config as (JsonObject | null)[]).entries()) {
      if (set !== null && !isObject(set))
        throw context.error(`a matcher set must be an object of matchers, not ${kindOf(set)}`, index);
      sets.push(set === null ? [] : [...(await context.loadMap(handshakeMatchers, set, index)).values()]);
    }
    return { match: (hello) => !sets.some((set) => set.every((matcher) => matcher.match(hello))) };
  },
});
