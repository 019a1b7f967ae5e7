/** The module `caddy.adapters.nginx`, which adapts nginx configurations (https://nginx.org/en/docs). */
import { configAdapters, type ConfigAdapter } from '@sluice/contracts';
import { defineModule, options } from '@sluice/registry';

/**
 * Adapts nginx.conf and the files that it includes. An unsupported directive causes a warning with file, line and consequence. Invalid
 * configurations are rejected, and so are configurations whose translation would be less secure.
 */
export const nginx = defineModule(configAdapters, {
  name: 'nginx',
  help: 'Reads nginx configurations and the files that they include.',
  config: options({}),
  provision: (): ConfigAdapter => ({
    async adapt(body, { file = '', reads }) {
      const { adaptNginx } = await import('./adapt.ts');
      return adaptNginx(typeof body === 'string' ? body : body.toString('utf8'), file, reads);
    },
  }),
});
