/** Completion and tooltips in the editor, based on the configuration schema. */
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { setAt, valueAt, type Json, type Path } from '../../../base/json.ts';
import { beginning, type SchemaReader } from '../../../base/schema.ts';
import type { EditorPlace } from './place.ts';

/** Schema and location of the edited text, for completion. */
export interface Knowledge {
  readonly reader: SchemaReader;
  readonly place: EditorPlace;
}

type Node = ReturnType<ReturnType<typeof syntaxTree>['resolveInner']>;

/** Returns the possible keys of an object, or the possible values of a key. */
export function completions(context: CompletionContext, knowledge: Knowledge): CompletionResult | null {
  const word = context.matchBefore(/"?[\w@.]*"?/);
  if (word === null || (word.from === word.to && !context.explicit)) return null;
  const { state, pos } = context;
  const node = syntaxTree(state).resolveInner(word.from, 1);
  const inValue = /:\s*$/.test(state.sliceDoc(0, word.from));
  const options = inValue ? valuesAt(state, node, pos, knowledge) : keysAt(state, node, pos, knowledge);
  return options.length === 0
    ? null
    : { from: word.from, to: Math.max(word.to, pos), options, validFor: /^"?[\w@.]*"?$/ };
}

/** Returns the schema description of the key at a position, or `null` if there is none. */
export function explanation(state: EditorState, at: number, knowledge: Knowledge): string | null {
  let node: Node | null = syntaxTree(state).resolveInner(at, 1);
  while (node !== null && node.name !== 'Property') node = node.parent;
  if (node === null) return null;
  const path = pathOf(state, node);
  const { reader, place } = knowledge;
  const document = withText(state, place);
  const schema = reader.at(document, [...place.path, ...path]);
  const text = schema === null ? '' : reader.shape(schema, undefined).description;
  return text === '' ? null : text;
}

function keysAt(state: EditorState, node: Node, at: number, { reader, place }: Knowledge): Completion[] {
  const object = nearest(node, 'Object') ?? nearest(syntaxTree(state).resolveInner(at, -1), 'Object');
  if (object === null) return [];
  const document = withText(state, place);
  const path = [...place.path, ...pathOf(state, object)];
  const schema = reader.at(document, path);
  if (schema === null) return [];
  const { properties } = reader.shape(schema, valueAt(document, path));
  return Object.entries(properties).map(([key, each]) => {
    const shape = reader.shape(each, undefined);
    return {
      label: `"${key}"`,
      apply: `"${key}": ${JSON.stringify(beginning(shape))}`,
      info: shape.description,
      type: 'property',
    };
  });
}

function valuesAt(state: EditorState, node: Node, at: number, { reader, place }: Knowledge): Completion[] {
  const property = nearest(node, 'Property') ?? nearest(syntaxTree(state).resolveInner(at, -1), 'Property');
  if (property === null) return [];
  const schema = reader.at(withText(state, place), [...place.path, ...pathOf(state, property)]);
  const choices = schema === null ? [] : reader.shape(schema, undefined).choices;
  return choices.map((choice) => ({ label: JSON.stringify(choice), type: 'enum' }));
}

function nearest(node: Node, name: string): Node | null {
  let found: Node | null = node;
  while (found !== null && found.name !== name) found = found.parent;
  return found;
}

function pathOf(state: EditorState, node: Node): Path {
  const path: (string | number)[] = [];
  for (let at: Node | null = node; at !== null; at = at.parent) {
    if (at.name === 'Property') path.unshift(keyOf(state, at));
    else if (at.parent?.name === 'Array') path.unshift(indexOf(at));
  }
  return path;
}

function keyOf(state: EditorState, property: Node): string {
  const name = property.getChild('PropertyName');
  if (name === null) return '';
  const text = state.sliceDoc(name.from, name.to);
  try {
    return String(JSON.parse(text));
  } catch {
    return text.replaceAll('"', '');
  }
}

function indexOf(node: Node): number {
  let index = 0;
  for (let before = node.prevSibling; before !== null; before = before.prevSibling)
    if (!/^[[\],⚠]$/.test(before.name)) index += 1;
  return index;
}

/**
 * Returns the configuration with the edited text inserted, or `undefined` if the text is invalid. Values in the text can select the schema
 * of other keys.
 */
function withText(state: EditorState, { document, path }: EditorPlace): Json | undefined {
  try {
    return setAt(document, path, JSON.parse(state.doc.toString()) as Json);
  } catch {
    return document;
  }
}
