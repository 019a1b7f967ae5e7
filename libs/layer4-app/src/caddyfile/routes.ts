/**
 * Caddyfile syntax of layer 4 routes: `@name MATCHER …`, `route [@name …] { HANDLER … }` and `matching_timeout`. Servers, subroutes and the
 * listener wrapper share it.
 */
import { isArray, isObject, type Json, type JsonObject } from '@sluice/base';
import {
  asJson,
  duration,
  durationWord,
  moduleLines,
  note,
  readDuration,
  readModule,
  type Block,
  type Dispenser,
  type Line,
  type Writer,
} from '@sluice/caddyfile';

const handlers = 'layer4.handlers';
const matchers = 'layer4.matchers';

/** Descriptions of the lines in a route block. */
export const routesBlock: Block = {
  matching_timeout: duration(),
  '@<name>': {
    ...note('<matcher> …', 'Named matcher set: a single matcher on the line, or several matchers in a block.'),
    module: matchers,
  },
  route: {
    ...note(
      '[<matcher>…]',
      'Route whose block contains handlers. The route applies if at least one of the named matcher sets matches.',
    ),
    module: handlers,
  },
};

/** Parses a matcher set: either the matcher on the line after the cursor, or the matchers in a block. */
export function readMatcherSet(reader: Dispenser): JsonObject {
  const set: Record<string, Json> = {};
  const add = (): void => {
    const name = reader.value;
    if (Object.hasOwn(set, name)) throw reader.error(`matcher '${name}' is repeated; use a separate matcher set`);
    set[name] = reader.module(`${matchers}.${name}`);
  };
  if (reader.nextArgument()) add();
  else for (const _ of reader.block()) add();
  if (Object.keys(set).length === 0) throw reader.error('a matcher set requires a matcher');
  return set;
}

export function readHandlers(reader: Dispenser): JsonObject[] {
  const list: JsonObject[] = [];
  for (const name of reader.block()) list.push(readModule(reader, handlers, 'handler', name));
  return list;
}

/**
 * Parses a route block into options. `own` is a callback that parses additional lines. It returns false for lines that it doesn't
 * recognize.
 */
export function readLayer4Routes(
  reader: Dispenser,
  fields: Record<string, Json>,
  own: (option: string) => boolean = () => false,
): void {
  const sets = new Map<string, JsonObject>();
  const routes: Json[] = [];
  for (const option of reader.block()) {
    if (option.startsWith('@') && option.length > 1) {
      if (sets.has(option)) throw reader.error(`matcher set '${option}' is defined more than once`);
      sets.set(option, readMatcherSet(reader));
    } else if (option === 'route') routes.push(readRoute(reader, sets));
    else if (option === 'matching_timeout') {
      if (fields['matching_timeout'] !== undefined) throw reader.error(`duplicate option '${option}'`);
      fields['matching_timeout'] = readDuration(reader, reader.onlyArgument(), option);
    } else if (!own(option)) throw reader.error(`unrecognized option '${option}'`);
  }
  if (routes.length > 0) fields['routes'] = routes;
}

function readRoute(reader: Dispenser, sets: ReadonlyMap<string, JsonObject>): Json {
  const match: JsonObject[] = [];
  for (const name of reader.remaining()) {
    const set = sets.get(name);
    if (set === undefined) throw reader.error(`unknown matcher set '${name}': define it above the route`);
    match.push(set);
  }
  const handle = readHandlers(reader);
  return asJson({ ...(handle.length === 0 ? {} : { handle }), ...(match.length === 0 ? {} : { match }) });
}

/** Converts options to a route block. Returns `null` if an option can't be expressed in a Caddyfile. */
export async function writeLayer4Routes(options: JsonObject, writer: Writer): Promise<Line[] | null> {
  const lines: Line[] = [];
  const timeout = options['matching_timeout'];
  if (timeout !== undefined && timeout !== null) lines.push({ words: ['matching_timeout', ...durationWord(timeout)] });
  const names = new Map<string, string>();
  for (const route of isArray(options['routes']) ? options['routes'] : []) {
    if (!isObject(route)) return null;
    const used: string[] = [];
    for (const set of isArray(route['match']) ? route['match'] : []) {
      const block = isObject(set) ? await writeMatcherSet(set, writer) : null;
      if (block === null) return null;
      const key = JSON.stringify(set);
      let name = names.get(key);
      if (name === undefined) {
        name = `@m${names.size + 1}`;
        names.set(key, name);
        const [only] = block;
        lines.push(
          only !== undefined && block.length === 1
            ? { ...only, words: [name, ...only.words] }
            : { words: [name], block },
        );
      }
      used.push(name);
    }
    const block = await writeHandlers(route['handle'], writer);
    if (block === null) return null;
    lines.push({ words: ['route', ...used], block });
  }
  return lines;
}

/** Converts a matcher set to Caddyfile lines, one per matcher. */
export async function writeMatcherSet(set: JsonObject, writer: Writer): Promise<Line[] | null> {
  const lines: Line[] = [];
  for (const [name, options] of Object.entries(set)) {
    const found = await writer.module(`${matchers}.${name}`, options);
    if (found?.length !== 1) return null;
    lines.push(...found);
  }
  return lines.length === 0 ? null : lines;
}

export async function writeHandlers(list: Json | undefined, writer: Writer): Promise<Line[] | null> {
  const all = isArray(list) ? list : [];
  const lines = await moduleLines({ option: '', namespace: handlers, key: 'handler' }, all, writer);
  if (lines.length !== all.length) return null;
  return lines.map((line) => ({ ...line, words: line.words.slice(1) }));
}
