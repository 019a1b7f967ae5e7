/** `tls.ca_pool.source.inline`: contains CA certificates in the configuration itself. */
import { X509Certificate } from 'node:crypto';
import { caPoolSources, type CaPool } from '@sluice/contracts';
import { defineModule, options, strings } from '@sluice/registry';
import { SluiceError, messageOf } from '@sluice/base';

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

export const inlineModule = defineModule(caPoolSources, {
  name: 'inline',
  help: 'Reads trusted certificate authorities from the configuration itself.',
  config: options({ trusted_ca_certs: strings('Certificates of the trusted authorities, as base64-encoded DER.') }),
  provision(config, context): CaPool {
    const certificates = (config.trusted_ca_certs ?? []).map((text, index) => {
      try {
        if (!base64.test(text))
          throw new SluiceError('ERR_CERTIFICATE', 'the value is not valid base64 without line breaks');
        return new X509Certificate(Buffer.from(text, 'base64')).toString();
      } catch (error) {
        throw context.error(`is not a base64-encoded DER certificate: ${messageOf(error)}`, 'trusted_ca_certs', index);
      }
    });
    return { certificates };
  },
});
