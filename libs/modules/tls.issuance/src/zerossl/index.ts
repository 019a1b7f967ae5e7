/** `tls.issuance.zerossl`: obtains certificates from ZeroSSL's REST API instead of ACME. */
import { HttpsTransport, type AcmeTransport } from '@sluice/acme';
import { defineModule, integer, options, string, structure, token, type Token } from '@sluice/registry';
import { issuers } from '@sluice/tls-app';
import { dnsSettingsOf } from '../acme/challenges/dns.ts';
import { dnsChallengeOptions } from '../acme/options.ts';
import { expand } from '../acme/settings.ts';
import { ZeroSslApi } from './api.ts';
import { ZeroSslIssuer } from './zerossl-issuer.ts';

/** HTTP transport for requests to ZeroSSL, which tests replace. */
export const zeroSslTransportToken: Token<AcmeTransport> = token<AcmeTransport>('zerossl-transport');

export const zeroSslModule = defineModule(issuers, {
  name: 'zerossl',
  help: 'Obtains certificates through the ZeroSSL REST API. To use ZeroSSL over ACME, use the `acme` issuer.',
  config: options({
    api_key: string('API access key of the ZeroSSL account. May contain global placeholders.'),
    validity_days: integer('Validity period of certificates, in days. Default: 90.', { minimum: 0 }),
    listen_host: string('IP address on which to listen for validation, unless the server already listens on the port.'),
    alternate_http_port: integer(
      'Port on which to listen for validation. Traffic for port 80 must be forwarded to this port. Default: 80.',
    ),
    cname_validation: structure('Settings for validation with CNAME records instead of files.', dnsChallengeOptions),
  }),
  async provision(config, context) {
    const key = expand(config.api_key);
    if (key === '') throw context.error('access key of the ZeroSSL account is missing', 'api_key');
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
