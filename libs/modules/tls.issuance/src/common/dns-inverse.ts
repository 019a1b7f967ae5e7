/** Options of DNS challenges as lines, which issuers share. */
import { isObject, type Json } from '@sluice/base';
import { durationWord, moduleLines, optionLines, type Line, type Writer } from '@sluice/caddyfile';

const provider = { option: 'dns', namespace: 'dns.providers', key: 'name' };

/** Lines for a challenge. */
export async function dnsLines(value: Json | undefined, writer: Writer): Promise<readonly Line[]> {
  if (!isObject(value)) return [];
  return [
    ...(await moduleLines(provider, value['provider'], writer)),
    ...optionLines(value, [
      ['resolvers', 'resolvers'],
      ['dns_challenge_override_domain', 'override_domain'],
      ['propagation_delay', 'propagation_delay', durationWord],
      ['propagation_timeout', 'propagation_timeout', (time) => (time === -1 ? ['-1'] : durationWord(time))],
      ['dns_ttl', 'ttl', durationWord],
    ]),
  ];
}
