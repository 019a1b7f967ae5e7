/** `layer4.matchers.vars_regexp`: matches values of connection variables or of any placeholders with regular expressions. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import { layer4Matchers } from '@sluice/layer4-app';
import { anything, defineModule, options, string } from '@sluice/registry';
import { literalPattern, MatchedGroups } from '../common/patterns.ts';
import { readerOf } from '../vars/variable.ts';

const expressionOptions = options({
  name: string(
    'Name for the capture groups, which are available as `{l4.regexp.<name>.<group>}`. Default: no name; the groups are available as `{l4.regexp.<group>}`.',
  ),
  pattern: string('Regular expression (RE2 syntax). Not anchored: it can match any part of the value.'),
});

export const varsRegexpModule = defineModule(layer4Matchers, {
  name: 'vars_regexp',
  effect: 'pure',
  help: 'Matches connections for which at least one of the variables or placeholders matches its regular expression. Capture groups are available as `{l4.regexp.<name>.<group>}`.',
  config: anything({
    type: 'object',
    description: 'Map of variable names, or placeholders in braces, to regular expressions.',
    additionalProperties: { ...expressionOptions },
    examples: [{ '{l4.tls.server_name}': { name: 'host', pattern: '^([a-z]+)\\.example\\.com$' } }],
  }),
  provision(config, context) {
    const variables = Object.entries(config as JsonObject).map(([key, expression]) => ({
      read: readerOf(key),
      name: textOf(expression, 'name'),
      pattern: literalPattern(textOf(expression, 'pattern'), context, key, 'pattern'),
    }));
    return {
      match: (connection) =>
        variables.some(({ read, name, pattern }) => {
          const found = pattern.exec(read(connection));
          if (found === null) return false;
          connection.setCaptures(name, new MatchedGroups(found, pattern.names));
          return true;
        }),
    };
  },
});

function textOf(expression: Json, key: string): string {
  return isObject(expression) && typeof expression[key] === 'string' ? expression[key] : '';
}
