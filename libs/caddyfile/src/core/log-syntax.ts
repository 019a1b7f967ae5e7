/** Caddyfile syntax of logs, which the global option `log` and the site directive `log` share. */
import type { JsonObject } from '@sluice/base';
import type { Dispenser } from '../dispenser/dispenser.ts';
import { block, blockLines, module, readBlock } from '../grammar/blocks.ts';
import { Draft } from '../grammar/draft.ts';
import { single, type Block, type Term } from '../grammar/term.ts';
import { duration, flag, ignored, integer, list, text } from '../grammar/values.ts';
import { listAt } from '../inverse/json-parts.ts';
import { words } from '../inverse/values.ts';
import type { Line, Writer } from '../inverse/written.ts';
import { compact, inOrder } from '../json.ts';
import type { NamedLog } from '../http/log-values.ts';

/** Context of a `log` definition, which is either a global option or a site directive. */
export interface LogContext {
  readonly global: boolean;
  /** Number of site logs without a name so far. */
  readonly count: number;
  /** Log names that are already defined. Each name may be defined only once. */
  readonly names: readonly string[];
}

/** Writers without options. */
const standardWriters = new Set(['stdout', 'stderr', 'discard']);

const once = (term: Term): Term => single("'%' subdirective specified more than once in the same log block", term);
const onceSampled = (term: Term): Term => single("'%' specified more than once in the same sampling block", term);

const writerModule = module('caddy.logging.writers', 'output', {
  field: 'writer',
  shown: '<writer> …',
  help: 'Log writer.',
});

const output: Term = {
  ...writerModule,
  read(reader, draft, option) {
    if (reader.nextArgument()) {
      if (standardWriters.has(reader.value) && reader.opensBlock) {
        reader.next();
        throw reader.error('unrecognized subdirective: {');
      }
      reader.back();
    }
    writerModule.read(reader, draft, option);
  },
};

/** Options that every log supports, in the order in which they are written. */
const common: Block = {
  output: once(output),
  format: once(
    module('caddy.logging.encoders', 'format', {
      field: 'encoder',
      shown: '<encoder> …',
      help: 'Log format.',
    }),
  ),
  core: once(module('caddy.logging.cores', 'module', { help: 'Log core. Accepted but ignored.' })),
  level: once(text('<level>', { help: 'Minimum level: `DEBUG`, `INFO`, `WARN`, `ERROR`, `PANIC` or `FATAL`.' })),
  sampling: once(
    block(
      {
        interval: onceSampled(duration({ takes: 'more', help: 'Length of the sampling interval.' })),
        first: onceSampled(
          integer('<count>', {
            takes: 'more',
            help: 'Number of identical entries to log per interval before sampling begins.',
          }),
        ),
        thereafter: onceSampled(
          integer('<count>', { takes: 'more', help: 'Once sampling begins, logs every Nth identical entry.' }),
        ),
      },
      { line: ignored, unknown: 'unrecognized subdirective: %', help: 'Limits the number of identical log entries.' },
    ),
  ),
};

export const globalLogOptions: Block = {
  ...common,
  include: list('<name>…', { adds: true, empty: true, help: 'Names of loggers to include.' }),
  exclude: list('<name>…', { adds: true, empty: true, help: 'Names of loggers to exclude.' }),
};

export const siteLogOptions: Block = {
  ...common,
  hostnames: list('<name>…', {
    adds: true,
    help: "Host names whose requests are logged. Default: the site's host names.",
  }),
  no_hostname: once(
    flag({ help: 'Does not associate the log with host names. Only requests selected with `log_name` are logged.' }),
  ),
};

function unknownOption(option: string, global: boolean): string {
  if (Object.hasOwn(global ? siteLogOptions : globalLogOptions, option))
    return `${option} is not allowed in the log ${global ? 'global options' : 'directive'}`;
  return `unrecognized subdirective: ${option}`;
}

/** Parses `log [name] { … }`. The cursor must be on `log`. */
export function readLog(reader: Dispenser, { global, count, names }: LogContext): NamedLog {
  let name = '';
  if (reader.nextArgument()) {
    name = reader.value;
    reader.noArguments();
  }
  if (global && name === '') name = 'default';
  if (global && names.includes(name)) throw reader.error(`duplicate global log option for: ${name}`);
  const draft = new Draft();
  const hasBlock = readBlock(reader, draft, {
    block: global ? globalLogOptions : siteLogOptions,
    unknown: (option) => unknownOption(option, global),
  });
  const { hostnames, no_hostname: noHostname, ...fields } = draft.fields;
  if (!hasBlock && !global) return { name, hostnames: [], log: null, noHostname: false };
  const isEmpty = Object.keys(fields).length === 0;
  const named = name === '' && !isEmpty ? `log${count}` : name;
  const include = global || named === '' ? words(fields['include']) : [`http.log.access.${named}`];
  return {
    name: named,
    hostnames: words(hostnames),
    log: isEmpty ? null : inOrder({ ...fields, ...compact({ include }) }, fieldOrder),
    noHostname: noHostname === true,
  };
}

const fieldOrder = ['writer', 'encoder', 'core', 'level', 'sampling', 'include', 'exclude'];

/** Returns the log options as Caddyfile lines. Omits the `include` entry that the site implies. */
export async function logLines(log: JsonObject, included: string, writer: Writer): Promise<Line[]> {
  const include = words(listAt(log, ['include'])).filter((each) => each !== included);
  const { include: _include, ...others } = log;
  const own = include.length === 0 ? others : { ...others, include };
  return (await blockLines({ block: globalLogOptions }, own, writer)) ?? [];
}
