/** `tls.certificates.automate`: names whose certificates are obtained and renewed. */
import { defineModule, listOptions, text } from '@sluice/registry';
import { certificateLoaders, expandGlobal, normalName } from '@sluice/tls-app';

export const automateModule = defineModule(certificateLoaders, {
  name: 'automate',
  help: 'Names whose certificates are obtained and renewed, according to their automation policy.',
  config: listOptions('Host names, wildcards or IP addresses.', text(), { examples: [['example.com']] }),
  provision: (config) => ({
    names: config.map((name) => normalName(expandGlobal(name))),
    load: () => Promise.resolve([]),
  }),
});
