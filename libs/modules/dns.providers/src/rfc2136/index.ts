/** The module `dns.providers.rfc2136`, which sends dynamic updates (RFC 2136) to name servers such as BIND, Knot and PowerDNS. */
import { joinHostPort, splitHostPort } from '@sluice/base';
import { dnsProviders } from '@sluice/contracts';
import { defineModule, options, string, type Context, type Options } from '@sluice/registry';
import { requiredOption } from '../common/options.ts';
import { Rfc2136Provider } from './rfc2136-provider.ts';
import { algorithmNames, findAlgorithm, type TsigKey } from './tsig.ts';
import type { Server } from './exchange.ts';

const rfc2136Options = options({
  server: string(
    'Address of the primary name server, such as `192.0.2.1:53`. Updates are sent over TCP. Default port: 53.',
  ),
  key_name: string('Name of the TSIG key, as configured on the name server.'),
  key_alg: string(`Algorithm of the TSIG key: ${algorithmNames.map((name) => `\`${name}\``).join(', ')}.`),
  key: string('TSIG key, base64-encoded. Use a placeholder such as `{env.TSIG_KEY}` or `{file./etc/sluice/tsig.key}`.'),
});

type Config = Options<typeof rfc2136Options>;

export const rfc2136Module = defineModule(dnsProviders, {
  name: 'rfc2136',
  help: 'DNS provider for name servers such as BIND, Knot and PowerDNS. Sends dynamic updates that are authenticated with a TSIG key (RFC 2136, RFC 8945).',
  config: rfc2136Options,
  provision: (config, context) => new Rfc2136Provider(serverOf(config, context)),
});

function serverOf(config: Config, context: Context): Server {
  const address = requiredOption(config.server, context, 'server');
  const { host, port } = splitHostPort(address);
  const number = port === '' ? 53 : Number(port);
  if (host === '' || !(Number.isInteger(number) && number > 0 && number < 65_536))
    throw context.error(
      `${JSON.stringify(address)} is not an address such as ${joinHostPort('192.0.2.1', '53')}`,
      'server',
    );
  return { host, port: number, key: keyOf(config, context) };
}

function keyOf(config: Config, context: Context): TsigKey {
  const name = requiredOption(config.key_name, context, 'key_name').replace(/\.$/, '').toLowerCase();
  const given = requiredOption(config.key_alg, context, 'key_alg');
  const algorithm = findAlgorithm(given);
  if (algorithm === undefined)
    throw context.error(
      `${JSON.stringify(given)} is not a TSIG algorithm; supported: ${algorithmNames.join(', ')}`,
      'key_alg',
    );
  const text = requiredOption(config.key, context, 'key');
  // The error message must not contain the key.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw context.error('is not base64-encoded', 'key');
  return { name, algorithm, secret: Buffer.from(text, 'base64') };
}
