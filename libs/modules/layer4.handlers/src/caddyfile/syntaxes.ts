/** Caddyfile syntax of the layer 4 handlers in this package. */
import { isObject, type Json } from '@sluice/base';
import {
  dictionary,
  duration,
  integer,
  keyedLines,
  list,
  none,
  quoteWord,
  scalarValue,
  scalarWord,
  syntax,
  text,
  word,
  type Line,
  type Syntax,
  type Term,
} from '@sluice/caddyfile';
import { readHandlers, readLayer4Routes, routesBlock, writeHandlers, writeLayer4Routes } from '@sluice/layer4-app';
import { inRoute } from './in-route.ts';
import { proxy } from './proxy.ts';
import { tls } from './tls.ts';

const bare = (name: string): Syntax => syntax(inRoute(name, { line: none, block: {} }));

/** A rate in bytes per second, possibly with a fraction. */
const rate: Term = word('<bytes>', {
  convert(reader, value, option) {
    const number = Number(value);
    if (value === '' || Number.isNaN(number)) throw reader.error(`invalid ${option} '${value}'`);
    return number;
  },
});

const proxyProtocol = syntax(
  inRoute('proxy_protocol {\n\tallow 10.0.0.0/8\n\ttimeout 2s\n}\nproxy 10.0.0.1:22', {
    line: none,
    block: {
      allow: list('<range>…', { adds: true }),
      deny: list('<range>…', { adds: true }),
      fallback_policy: word('ignore|use|reject|require|skip', {
        convert: (_reader, value) => value.toUpperCase(),
      }),
      timeout: duration(),
    },
    unknown: "unrecognized option '%'",
  }),
);

const socks5 = syntax(
  inRoute('socks5 {\n\tcredentials ada secret\n}', {
    line: none,
    block: {
      bind_ip: text('<address>'),
      commands: list('<command>…', { adds: true }),
      credentials: {
        shown: '<user> <password> [<user> <password>]…',
        read(reader, draft) {
          const found = reader.remaining();
          if (found.length === 0 || found.length % 2 !== 0) throw reader.argumentError();
          const all = (draft.get(['credentials']) ?? dictionary()) as Record<string, Json>;
          for (let at = 0; at < found.length; at += 2) all[found[at] as string] = found[at + 1] as string;
          draft.put(['credentials'], all);
        },
        write: (option, { credentials }) => keyedLines(credentials).map((line) => ({ words: [option, ...line.words] })),
      },
    },
    unknown: "unrecognized option '%'",
  }),
);

const subroute = syntax(
  inRoute('subroute {\n\t@tls tls\n\troute @tls {\n\t\tproxy 10.0.0.1:443\n\t}\n}', { block: routesBlock }),
  {
    read(reader): Json {
      const fields: Record<string, Json> = {};
      reader.noArguments();
      readLayer4Routes(reader, fields);
      return fields;
    },
    async write(options, writer) {
      const lines = isObject(options) ? await writeLayer4Routes(options, writer) : null;
      return lines === null ? null : [{ block: lines }];
    },
  },
);

const tee = syntax(inRoute('tee {\n\tproxy 10.0.0.2:514\n}\nproxy 10.0.0.1:514', { content: 'layer4.handlers' }), {
  read(reader): Json {
    reader.noArguments();
    const branch = readHandlers(reader);
    if (branch.length === 0) throw reader.error('a branch requires a handler');
    return { branch };
  },
  async write(options, writer) {
    const lines = isObject(options) ? await writeHandlers(options['branch'], writer) : null;
    return lines === null ? null : [{ block: lines }];
  },
});

const throttle = syntax(
  inRoute('throttle {\n\tread_bytes_per_second 100000\n\tlatency 50ms\n}\nproxy 10.0.0.1:22', {
    line: none,
    block: {
      latency: duration(),
      read_burst_size: integer('<bytes>'),
      read_bytes_per_second: rate,
      total_read_burst_size: integer('<bytes>'),
      total_read_bytes_per_second: rate,
    },
    unknown: "unrecognized option '%'",
  }),
);

const vars = syntax(
  inRoute('vars backend {l4.tls.server_name}\nproxy {l4.vars.backend}:443', {
    shown: ['[<name> <value>]'],
    help: 'Sets connection variables. To set several variables, use a block.',
  }),
  {
    read(reader): Json {
      const found = dictionary();
      const add = (name: string): void => {
        reader.argument();
        found[name] = scalarValue(reader.token);
        reader.noArguments();
      };
      if (reader.nextArgument()) add(reader.value);
      for (const name of reader.block()) add(name);
      return found;
    },
    write(options) {
      const lines = Object.entries(isObject(options) ? options : {}).map(([name, value]): Line => ({
        words: [quoteWord(name), scalarWord(value)],
        raw: true,
      }));
      const [only] = lines;
      return [only !== undefined && lines.length === 1 ? only : { block: lines }];
    },
  },
);

export const syntaxes = {
  close: bare('close'),
  echo: bare('echo'),
  postgres_tls: bare('postgres_tls'),
  proxy,
  proxy_protocol: proxyProtocol,
  socks5,
  subroute,
  tee,
  throttle,
  tls,
  vars,
};
