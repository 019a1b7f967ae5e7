/** `tls.ca_pool.source.system`: trusts the operating system's CA certificates. */
import { getCACertificates } from 'node:tls';
import { caPoolSources, type CaPool } from '@sluice/contracts';
import { defineModule, options } from '@sluice/registry';

export const systemModule = defineModule(caPoolSources, {
  name: 'system',
  help: "Trusts the system's certificate authorities, or those included in Node.js if the system provides none.",
  config: options({}),
  provision(): CaPool {
    const certificates = getCACertificates('system');
    return { certificates: certificates.length > 0 ? certificates : getCACertificates('bundled') };
  },
});
