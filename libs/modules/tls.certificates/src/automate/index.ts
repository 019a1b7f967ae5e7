/** `tls.certificates.automate`: host names for which certificates are obtained and renewed automatically. */
import { defineModule, listOptions, text } from '@sluice/registry';
import { certificateLoaders, expandGlobal, normalName } from '@sluice/tls-app';

export const automateModule = defineModule(certificateLoaders, {
  name: 'automate',
  help: 'Obtains and renews certificates for the given names, according to the automation policies.',
  config: listOptions('Host names, wildcard names or IP addresses.', text(), { examples: [['example.com']] }),
  provision: (config) => ({
    names: config.map((name) => normalName(expandGlobal(name))),
    load: () => Promise.resolve([]),
  }),
});
