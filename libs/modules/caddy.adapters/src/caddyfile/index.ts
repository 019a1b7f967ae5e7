/** `caddy.adapters.caddyfile`: the Caddyfile. Its directives come from the packages whose modules they are for. */
import { configAdapters, type ConfigAdapter } from '@sluice/contracts';
import { defineModule, options, registryToken } from '@sluice/registry';

/** Reads Caddyfiles. Errors name file and line; a text that does not come from a file is called `Caddyfile`. */
export const caddyfile = defineModule(configAdapters, {
  name: 'caddyfile',
  help: 'Reads Caddyfiles, including the directives of all modules of this server.',
  config: options({}),
  provision(_config, context): ConfigAdapter {
    const registry = context.use(registryToken);
    return {
      async adapt(body, { file = 'Caddyfile', reads }) {
        const { adaptCaddyfile } = await import('@sluice/caddyfile');
        const text = typeof body === 'string' ? body : body.toString('utf8');
        return adaptCaddyfile(text, registry, { file, environment: process.env, reads });
      },
      async convert(document) {
        const { convertDocument } = await import('@sluice/caddyfile');
        return convertDocument(document, registry);
      },
    };
  },
});
