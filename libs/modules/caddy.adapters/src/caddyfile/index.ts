/** `caddy.adapters.caddyfile`: the Caddyfile. The packages of modules provide its directives. */
import { configAdapters, type ConfigAdapter } from '@sluice/contracts';
import { defineModule, options, registryToken } from '@sluice/registry';

/** Reads Caddyfiles. Errors contain file and line. Input that is not from a file is named `Caddyfile`. */
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
