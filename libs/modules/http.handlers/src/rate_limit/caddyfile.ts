/** `rate_limit [matcher] { zone NAME { … }; distributed { … }; … }` */
import {
  asJson,
  compact,
  dictionary,
  handlerDirective,
  moduleObject,
  readDuration,
  readInteger,
  readMatchers,
  type DirectiveReader,
} from '@sluice/caddyfile';
import type { Json, JsonObject } from '@sluice/base';

type Fields = Record<string, Json>;

/** Makes the handler `rate_limit`. */
export const rateLimit = handlerDirective((reader) => {
  reader.noArguments();
  const fields: Fields = {};
  const zones = dictionary();
  for (const option of reader.block()) {
    if (option === 'zone') {
      const name = reader.argument();
      if (name in zones) throw reader.error(`duplicate zone name: ${name}`);
      zones[name] = readZone(reader);
    } else readOption(reader, option, fields);
  }
  return moduleObject('handler', 'rate_limit', { ...fields, ...compact({ rate_limits: zones }) });
});

function readOption(reader: DirectiveReader, option: string, fields: Fields): void {
  if (option === 'distributed') fields['distributed'] = readDistributed(reader);
  else if (option === 'storage') {
    const name = reader.argument();
    fields['storage'] = moduleObject('module', name, reader.module(`caddy.storage.${name}`));
  } else if (option === 'jitter') fields['jitter'] = readFraction(reader, reader.onlyArgument());
  else if (option === 'sweep_interval') fields[option] = readDuration(reader, reader.onlyArgument(), option);
  else if (option === 'when_full') fields[option] = reader.onlyArgument();
  else if (option === 'log_key' || option === 'disable_metrics' || option === 'headers') {
    reader.noArguments();
    fields[option] = true;
  } else throw reader.error(`unrecognized rate_limit subdirective '${option}'`);
}

function readZone(reader: DirectiveReader): JsonObject {
  reader.noArguments();
  const zone: Fields = {};
  const sets: Json[] = [];
  for (const option of reader.block()) {
    if (option === 'match') {
      reader.noArguments();
      sets.push(asJson(readMatchers(reader, '')));
    } else if (option === 'key') zone['key'] = reader.onlyArgument();
    else if (option === 'window') zone['window'] = readDuration(reader, reader.onlyArgument(), 'window');
    else if (option === 'events') zone['max_events'] = readInteger(reader, reader.onlyArgument(), 'events');
    else if (option === 'ipv4_prefix' || option === 'ipv6_prefix' || option === 'memory')
      zone[option] = readInteger(reader, reader.onlyArgument(), option);
    else throw reader.error(`unrecognized zone subdirective '${option}'`);
  }
  if (!zone['window'] || !zone['max_events'])
    throw reader.error(
      'a zone requires a window and a number of events above zero, such as "window 1m" and "events 100"',
    );
  return compact({ ...zone, match: sets });
}

function readDistributed(reader: DirectiveReader): JsonObject {
  reader.noArguments();
  const fields: Fields = {};
  for (const option of reader.block()) {
    if (option !== 'read_interval' && option !== 'write_interval' && option !== 'purge_age')
      throw reader.error(`unrecognized distributed subdirective '${option}'`);
    fields[option] = readDuration(reader, reader.onlyArgument(), option);
  }
  return fields;
}

function readFraction(reader: DirectiveReader, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw reader.error(`bad jitter value '${text}': it is not a number`);
  return value;
}
