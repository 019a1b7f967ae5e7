/** `caddy.adapters.nginx`: the configuration of nginx (https://nginx.org/en/docs). */
import { configAdapters, type ConfigAdapter } from '@sluice/contracts';
import { defineModule, options } from '@sluice/registry';
import { Adaptation } from './adaptation.ts';
import { translateConfiguration } from './configuration.ts';
import { folderOf, readDirectives } from './syntax/include.ts';

/**
 * Reads nginx.conf with all files that it includes. What has no counterpart is a warning that names its file and line and
 * says what that means; what is no configuration, or could only be translated into something less safe, is refused.
 */
export const nginx = defineModule(configAdapters, {
  name: 'nginx',
  help: 'Reads the configuration of nginx, with the files that it includes.',
  config: options({}),
  provision: (): ConfigAdapter => ({
    adapt(body, { file = '' }) {
      const text = typeof body === 'string' ? body : body.toString('utf8');
      const adaptation = new Adaptation(folderOf(file));
      const directives = readDirectives(text, file, {
        folder: adaptation.folder,
        warn: (directive, message) => adaptation.warn(directive, message),
      });
      return { config: translateConfiguration(adaptation, directives), warnings: adaptation.warnings };
    },
  }),
});
