/** `tls.ca_pool.source.system`: CAs that this machine trusts. */
import { getCACertificates } from 'node:tls';
import { caPoolSources, type CaPool } from '@sluice/contracts';
import { defineModule, options } from '@sluice/registry';

export const systemModule = defineModule(caPoolSources, {
  name: 'system',
  help: 'Certificate authorities trusted by the system, or those included in Node if the system has none.',
  config: options({}),
  provision(): CaPool {
    const certificates = getCACertificates('system');
    return { certificates: certificates.length > 0 ? certificates : getCACertificates('bundled') };
  },
});
