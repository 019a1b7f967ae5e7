/** Global options of the server itself. */
import type { Json, JsonObject } from '@sluice/base';
import type { GlobalOption } from './contributions.ts';
import { compact, moduleObject } from '../json.ts';
import { readLog } from './log-syntax.ts';
import type { NamedLog } from './log-values.ts';
import type { OrderChange } from './directive-order.ts';

const debug: GlobalOption = (reader) => {
  reader.remaining();
  return true;
};

/** `persist_config off` */
const persistConfig: GlobalOption = (reader) => {
  const value = reader.lastArgument();
  if (value !== 'off') throw reader.error("persist_config must be 'off'");
  return value;
};

/** `admin off`, `admin [address] { origins …; enforce_origin }` */
const admin: GlobalOption = (reader): JsonObject => {
  if (reader.nextArgument()) {
    const listen = reader.value;
    if (listen === 'off') {
      reader.noArguments();
      if (!reader.ended) throw reader.error('No more option is allowed after turning off admin config');
      return { disabled: true };
    }
    reader.noArguments();
    return { listen: listen === '' ? 'localhost:2019' : listen, ...adminBlock(reader) };
  }
  return { listen: 'localhost:2019', ...adminBlock(reader) };
};

function adminBlock(reader: Parameters<GlobalOption>[0]): JsonObject {
  let enforceOrigin = false;
  const origins: string[] = [];
  for (const option of reader.block()) {
    if (option === 'enforce_origin') enforceOrigin = true;
    else if (option === 'origins') origins.splice(0, Infinity, ...reader.remaining());
    else throw reader.error(`unrecognized parameter '${option}'`);
  }
  return compact({ enforce_origin: enforceOrigin, origins });
}

const storage: GlobalOption = (reader): Json => {
  const name = reader.argument();
  return moduleObject('module', name, reader.module(`caddy.storage.${name}`));
};

/** `log [name] { … }` adds up. */
const log: GlobalOption = (reader, earlier): NamedLog[] => {
  const logs = (earlier ?? []) as readonly NamedLog[];
  return [...logs, readLog(reader, { global: true, count: logs.length, names: logs.map(({ name }) => name) })];
};

const positions: Readonly<Record<string, string>> = { first: 'first', last: 'last', before: 'before', after: 'after' };

/** `order DIRECTIVE first|last|before OTHER|after OTHER` */
const order: GlobalOption = (reader, earlier): OrderChange[] => {
  const name = reader.argument();
  const token = reader.token;
  reader.argument();
  const position = reader.value;
  if (positions[position] === undefined) throw reader.error(`unknown positional '${position}'`);
  const neighbour = position === 'before' || position === 'after' ? reader.argument() : '';
  reader.noArguments();
  return [...((earlier ?? []) as readonly OrderChange[]), { name, position, neighbour, token }];
};

/** What this package brings itself, by name. */
export const coreOptionReaders: Readonly<Record<string, GlobalOption>> = {
  debug,
  persist_config: persistConfig,
  admin,
  storage,
  log,
  order,
};
