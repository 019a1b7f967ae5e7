/** `layer4.matchers.vars`: matches values of connection variables or of any placeholders. */
import { isArray, type JsonObject } from '@sluice/base';
import { compileLayer4Text, layer4Matchers } from '@sluice/layer4-app';
import { anything, defineModule } from '@sluice/registry';
import { readerOf } from './variable.ts';

export const varsModule = defineModule(layer4Matchers, {
  name: 'vars',
  effect: 'pure',
  help: 'Matches connections for which at least one of the variables or placeholders has one of its accepted values.',
  config: anything({
    type: 'object',
    description:
      'Map of variable names, or placeholders in braces, to accepted values. Values may contain placeholders.',
    additionalProperties: { type: 'array', items: { type: 'string' } },
    examples: [{ '{l4.tls.server_name}': ['example.com'], backend: ['a', 'b'] }],
  }),
  provision(config) {
    const variables = Object.entries(config as JsonObject).map(([key, values]) => ({
      read: readerOf(key),
      values: (isArray(values) ? values : []).map((value) => compileLayer4Text(String(value), 'empty')),
    }));
    return {
      match: (connection) =>
        variables.length === 0 ||
        variables.some(({ read, values }) => {
          const text = read(connection);
          return values.some((value) => value.expand(connection) === text);
        }),
    };
  },
});
