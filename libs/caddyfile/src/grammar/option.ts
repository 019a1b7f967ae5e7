/** Declarations of global options: a value of the document, or an object of it. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import type { Dispenser } from '../dispenser/dispenser.ts';
import type { GlobalOption } from '../http/contributions.ts';
import { valueAt } from '../inverse/json-parts.ts';
import type { WriteGlobalOption, Writer, Written } from '../inverse/written.ts';
import { Draft, pathOf } from './draft.ts';
import { describe, readInto, writeFields, type Declared, type Grammar } from './grammar.ts';

/** Syntax after the name of a global option. */
export interface OptionGrammar extends Grammar {
  /** Path of its value in the document, such as `apps.http.http_port`: from there it is written, and described. */
  readonly at?: string;
}

/** A declared global option. */
export interface OptionSyntax extends Declared<GlobalOption, WriteGlobalOption> {
  readonly at: string | undefined;
}

/** Declares a global option. Without a block, its value is that of its one word or list; with one, an object. */
export function option(
  grammar: OptionGrammar,
  own: { readonly read?: GlobalOption; readonly write?: WriteGlobalOption } = {},
): OptionSyntax {
  const { at } = grammar;
  return {
    at,
    read: own.read ?? ((reader) => readValue(grammar, reader)),
    write:
      own.write ??
      (async (document, writer) => {
        const found = at === undefined ? undefined : valueAt(document, pathOf(at));
        const line = found === undefined ? null : await writeValue(grammar, found, writer);
        return line === null ? null : [line];
      }),
    describe: (name, help) => describe({ within: [''], ...grammar }, name, '', help),
  };
}

/** Reads the value of an option, at whose name the cursor stands. */
function readValue(grammar: Grammar, reader: Dispenser): Json | undefined {
  const { value: name } = reader;
  const draft = new Draft({}, true);
  if (grammar.block !== undefined) {
    readInto(grammar, reader, draft);
    return grammar.finish?.(draft.fields, reader) ?? draft.fields;
  }
  grammar.line?.read(reader, draft, name);
  return draft.get([name]);
}

async function writeValue(grammar: Grammar, value: Json, writer: Writer): Promise<Written | null> {
  if (grammar.block !== undefined) return isObject(value) ? writeFields(grammar, value, writer) : null;
  const object: JsonObject = { '': value };
  const [line] = (await grammar.line?.write('', object, writer)) ?? [];
  return line === undefined ? null : { ...line, words: line.words.slice(1) };
}
