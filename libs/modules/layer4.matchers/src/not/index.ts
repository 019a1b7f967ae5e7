/** `layer4.matchers.not`: matches if none of its matcher sets match. */
import type { JsonArray } from '@sluice/base';
import { layer4Matchers, loadLayer4Sets, matchLayer4Sets, type Layer4Matcher } from '@sluice/layer4-app';
import { anything, defineModule, moduleKeyword } from '@sluice/registry';

export const notModule = defineModule(layer4Matchers, {
  name: 'not',
  effect: 'pure',
  help: 'Matches connections that match none of the matcher sets.',
  config: anything({
    type: 'array',
    description: 'Matcher sets, none of which may match. A set matches if all its matchers match.',
    [moduleKeyword]: { namespace: layer4Matchers.id, kind: 'sets' },
    items: { type: ['object', 'null'] },
  }),
  async provision(config, context): Promise<Layer4Matcher> {
    const sets = await loadLayer4Sets(config as JsonArray, context);
    if (sets.length === 0) return { match: () => true };
    return {
      match(connection, bytes, end) {
        const matched = matchLayer4Sets(sets, connection, bytes, end);
        if (matched === null || typeof matched === 'boolean') return matched === null ? null : !matched;
        return matched.then((found) => !found);
      },
    };
  },
});
