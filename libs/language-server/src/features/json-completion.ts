/** Completion for JSON configurations: keys, module names, and enumerated values. */
import { CompletionItemKind, type CompletionItem } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { isArray, own, type Json, type JsonObject } from '@sluice/base';
import type { ModuleDescriptor, Registry } from '@sluice/registry';
import type { JsonNode } from '../json/parse.ts';
import { jsonCursorAt, nodeAt, type JsonCursor } from '../json/places.ts';
import { helpOf, modulesOf, namedModule, ofModule, propertiesOf, shapesAt, type Shape } from '../json/shapes.ts';
import { rangeOf } from '../text/span.ts';
import { markdown } from './markdown.ts';

/** A JSON configuration that is being edited. */
export interface JsonContext {
  readonly document: TextDocument;
  readonly root: JsonNode | null;
  readonly registry: Registry;
  /** True if keys must be quoted. */
  readonly strict: boolean;
}

/** A completion candidate. `value` is the JSON text to insert. */
interface Candidate {
  readonly label: string;
  readonly kind: CompletionItemKind;
  readonly detail?: string;
  readonly help: string;
}

export function completeJson(context: JsonContext, offset: number): CompletionItem[] {
  const { registry, root, document } = context;
  const cursor = jsonCursorAt(root, offset);
  const shapes = root === null ? [] : shapesAt(registry, root, cursor.path);
  if (root === null) return [];
  if (!cursor.inKey)
    return shapes.flatMap((shape) => valuesOf(registry, shape)).map((each) => valueItem(context, each, cursor, offset));
  const node = nodeAt(root, cursor.path);
  const written = new Set(
    node?.kind === 'object'
      ? node.entries.filter(({ keySpan }) => keySpan !== cursor.touched).map(({ key }) => key)
      : [],
  );
  const hasValue = document
    .getText()
    .slice(cursor.touched?.end ?? offset)
    .trimStart()
    .startsWith(':');
  return shapes
    .flatMap((shape) => keysOf(registry, shape, node))
    .filter(({ label }) => !written.has(label))
    .map((each) => keyItem(context, each, { cursor, offset, hasValue }));
}

function keysOf(registry: Registry, shape: Shape, node: JsonNode | null): Candidate[] {
  switch (shape.kind) {
    case 'root': {
      const sections = [...registry.sections()].map(([key, { help }]) =>
        key === 'apps' ? null : property(key, {}, help),
      );
      return [property('apps', {}, 'Apps by name.'), ...sections.filter((each) => each !== null)];
    }
    case 'modules':
      return modulesOf(registry, shape.namespace).map(moduleName);
    case 'module': {
      const module = namedModule(registry, shape, node);
      const name = property(shape.key, {}, `Name of a module in the ${shape.namespace} namespace.`);
      return [name, ...(module === null ? [] : ofModule(module).flatMap((each) => keysOf(registry, each, node)))];
    }
    case 'schema':
      return propertiesOf(shape.schema)
        .filter(([key]) => key !== '@id')
        .map(([key, schema]) => property(key, schema, helpOf(schema)));
    case 'name':
      return [];
  }
}

/** Returns the values that a schema shape allows. */
function valuesOf(registry: Registry, shape: Shape): Candidate[] {
  if (shape.kind === 'name') return modulesOf(registry, shape.namespace).map(moduleName);
  if (shape.kind !== 'schema') return [];
  const { schema } = shape;
  const allowed = own(schema, 'enum');
  const values: readonly Json[] = isArray(allowed) ? allowed : own(schema, 'type') === 'boolean' ? [true, false] : [];
  return values.map((value) => ({
    label: JSON.stringify(value),
    kind: CompletionItemKind.Value,
    help: helpOf(schema),
  }));
}

function moduleName({ name, id, help }: ModuleDescriptor): Candidate {
  return { label: name, kind: CompletionItemKind.Module, detail: id, help };
}

function property(label: string, schema: JsonObject, help: string): Candidate {
  const detail = typeOf(schema);
  return { label, kind: CompletionItemKind.Property, ...(detail === '' ? {} : { detail }), help };
}

/** Returns the types that a schema allows, as display text. */
export function typeOf(schema: JsonObject): string {
  const alternatives = own(schema, 'anyOf');
  if (isArray(alternatives)) {
    const types = alternatives
      .map((each) => typeOf(each as JsonObject))
      .filter((type) => type !== '' && type !== 'null');
    return [...new Set(types)].join(' or ');
  }
  const type = own(schema, 'type');
  return typeof type === 'string' ? type : '';
}

function keyItem(
  { document, strict }: JsonContext,
  candidate: Candidate,
  { cursor, offset, hasValue }: { readonly cursor: JsonCursor; readonly offset: number; readonly hasValue: boolean },
): CompletionItem {
  const { touched } = cursor;
  const bare = !strict && touched !== null && !/^["']/.test(document.getText(rangeOf(document, touched)));
  const key = bare && /^[A-Za-z_$][\w$]*$/.test(candidate.label) ? candidate.label : JSON.stringify(candidate.label);
  return item(document, candidate, {
    newText: hasValue ? key : `${key}: `,
    ...(touched ?? { start: offset, end: offset }),
  });
}

function valueItem(
  { document }: JsonContext,
  candidate: Candidate,
  cursor: JsonCursor,
  offset: number,
): CompletionItem {
  const newText = candidate.kind === CompletionItemKind.Module ? JSON.stringify(candidate.label) : candidate.label;
  return item(document, candidate, { newText, ...(cursor.touched ?? { start: offset, end: offset }) });
}

function item(
  document: TextDocument,
  { label, kind, detail, help }: Candidate,
  { newText, start, end }: { readonly newText: string; readonly start: number; readonly end: number },
): CompletionItem {
  return {
    label,
    kind,
    filterText: newText.replace(/: $/, ''),
    ...(detail === undefined ? {} : { detail }),
    ...(help === '' ? {} : { documentation: markdown(help) }),
    textEdit: { range: rangeOf(document, { start, end }), newText },
  };
}
