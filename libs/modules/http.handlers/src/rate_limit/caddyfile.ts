/** `rate_limit [matcher] { zone NAME { … }; distributed { … }; … }` */
import {
  asJson,
  compact,
  handlerDirective,
  moduleObject,
  readDuration,
  readInteger,
  readMatchers,
  scalarValue,
  type DirectiveReader,
} from '@sluice/caddyfile';
import type { Json, JsonObject } from '@sluice/base';

type Fields = Record<string, Json>;

/** Makes the handler `rate_limit`. */
export const rateLimit = handlerDirective((reader) => {
  reader.noArguments();
  const fields: Fields = {};
  const zones = new Map<string, JsonObject>();
  for (const option of reader.block()) {
    if (option === 'zone') {
      const name = reader.argument();
      if (zones.has(name)) throw reader.error(`duplicate zone name: ${name}`);
      zones.set(name, readZone(reader, name));
    } else readOption(reader, option, fields);
  }
  // `distributed` is kept if it is empty: it then has its defaults.
  const { distributed, ...rest } = fields;
  return moduleObject('handler', 'rate_limit', {
    ...compact({ ...rest, rate_limits: Object.fromEntries(zones) }),
    ...(distributed === undefined ? {} : { distributed }),
  });
});

function readOption(reader: DirectiveReader, option: string, fields: Fields): void {
  if (option === 'distributed') fields[option] = readDistributed(reader);
  else if (option === 'storage') {
    const name = reader.argument();
    fields[option] = moduleObject('module', name, reader.module(`caddy.storage.${name}`));
  } else if (option === 'log_key' || option === 'disable_metrics' || option === 'headers') {
    reader.noArguments();
    fields[option] = true;
  } else if (option === 'jitter') fields[option] = readFraction(reader, firstArgument(reader, fields[option]), option);
  else if (option === 'sweep_interval')
    fields[option] = readDuration(reader, firstArgument(reader, fields[option]), option);
  else if (option === 'when_full') fields[option] = firstArgument(reader, fields[option]);
  else throw reader.error(`unrecognized rate_limit subdirective '${option}'`);
}

function readZone(reader: DirectiveReader, name: string): JsonObject {
  reader.noArguments();
  const zone: Fields = {};
  const sets: Json[] = [];
  for (const option of reader.block()) {
    if (option === 'match') sets.push(asJson(readMatchers(reader, '')));
    else if (option === 'key') zone[option] = firstArgument(reader, zone[option]);
    else if (option === 'window') zone[option] = readDuration(reader, firstArgument(reader, zone[option]), option);
    else if (option === 'events')
      zone['max_events'] = readInteger(reader, firstArgument(reader, zone['max_events']), option);
    else if (option === 'ipv4_prefix' || option === 'ipv6_prefix' || option === 'memory')
      zone[option] = readInteger(reader, firstArgument(reader, zone[option]), option);
    else throw reader.error(`unrecognized zone subdirective '${option}'`);
  }
  if (!zone['window'] || !zone['max_events'])
    throw reader.error(
      `zone '${name}' requires a window and a number of events above zero, such as "window 1m" and "events 100"`,
    );
  return compact({ ...zone, match: sets });
}

function readDistributed(reader: DirectiveReader): JsonObject {
  reader.noArguments();
  const fields: Fields = {};
  for (const option of reader.block()) {
    if (option !== 'read_interval' && option !== 'write_interval' && option !== 'purge_age')
      throw reader.error(`unrecognized distributed subdirective '${option}'`);
    fields[option] = readDuration(reader, firstArgument(reader, fields[option]), option);
  }
  return compact(fields);
}

/** Reads the argument of an option that no earlier line has set. */
function firstArgument(reader: DirectiveReader, earlier: Json | undefined): string {
  if (earlier) throw reader.error(`${reader.value} is already specified`);
  return reader.onlyArgument();
}

function readFraction(reader: DirectiveReader, text: string, what: string): number {
  const value = scalarValue({ text, quote: '' });
  if (typeof value !== 'number') throw reader.error(`bad ${what} value '${text}': it is not a number`);
  return value;
}
