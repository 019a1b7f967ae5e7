/** Global options of the server itself, written again. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import { listAt, objectAt, valueAt } from '../inverse/json-parts.ts';
import { moduleLines, written, words } from '../inverse/values.ts';
import type { Line, WriteGlobalOption, Written } from '../inverse/written.ts';
import { accessLog, isOfSite, logLines } from './inverse-log.ts';

/** `admin off`, `admin ADDRESS { … }` */
const admin: WriteGlobalOption = (document) => {
  const { disabled, listen, origins, enforce_origin: enforce } = objectAt(document, ['admin']);
  if (disabled === true) return [{ words: ['off'] }];
  if (typeof listen !== 'string') return null;
  const block: Line[] = [];
  if (origins !== undefined) block.push({ words: ['origins', ...words(origins)] });
  if (enforce === true) block.push({ words: ['enforce_origin'] });
  return [written([listen], block)];
};

/** `persist_config off` */
const persistConfig: WriteGlobalOption = (document) =>
  valueAt(document, ['admin', 'config', 'persist']) === false ? [{ words: ['off'] }] : null;

/** `storage MODULE …` */
const storage: WriteGlobalOption = async (document, writer) => {
  const option = { option: 'storage', namespace: 'caddy.storage', key: 'module' };
  return withoutName(await moduleLines(option, valueAt(document, ['storage']), writer));
};

function withoutName(lines: readonly Line[]): Written[] {
  return lines.map((line) => ({ ...line, words: line.words.slice(1) }));
}

/** `debug`: what the level of the usual log says alone. */
const debug: WriteGlobalOption = (document) => {
  const fields = ownLog(document, 'default');
  return Object.keys(fields).join() === 'level' && fields['level'] === 'DEBUG' ? [{}] : null;
};

/** `log [NAME] { … }` for those that are not of sites. */
const log: WriteGlobalOption = async (document, writer) => {
  const lines: Written[] = [];
  for (const [name, each] of Object.entries(objectAt(document, ['logging', 'logs']))) {
    if (!isObject(each) || isOfSite(name, each)) continue;
    const fields = ownLog(document, name);
    const isDebug = name === 'default' && Object.keys(fields).join() === 'level' && fields['level'] === 'DEBUG';
    const block = await logLines(fields, '', writer);
    if (block.length > 0 && !isDebug) lines.push({ words: name === 'default' ? [] : [name], block });
  }
  return lines;
};

/** The fields of a log without what it leaves to others, which is not said. */
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

/** By name of the option. */
export const coreOptionWriters: Readonly<Record<string, WriteGlobalOption>> = {
  debug,
  admin,
  persist_config: persistConfig,
  storage,
  log,
};
