/** Declarations of global options. An option sets a value or an object in the document. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import type { Dispenser } from '../dispenser/dispenser.ts';
import type { GlobalOption } from '../http/contributions.ts';
import { valueAt } from '../inverse/json-parts.ts';
import type { Doubt, WriteGlobalOption, Writer, Written } from '../inverse/written.ts';
import { Draft, pathOf } from './draft.ts';
import { describe, readFields, writeFields, type Declared, type Grammar } from './grammar.ts';

/** Grammar of a global option. */
export interface OptionGrammar extends Grammar {
  /** Path of the value in the document, such as `apps.http.http_port`. `convert` and the descriptions use this path. */
  readonly at?: string;
  /** Finds the value in documents that store it at other paths, for example in each server. */
  readonly from?: (document: Json) => Json | undefined;
  readonly doubtful?: Doubt | ((document: Json) => Doubt);
  /** True if each line adds an element to a list. */
  readonly adds?: boolean;
  /** True if repeated blocks of the option extend the same object. Default: false. */
  readonly joins?: boolean;
}

export interface OptionSyntax extends Declared<GlobalOption, WriteGlobalOption> {
  readonly at: string | undefined;
}

/** Declares a global option. If the option has a block, its value is an object. Otherwise, the line determines the value. */
export function option(
  grammar: OptionGrammar,
  own: { readonly read?: GlobalOption; readonly write?: WriteGlobalOption } = {},
): OptionSyntax {
  const { at, from, doubtful, adds = false } = grammar;
  const read: GlobalOption = own.read ?? ((reader, earlier) => readValue(grammar, reader, earlier));
  return {
    at,
    read: adds
      ? (reader, earlier, options) => [...((earlier ?? []) as readonly unknown[]), read(reader, earlier, options)]
      : read,
    write:
      own.write ??
      (async (document, writer) => {
        const found =
          from !== undefined ? from(document) : at === undefined ? undefined : valueAt(document, pathOf(at));
        const lines = found === undefined ? null : await writeValue(grammar, found, writer);
        if (lines === null || doubtful === undefined) return lines;
        const doubt = typeof doubtful === 'string' ? doubtful : doubtful(document);
        return lines.map((line) => ({ ...line, doubtful: doubt }));
      }),
    describe: (name, help) => describe({ within: [''], ...grammar }, name, '', help),
  };
}

function readValue(grammar: OptionGrammar, reader: Dispenser, earlier: unknown): Json | undefined {
  const { value: name } = reader;
  const draft = new Draft(grammar.joins === true ? { ...(earlier as JsonObject | undefined) } : {}, true);
  if (grammar.block !== undefined) return readFields(grammar, reader, draft);
  grammar.line?.read(reader, draft, name);
  grammar.finish?.(draft.fields, reader);
  return draft.get([name]);
}

async function writeValue(grammar: Grammar, value: Json, writer: Writer): Promise<readonly Written[] | null> {
  if (grammar.block !== undefined) {
    const line = isObject(value) ? await writeFields(grammar, value, writer) : null;
    return line === null ? null : [line];
  }
  const object: JsonObject = { '': value };
  const lines = (await grammar.line?.write('', object, writer)) ?? [];
  return lines.length === 0 ? null : lines.map((line) => ({ ...line, words: line.words.slice(1) }));
}
