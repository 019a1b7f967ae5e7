/** `caddy.adapters.nginx`: nginx configurations (https://nginx.org/en/docs). */
import { configAdapters, type ConfigAdapter } from '@sluice/contracts';
import { defineModule, options } from '@sluice/registry';

/**
 * Reads nginx.conf and included files. Unsupported directives cause a warning with file, line and consequence. Invalid configurations, and
 * those that could only be translated to something less secure, are rejected.
 */
export const nginx = defineModule(configAdapters, {
  name: 'nginx',
  help: 'Reads nginx configurations, including the files that they include.',
  config: options({}),
  provision: (): ConfigAdapter => ({
    async adapt(body, { file = '', reads }) {
      const { adaptNginx } = await import('./adapt.ts');
      return adaptNginx(typeof body === 'string' ? body : body.toString('utf8'), file, reads);
    },
  }),
});
