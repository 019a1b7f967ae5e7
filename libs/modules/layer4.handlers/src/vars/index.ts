/** `layer4.handlers.vars`: sets variables of a connection. */
import type { Json, JsonObject } from '@sluice/base';
import { compileLayer4Text, layer4Handlers, type Layer4Connection, type Layer4Handler } from '@sluice/layer4-app';
import { anything, defineModule } from '@sluice/registry';

export const varsModule = defineModule(layer4Handlers, {
  name: 'vars',
  help: 'Sets connection variables, which are available as `{l4.vars.<name>}`.',
  config: anything({
    type: 'object',
    description: 'Map of connection variable names to values. Names and string values may contain placeholders.',
    examples: [{ backend: '{l4.tls.server_name}' }],
  }),
  provision(config): Layer4Handler {
    const variables = Object.entries(config as JsonObject)
      .filter(([name]) => name !== 'handler' && name !== '@id')
      .map(([name, value]) => ({ name: compileLayer4Text(name, 'empty'), read: readerOf(value) }));
    return {
      handle(connection, next) {
        for (const { name, read } of variables) connection.setVariable(name.expand(connection), read(connection));
        next(connection);
      },
    };
  },
});

function readerOf(value: Json): (connection: Layer4Connection) => unknown {
  if (typeof value !== 'string') return () => value;
  const template = compileLayer4Text(value, 'empty');
  return (connection) => template.value(connection);
}
