/** Options of DNS challenges that issuers share. */
import { moduleObject, readDuration, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

const times: Readonly<Record<string, string>> = {
  propagation_delay: 'propagation_delay',
  propagation_timeout: 'propagation_timeout',
  dns_ttl: 'ttl',
};

/** Reads an option into `dns`; false if there is none of that name. */
export function readDnsOption(option: string, dns: Record<string, Json>, reader: Dispenser): boolean {
  if (option === 'dns') {
    const name = reader.argument();
    dns['provider'] = moduleObject('name', name, reader.module(`dns.providers.${name}`));
  } else if (option === 'resolvers') {
    dns['resolvers'] = reader.arguments();
  } else if (option === 'dns_challenge_override_domain') {
    dns['override_domain'] = reader.onlyArgument();
  } else {
    const field = Object.hasOwn(times, option) ? times[option] : undefined;
    if (field === undefined) return false;
    const text = reader.onlyArgument();
    dns[field] = option === 'propagation_timeout' && text === '-1' ? -1 : readDuration(reader, text, option);
  }
  return true;
}
