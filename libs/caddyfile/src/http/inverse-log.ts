/** Logs as lines, which the global option and the directive share. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import { listAt } from '../inverse/json-parts.ts';
import { durationWord, moduleLines, optionLines, words } from '../inverse/values.ts';
import type { Line, Writer } from '../inverse/written.ts';

/** The logger that the access of a site goes to. */
export function accessLog(name: string): string {
  return `http.log.access.${name}`;
}

/** Whether a log is one that a directive of a site defined. */
export function isOfSite(name: string, log: Json): boolean {
  return listAt(log, ['include']).includes(accessLog(name));
}

/** The options of a log; what it includes by being that of a site is left out. */
export async function logLines(log: JsonObject, included: string, writer: Writer): Promise<Line[]> {
  const include = words(listAt(log, ['include'])).filter((each) => each !== included);
  const { sampling } = log;
  const output = { option: 'output', namespace: 'caddy.logging.writers', key: 'output' };
  const format = { option: 'format', namespace: 'caddy.logging.encoders', key: 'format' };
  const core = { option: 'core', namespace: 'caddy.logging.cores', key: 'module' };
  return [
    ...(await moduleLines(output, log['writer'], writer)),
    ...(await moduleLines(format, log['encoder'], writer)),
    ...(await moduleLines(core, log['core'], writer)),
    ...optionLines(log, [['level', 'level']]),
    ...(isObject(sampling) ? [{ words: ['sampling'], block: samplingLines(sampling) }] : []),
    ...(include.length > 0 ? [{ words: ['include', ...include] }] : []),
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
