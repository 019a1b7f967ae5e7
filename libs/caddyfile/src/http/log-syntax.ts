/** The syntax of logs, which the global option and the directive share. */
import type { Json } from '@sluice/base';
import type { Dispenser } from '../dispenser/dispenser.ts';
import { compact, moduleObject } from '../json.ts';
import type { NamedLog } from './log-values.ts';
import { readDuration, readInteger } from './values.ts';

/** Where a log is written. */
export interface LogContext {
  /** Whether it is the global option. */
  readonly global: boolean;
  /** How many logs of sites there are without a name. */
  readonly count: number;
  /** Names that were given before; each can be defined once. */
  readonly names: readonly string[];
}

/** Reads `log [name] { … }`; the cursor stands on `log`. */
export function readLog(reader: Dispenser, { global, count, names }: LogContext): NamedLog {
  let name = '';
  if (reader.nextArgument()) {
    name = reader.value;
    reader.noArguments();
  }
  if (global && name === '') name = 'default';
  if (global && names.includes(name)) {
    throw reader.error(
      name === 'default' ? 'duplicate global log option for: default' : `duplicate global log option for: ${name}`,
    );
  }
  const draft: LogDraft = { hostnames: [], noHostname: false, fields: {}, include: [], exclude: [] };
  let hasBlock = false;
  const seen = new Set<string>();
  for (const option of reader.block()) {
    hasBlock = true;
    if (once.has(option)) {
      if (seen.has(option)) {
        throw reader.error(`'${option}' subdirective specified more than once in the same log block`);
      }
      seen.add(option);
    }
    readLogOption(option, reader, draft, global);
  }
  const said = compact({ ...draft.fields, include: draft.include, exclude: draft.exclude });
  const fields = draft.sampling === undefined ? said : { ...said, sampling: draft.sampling };
  if (!hasBlock && !global) return { name, hostnames: [], log: null, noHostname: false };
  const named = name === '' && Object.keys(fields).length > 0 ? `log${count}` : name;
  const include = global || named === '' ? [] : [`http.log.access.${named}`];
  const log =
    Object.keys(fields).length === 0 ? null : { ...fields, ...compact({ include: [...include, ...draft.include] }) };
  return {
    name: named,
    hostnames: draft.hostnames,
    log: log === null ? null : orderLog(log),
    noHostname: draft.noHostname,
  };
}

/** Options that can stand in a block once. */
/** Writers without options. */
const standardWriters = new Set(['stdout', 'stderr', 'discard']);

const once = new Set(['output', 'format', 'core', 'level', 'sampling', 'no_hostname']);

interface LogDraft {
  readonly hostnames: string[];
  noHostname: boolean;
  /** Also where nothing is said of it. */
  sampling?: Json;
  readonly fields: Record<string, Json>;
  readonly include: string[];
  readonly exclude: string[];
}

function readLogOption(option: string, reader: Dispenser, draft: LogDraft, global: boolean): void {
  switch (option) {
    case 'hostnames':
      if (global) throw reader.error('hostnames is not allowed in the log global options');
      draft.hostnames.push(...reader.arguments());
      break;
    case 'no_hostname':
      if (global) throw reader.error('no_hostname is not allowed in the log global options');
      reader.noArguments();
      draft.noHostname = true;
      break;
    case 'output': {
      const name = reader.argument();
      if (standardWriters.has(name) && reader.opensBlock) {
        reader.next();
        throw reader.error('unrecognized subdirective: {');
      }
      draft.fields['writer'] = moduleObject('output', name, reader.module(`caddy.logging.writers.${name}`));
      break;
    }
    case 'format': {
      const name = reader.argument();
      draft.fields['encoder'] = moduleObject('format', name, reader.module(`caddy.logging.encoders.${name}`));
      break;
    }
    case 'core': {
      const name = reader.argument();
      draft.fields['core'] = moduleObject('module', name, reader.module(`caddy.logging.cores.${name}`));
      break;
    }
    case 'level':
      draft.fields['level'] = reader.onlyArgument();
      break;
    case 'sampling':
      draft.sampling = readSampling(reader);
      break;
    case 'include':
      if (!global) throw reader.error('include is not allowed in the log directive');
      draft.include.push(...reader.remaining());
      break;
    case 'exclude':
      if (!global) throw reader.error('exclude is not allowed in the log directive');
      draft.exclude.push(...reader.remaining());
      break;
    default:
      throw reader.error(`unrecognized subdirective: ${option}`);
  }
}

function readSampling(reader: Dispenser): Json {
  const sampling: Record<string, Json> = {};
  const seen = new Set<string>();
  reader.remaining();
  for (const option of reader.block()) {
    if (seen.has(option)) throw reader.error(`'${option}' specified more than once in the same sampling block`);
    seen.add(option);
    if (option === 'interval') sampling['interval'] = readDuration(reader, reader.argument(), 'interval');
    else if (option === 'first' || option === 'thereafter')
      sampling[option] = readInteger(reader, reader.argument(), option);
    else throw reader.error(`unrecognized subdirective: ${option}`);
  }
  return compact(sampling);
}

const fieldOrder = ['writer', 'encoder', 'core', 'level', 'sampling', 'include', 'exclude'];

function orderLog(log: Readonly<Record<string, Json>>): Json {
  return Object.fromEntries(Object.entries(log).sort(([a], [b]) => fieldOrder.indexOf(a) - fieldOrder.indexOf(b)));
}
