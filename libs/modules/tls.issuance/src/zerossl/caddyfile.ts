/** `zerossl KEY { listen_host …; alt_http_port …; … }` */
import { compact, readInteger, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { readDnsOption } from '../common/dns-syntax.ts';

/** Reads the key and the options. */
export function readZeroSsl(reader: Dispenser): Json {
  const fields: Record<string, Json> = { api_key: reader.onlyArgument() };
  const dns: Record<string, Json> = {};
  for (const option of reader.block()) {
    if (option === 'validity_days') {
      throw reader.error('invalid number of days validity_days: strconv.Atoi: parsing "validity_days": invalid syntax');
    } else if (option === 'listen_host') {
      fields['listen_host'] = reader.onlyArgument();
    } else if (option === 'alt_http_port') {
      fields['alternate_http_port'] = readInteger(reader, reader.onlyArgument(), 'port');
    } else if (!readDnsOption(option, dns, reader)) {
      throw reader.error(`unrecognized zerossl issuer property: ${option}`);
    }
  }
  return compact({ ...fields, cname_validation: dns });
}
