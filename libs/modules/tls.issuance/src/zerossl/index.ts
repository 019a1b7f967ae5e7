/** `tls.issuance.zerossl`: certificates of ZeroSSL over its own interface, not over ACME. */
import { HttpsTransport, type AcmeTransport } from '@sluice/acme';
import { defineModule, integer, options, string, structure, token, type Token } from '@sluice/registry';
import { issuers } from '@sluice/tls-app';
import { dnsSettingsOf } from '../acme/challenges/dns.ts';
import { dnsChallengeOptions } from '../acme/options.ts';
import { expand } from '../acme/settings.ts';
import { ZeroSslApi } from './api.ts';
import { ZeroSslIssuer } from './zerossl-issuer.ts';

/** How ZeroSSL is reached, where it is not over the network: in tests. */
export const zeroSslTransportToken: Token<AcmeTransport> = token<AcmeTransport>('zerossl-transport');

/** The issuer as a module. */
export const zeroSslModule = defineModule(issuers, {
  name: 'zerossl',
  help: 'Gets certificates of ZeroSSL over its own interface; its ACME interface is for the issuer acme.',
  config: options({
    api_key: string('The access key of the account; may contain global placeholders.'),
    validity_days: integer('How many days certificates are valid. Default 90.', { minimum: 0 }),
    listen_host: string('Address to listen at for validations where no one listens.'),
    alternate_http_port: integer('Port to listen at; requests to port 80 must be led there. Default 80.'),
    cname_validation: structure('Validate by records of the zone, in place of files.', dnsChallengeOptions),
  }),
  async provision(config, context) {
    const key = expand(config.api_key);
    if (key === '') throw context.error('the access key of the account is missing', 'api_key');
    const own = context.find(zeroSslTransportToken);
    const transport = own ?? new HttpsTransport();
    if (own === undefined) context.onDispose(() => transport.close());
    const records = config.cname_validation ?? null;
    return new ZeroSslIssuer({
      api: new ZeroSslApi(transport, key),
      validityDays: config.validity_days || 90,
      host: config.listen_host || null,
      port: config.alternate_http_port || 80,
      dns: records === null ? null : await dnsSettingsOf(records, context, 'cname_validation'),
    });
  },
});
