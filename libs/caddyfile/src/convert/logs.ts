/** Logs: those of sites as directives, those of the server as global options. */
import { isArray, isObject, type Json, type JsonObject } from '@sluice/base';
import type { Line } from '../inverse/written.ts';
import type { RouteWriter } from './route-writer.ts';
import type { SiteDraft } from './sites.ts';
import { listAt, objectAt, valueAt } from './trial.ts';
import { durationWord, optionLines, words } from './values.ts';

/** Lines for the logs that a server has for the hosts of a site. */
export async function writeSiteLogs(site: SiteDraft, document: Json, writer: RouteWriter): Promise<readonly Line[]> {
  const { logs } = site.server;
  const defined = objectAt(document, ['logging', 'logs']);
  if (!isObject(logs)) return [];
  const lines: Line[] = [];
  for (const name of namesFor(site.hosts, logs)) {
    const log = defined[name];
    if (name === '') lines.push({ words: ['log'] });
    else if (isObject(log)) lines.push({ words: ['log', name], block: await logBlock(log, accessLog(name), writer) });
    else lines.push({ words: ['log', name] });
  }
  return lines;
}

/** The loggers of a site. One for all hosts has the one for hosts without a name. */
function namesFor(hosts: readonly string[], logs: JsonObject): readonly string[] {
  const [host] = hosts;
  if (host === undefined) {
    return logs['skip_unmapped_hosts'] === true ? [] : [words(logs['default_logger_name']).join('')];
  }
  return words(objectAt(logs, ['logger_names'])[host]);
}

function accessLog(name: string): string {
  return `http.log.access.${name}`;
}

/** Lines for the logs that are not those of sites. */
export async function writeGlobalLogs(document: Json, writer: RouteWriter): Promise<readonly Line[]> {
  const logs = Object.entries(objectAt(document, ['logging', 'logs']));
  const own = logs.filter(([name, log]) => isSiteLog(name, log)).map(([name]) => accessLog(name));
  const lines: Line[] = [];
  for (const [name, log] of logs) {
    if (isSiteLog(name, log) || !isObject(log)) continue;
    const { exclude, ...others } = log;
    const left = (isArray(exclude) ? exclude : []).filter((each) => !own.includes(String(each)));
    const fields = left.length === 0 ? others : { ...others, exclude: left };
    const block = await logBlock(fields, '', writer);
    const named = name === 'default' ? ['log'] : ['log', name];
    if (name === 'default' && Object.keys(fields).join() === 'level' && fields['level'] === 'DEBUG') {
      lines.push({ words: ['debug'] });
    } else if (block.length > 0) lines.push({ words: named, block });
  }
  return lines;
}

/** Whether a log is one that a directive of a site defined. */
function isSiteLog(name: string, log: Json): boolean {
  return listAt(log, ['include']).includes(accessLog(name));
}

/** The options of a log; what it includes by being that of a site is left out. */
async function logBlock(log: JsonObject, included: string, writer: RouteWriter): Promise<Line[]> {
  const include = listAt(log, ['include']).filter((each) => each !== included);
  const sampling = valueAt(log, ['sampling']);
  return [
    ...(await hosted('output', 'caddy.logging.writers', log['writer'], writer)),
    ...(await hosted('format', 'caddy.logging.encoders', log['encoder'], writer)),
    ...(await hosted('core', 'caddy.logging.cores', log['core'], writer)),
    ...optionLines(log, [['level', 'level']]),
    ...(isObject(sampling) ? [{ words: ['sampling'], block: samplingLines(sampling) }] : []),
    ...(include.length > 0 ? [{ words: ['include', ...words(include)] }] : []),
    ...optionLines(log, [['exclude', 'exclude']]),
  ];
}

function samplingLines(sampling: JsonObject): Line[] {
  return optionLines(sampling, [
    ['interval', 'interval', durationWord],
    ['first', 'first'],
    ['thereafter', 'thereafter'],
  ]);
}

const nameKeys: Readonly<Record<string, string>> = { output: 'output', format: 'format', core: 'module' };

async function hosted(
  option: string,
  namespace: string,
  value: Json | undefined,
  writer: RouteWriter,
): Promise<Line[]> {
  if (!isObject(value)) return [];
  const { [nameKeys[option] ?? option]: name, ...options } = value;
  const lines = (await writer.module(`${namespace}.${words(name).join('')}`, options)) ?? [];
  return lines.map((line) => ({ ...line, words: [option, ...line.words] }));
}
