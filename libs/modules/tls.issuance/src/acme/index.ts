/** `tls.issuance.acme`: obtains certificates from a public or private CA over ACME (RFC 8555). */
import { defineModule } from '@sluice/registry';
import { issuers } from '@sluice/tls-app';
import { AcmeIssuer } from './acme-issuer.ts';
import { acmeOptions } from './options.ts';
import { settingsOf } from './settings.ts';

export const acmeModule = defineModule(issuers, {
  name: 'acme',
  help: "Obtains certificates from a certificate authority that supports ACME, such as Let's Encrypt.",
  config: acmeOptions,
  async provision(config, context) {
    const issuer = new AcmeIssuer(await settingsOf(config, context), context.log);
    context.onDispose(() => issuer.close());
    return issuer;
  },
});
