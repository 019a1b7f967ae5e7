/**
 * The module `caddy.adapters.caddyfile`, which adapts Caddyfiles. Each directive comes from the package that provides the corresponding
 * modules.
 */
import { configAdapters, type ConfigAdapter } from '@sluice/contracts';
import { defineModule, options, registryToken } from '@sluice/registry';

/** Adapts a Caddyfile. Errors contain the file and line. Input that does not come from a file is called `Caddyfile`. */
export const caddyfile = defineModule(configAdapters, {
  name: 'caddyfile',
  help: 'Reads Caddyfiles. Supports the directives of all installed modules.',
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
