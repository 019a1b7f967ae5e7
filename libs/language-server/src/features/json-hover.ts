/** Hover help for JSON configurations. */
import type { Hover, MarkupContent } from 'vscode-languageserver/node';
import { isArray, own, type ConfigPath, type Json } from '@sluice/base';
import type { Registry } from '@sluice/registry';
import type { JsonNode } from '../json/parse.ts';
import { jsonCursorAt, keySpanAt, nodeAt } from '../json/places.ts';
import { helpOf, moduleOf, namedModule, ofModule, propertiesOf, shapesAt, type Shape } from '../json/shapes.ts';
import { rangeOf } from '../text/span.ts';
import { typeOf, type JsonContext } from './json-completion.ts';
import { markdown } from './markdown.ts';

/** Returns the hover text for the key or module name at an offset. */
export function hoverJson({ document, root, registry }: JsonContext, offset: number): Hover | null {
  const cursor = jsonCursorAt(root, offset);
  if (root === null || cursor.touched === null) return null;
  const range = rangeOf(document, cursor.touched);
  if (!cursor.inKey) {
    const node = nodeAt(root, cursor.path);
    const name = node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : null;
    const shape = shapesAt(registry, root, cursor.path).find(({ kind }) => kind === 'name');
    if (name !== null && shape?.kind === 'name') return hover(moduleHelp(registry, shape.namespace, name), range);
    const key = keySpanAt(root, cursor.path);
    return key.start === cursor.touched.start ? null : hover(keyHelp(registry, root, cursor.path), range);
  }
  const node = nodeAt(root, cursor.path);
  const entry = node?.kind === 'object' ? node.entries.find(({ keySpan }) => keySpan === cursor.touched) : undefined;
  return entry === undefined ? null : hover(keyHelp(registry, root, [...cursor.path, entry.key]), range);
}

function hover(contents: MarkupContent | null, range: Hover['range']): Hover | null {
  return contents === null || range === undefined ? null : { contents, range };
}

function keyHelp(registry: Registry, root: JsonNode, path: ConfigPath): MarkupContent | null {
  const key = path.at(-1) ?? '';
  const around = path.slice(0, -1);
  const node = nodeAt(root, around);
  for (const shape of shapesAt(registry, root, around)) {
    const help = helpIn(registry, shape, node, key);
    if (help !== null) return help;
  }
  return null;
}

function helpIn(registry: Registry, shape: Shape, node: JsonNode | null, key: string): MarkupContent | null {
  switch (shape.kind) {
    case 'root': {
      const section = registry.sections().get(key);
      return key === 'apps' ? markdown('Apps by name.') : section === undefined ? null : markdown(section.help);
    }
    case 'modules':
      return moduleHelp(registry, shape.namespace, key);
    case 'module': {
      if (key === shape.key) return markdown(`Name of a module in the \`${shape.namespace}\` namespace.`);
      const module = namedModule(registry, shape, node);
      const shapes = module === null ? [] : ofModule(module);
      return shapes.map((each) => helpIn(registry, each, node, key)).find((help) => help !== null) ?? null;
    }
    case 'schema': {
      const schema = propertiesOf(shape.schema).find(([name]) => name === key)?.[1];
      if (schema === undefined) return null;
      const facts = [typeOf(schema), valuesIn(schema)].filter((fact) => fact !== '').join(', ');
      return markdown(`\`${key}\`${facts === '' ? '' : `: ${facts}`}`, helpOf(schema), defaultOf(schema));
    }
    case 'name':
      return null;
  }
}

function moduleHelp(registry: Registry, namespace: string, name: string): MarkupContent | null {
  const module = moduleOf(registry, namespace, name);
  return module === null ? null : markdown(`\`${module.id}\``, module.help);
}

/** Returns the value of a schema keyword, from the schema or from one of its alternatives. */
function keyword(schema: Readonly<Record<string, Json>>, name: string): Json | undefined {
  const alternatives = own(schema, 'anyOf');
  if (!isArray(alternatives)) return own(schema, name);
  return alternatives.map((each) => own(each as Record<string, Json>, name)).find((value) => value !== undefined);
}

function valuesIn(schema: Readonly<Record<string, Json>>): string {
  const values = keyword(schema, 'enum');
  return isArray(values) ? values.map((value) => `\`${JSON.stringify(value)}\``).join(', ') : '';
}

function defaultOf(schema: Readonly<Record<string, Json>>): string {
  const value = keyword(schema, 'default');
  return value === undefined ? '' : `Default: \`${JSON.stringify(value)}\``;
}
