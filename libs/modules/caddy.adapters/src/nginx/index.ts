/** `caddy.adapters.nginx`: nginx configurations (https://nginx.org/en/docs). */
import { configAdapters, type ConfigAdapter } from '@sluice/contracts';
import { defineModule, options } from '@sluice/registry';

/**
 * Parses nginx.conf and included files. Unsupported directives cause a warning with file, line and consequence. Invalid configurations, and
 * configurations that could only be translated less securely, are rejected.
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
