/** Stores on servers in a Caddyfile: `NAME [WORD…] { OPTION VALUE… }`, each option a line. */
import { optionLines, readInteger, words, written, type Dispenser, type WriteModule } from '@sluice/caddyfile';
import { isObject, type Json } from '@sluice/base';

/** What follows an option: a word, several, a number, or `true` and `false`, where nothing is `true`. */
export type LineKind = 'word' | 'words' | 'number' | 'switch';

/** Options of a store by their names. */
export interface StoreLines {
  readonly lines: Readonly<Record<string, LineKind>>;
  /** The option that words on the first line set. */
  readonly first?: string;
}

/** Reads a store. */
export function storeReader({ lines, first }: StoreLines): (reader: Dispenser) => Json {
  return (reader) => {
    const fields: Record<string, Json> = {};
    const inline = reader.remaining();
    if (inline.length > 0 && first === undefined) throw reader.argumentError();
    if (inline.length > 0) fields[first as string] = inline;
    for (const option of reader.block()) {
      const kind = Object.hasOwn(lines, option) ? lines[option] : undefined;
      if (kind === undefined) throw reader.error(`unrecognized parameter '${option}'`);
      fields[option] = valueOf(reader, option, kind);
    }
    return fields;
  };
}

/** Writes one again. What has no line, such as TLS of fleets, is noticed. */
export function storeInverse({ lines }: StoreLines): WriteModule {
  return (options) => {
    if (!isObject(options) || Object.keys(options).some((name) => !Object.hasOwn(lines, name))) return null;
    return [
      written(
        [],
        optionLines(
          options,
          Object.keys(lines).map((name) => [name, name, words] as const),
        ),
      ),
    ];
  };
}

function valueOf(reader: Dispenser, option: string, kind: LineKind): Json {
  if (kind === 'words') return reader.arguments();
  if (kind === 'number') return readInteger(reader, reader.onlyArgument(), option);
  if (kind === 'word') return reader.onlyArgument();
  const word = reader.optionalArgument() ?? 'true';
  if (word !== 'true' && word !== 'false') throw reader.error(`${option} is true or false, not '${word}'`);
  return word === 'true';
}
