/** `caddy.adapters.nginx`: the configuration of nginx (https://nginx.org/en/docs). */
import { configAdapters, type ConfigAdapter } from '@sluice/contracts';
import { defineModule, options } from '@sluice/registry';

/**
 * Reads nginx.conf with all files that it includes. What has no counterpart is a warning that names its file and line and
 * says what that means; what is not a configuration, or could only be translated into something less safe, is refused.
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
