import { isObject, type Json, type JsonObject } from '@sluice/base';
import { blockLines, module, readBlock } from '../grammar/blocks.ts';
import { Draft } from '../grammar/draft.ts';
import { syntax } from '../grammar/grammar.ts';
import { option } from '../grammar/option.ts';
import { flag, list, oneOf, present } from '../grammar/values.ts';
import { listAt, objectAt, valueAt } from '../inverse/json-parts.ts';
import { words } from '../inverse/values.ts';
import type { WriteGlobalOption, Written } from '../inverse/written.ts';
import type { OrderChange } from '../http/directive-order.ts';
import { accessLog, isOfSite } from '../http/inverse-log.ts';
import { globalLogOptions, logLines, readLog } from './log-syntax.ts';
import type { NamedLog } from '../http/log-values.ts';

const adminOptions = {
  origins: list('<origin>…', { empty: true, help: 'Allowed origins or hosts.' }),
  enforce_origin: flag({ takes: 'lax', help: 'Requires an allowed `Origin` header field in every request.' }),
};

const positions = ['first', 'last', 'before', 'after'];

/** Returns the fields of a log. Omits exclusions that the Caddyfile implies. */
function ownLog(document: Json, name: string): JsonObject {
  const logs = objectAt(document, ['logging', 'logs']);
  const { exclude, ...others } = objectAt(logs[name], []);
  if (exclude === undefined) return others;
  const apart = new Set(
    Object.entries(logs).flatMap(([key, each]) => {
      if (key === 'default') return [];
      return isOfSite(key, each)
        ? [accessLog(key), ...words(listAt(each, ['include']))]
        : words(listAt(each, ['include']));
    }),
  );
  const left = words(exclude).filter((each) => name !== 'default' || !apart.has(each));
  return left.length === 0 ? others : { ...others, exclude: left };
}

/** Reports whether a log is equivalent to the global option `debug`. */
function isDebug(fields: JsonObject): boolean {
  return Object.keys(fields).join() === 'level' && fields['level'] === 'DEBUG';
}

/** Writes `log [NAME] { … }` options for logs that don't belong to sites. */
const writeLogs: WriteGlobalOption = async (document, writer) => {
  const lines: Written[] = [];
  for (const [name, each] of Object.entries(objectAt(document, ['logging', 'logs']))) {
    if (!isObject(each) || isOfSite(name, each)) continue;
    const fields = ownLog(document, name);
    const block = await logLines(fields, '', writer);
    if (block.length > 0 && !(name === 'default' && isDebug(fields)))
      lines.push({ words: name === 'default' ? [] : [name], block });
  }
  return lines;
};

export const coreOptions = {
  debug: option({
    line: {
      ...present,
      read(reader, draft, name) {
        reader.remaining();
        draft.put([name], true);
      },
    },
    from: (document) => isDebug(ownLog(document, 'default')) || undefined,
    help: 'Sets the level of the default log to `DEBUG`.',
    example: 'debug',
  }),
  admin: option(
    {
      shown: ['off', '[<address>]'],
      block: adminOptions,
      help: 'Listen address of the admin API, or `off` to disable it. Default: `localhost:2019`.',
      example: 'admin localhost:2020 {\n\torigins localhost:2020 admin.example.com\n}',
    },
    {
      read(reader): JsonObject {
        let listen = '';
        if (reader.nextArgument()) {
          listen = reader.value;
          reader.noArguments();
          if (listen === 'off') {
            if (!reader.ended) throw reader.error('No more option is allowed after turning off admin config');
            return { disabled: true };
          }
        }
        const draft = new Draft();
        readBlock(reader, draft, { block: adminOptions, unknown: "unrecognized parameter '%'" });
        const { enforce_origin: enforce, origins } = draft.fields;
        return {
          listen: listen === '' ? 'localhost:2019' : listen,
          ...(enforce === undefined ? {} : { enforce_origin: enforce }),
          ...(origins === undefined ? {} : { origins }),
        };
      },
      async write(document, writer) {
        const { disabled, listen, ...fields } = objectAt(document, ['admin']);
        if (disabled === true) return [{ words: ['off'] }];
        if (typeof listen !== 'string') return null;
        const block = (await blockLines({ block: adminOptions }, fields, writer)) ?? [];
        return [block.length === 0 ? { words: [listen] } : { words: [listen], block }];
      },
    },
  ),
  persist_config: option({
    line: oneOf(['off'], { takes: 'last', otherwise: () => "persist_config must be 'off'" }),
    from: (document) => (valueAt(document, ['admin', 'config', 'persist']) === false ? 'off' : undefined),
    help: '`off` disables saving the configuration, so that `--resume` cannot load it after a restart.',
    example: 'persist_config off',
  }),
  storage: option({
    at: 'storage',
    line: module('caddy.storage', 'module'),
    help: 'Storage for certificates, keys and other data.',
    example: 'storage file_system /var/lib/sluice',
  }),
  log: option(
    {
      shown: ['[<name>]'],
      block: globalLogOptions,
      adds: true,
      help: 'Configures the log with the given name, or the default log.',
      example:
        'log {\n\toutput file /var/log/sluice.log\n\tformat json\n\tlevel WARN\n}\nlog access {\n\tinclude http.log.access\n}',
    },
    {
      read(reader, earlier): NamedLog {
        const logs = (earlier ?? []) as readonly NamedLog[];
        return readLog(reader, { global: true, count: logs.length, names: logs.map(({ name }) => name) });
      },
      write: writeLogs,
    },
  ),
  order: option(
    {
      shown: ['<directive> first|last', '<directive> before|after <other>'],
      adds: true,
      help: 'Changes the position of a directive in the directive order. Required for directives without a default position.',
      example: 'order respond before redir',
    },
    {
      read(reader): OrderChange {
        const name = reader.argument();
        const { token } = reader;
        const position = reader.argument();
        if (!positions.includes(position)) throw reader.error(`unknown positional '${position}'`);
        const neighbour = position === 'before' || position === 'after' ? reader.argument() : '';
        reader.noArguments();
        return { name, position, neighbour, token };
      },
      write: () => null,
    },
  ),
};

/** Log cores, which are accepted but ignored. Caddy only has one core, for tests. */
export const logCores = {
  mock: syntax({
    help: 'Does nothing. For testing configurations.',
    within: [':80', 'log', 'core %'],
  }),
};
