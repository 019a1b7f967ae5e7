/** `a [NAME PORT] { name …; port …; refresh …; resolvers …; dial_timeout …; dial_fallback_delay …; versions … }` */
import { compact, readDuration, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

const times = ['refresh', 'dial_timeout', 'dial_fallback_delay'];

/** Reads the options. */
export function readA(reader: Dispenser): Json {
  const words = reader.remaining();
  if (words.length > 2) throw reader.argumentError();
  const [name = '', port = ''] = words;
  const fields: Record<string, Json> = { name, port };
  for (const option of reader.block()) {
    if (option === 'name' || option === 'port') {
      const value = reader.argument();
      if (fields[option] !== '') throw reader.error(`a ${option} has already been specified`);
      fields[option] = value;
    } else if (times.includes(option)) {
      fields[option] = readDuration(reader, reader.argument(), option);
    } else if (option === 'resolvers') {
      fields['resolver'] = { addresses: resolvers(reader) };
    } else if (option === 'versions') {
      fields['versions'] = readVersions(reader);
    } else {
      throw reader.error(`unrecognized a option '${option}'`);
    }
  }
  return compact(fields);
}

function resolvers(reader: Dispenser): string[] {
  const words = reader.remaining();
  if (words.length === 0) throw reader.error('must specify at least one resolver address');
  return words;
}

function readVersions(reader: Dispenser): Json {
  const versions: Record<string, Json> = {};
  const words = reader.remaining();
  if (words.length === 0) throw reader.error('must specify at least one version');
  for (const word of words) {
    if (word !== 'ipv4' && word !== 'ipv6') throw reader.error(`unsupported version: '${word}'`);
    versions[word] = true;
  }
  return versions;
}
