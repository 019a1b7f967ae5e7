/** Reads the parts of the configuration schema that forms require. Validation takes place only on the server. */
import { isList, isObject, own, type Json, type JsonObject, type Path } from './json.ts';

/** Description of the values that the schema permits at a path. */
export interface Shape {
  readonly kind: 'object' | 'list' | 'text' | 'number' | 'switch' | 'choice' | 'any';
  readonly description: string;
  /** Schemas of an object's known keys. */
  readonly properties: Readonly<Record<string, JsonObject>>;
  /** Schema of an object's other keys, or `null` if other keys are not permitted. */
  readonly others: JsonObject | null;
  /** Schema of a list's elements. */
  readonly items: JsonObject | null;
  readonly choices: readonly Json[];
  readonly fallback: Json | undefined;
  readonly example: Json | undefined;
}

/** Finds configuration schemas by path. */
export class SchemaReader {
  readonly #root: JsonObject;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** Returns the schema of the value at a path, or `null` if there is none. */
  at(document: Json | undefined, path: Path): JsonObject | null {
    let schema: JsonObject | null = this.#root;
    let value = document;
    for (const key of path) {
      if (schema === null) return null;
      const shape: Shape = this.shape(schema, value);
      schema =
        typeof key === 'number' && shape.items !== null ? shape.items : (shape.properties[String(key)] ?? shape.others);
      value = isList(value) ? value[Number(key)] : own(value, String(key));
    }
    return schema;
  }

  /** Returns the shape of a schema. If the schema has variants, `value` selects one. */
  shape(schema: JsonObject, value: Json | undefined): Shape {
    const flat = this.#flatten(schema, value, 0);
    const { properties, additionalProperties: others, items, enum: choices, const: constant } = flat;
    return {
      kind: kindOf(flat),
      description: typeof flat['description'] === 'string' ? flat['description'] : '',
      properties: isObject(properties) ? (properties as Readonly<Record<string, JsonObject>>) : {},
      others: isObject(others) ? others : others === true ? {} : null,
      items: isObject(items) ? items : null,
      choices: isList(choices) ? choices : constant === undefined ? [] : [constant],
      fallback: flat['default'],
      example: isList(flat['examples']) ? flat['examples'][0] : undefined,
    };
  }

  /** Resolves references and variants of a schema. Descriptions of inner schemas take precedence. */
  #flatten(schema: JsonObject, value: Json | undefined, depth: number): JsonObject {
    const { $ref: reference, allOf: all, anyOf: any, oneOf: one, ...plain } = schema;
    let flat: JsonObject = plain;
    if (depth > 20) return flat;
    const add = (other: JsonObject): void => void (flat = united(flat, this.#flatten(other, value, depth + 1)));
    if (typeof reference === 'string') add(this.#find(reference));
    for (const each of isList(all) ? all : []) {
      if (!isObject(each)) continue;
      const { if: condition, then } = each;
      if (!isObject(condition)) add(each);
      else if (isObject(then) && holds(condition, value)) add(then);
    }
    const variants = [...(isList(any) ? any : []), ...(isList(one) ? one : [])].filter(isObject);
    const fitting = variants.find((each) => fits(this.#flatten(each, value, depth + 1), value)) ?? variants[0];
    if (fitting !== undefined) add(fitting);
    return flat;
  }

  #find(reference: string): JsonObject {
    const name = /^#\/\$defs\/(.+)$/.exec(reference)?.[1]?.replaceAll('~1', '/').replaceAll('~0', '~') ?? '';
    const found = own(this.#root['$defs'], name);
    return isObject(found) ? found : {};
  }
}

function united(near: JsonObject, far: JsonObject): JsonObject {
  const properties = {
    ...(far['properties'] as JsonObject | undefined),
    ...(near['properties'] as JsonObject | undefined),
  };
  const others =
    near['additionalProperties'] === undefined ? far['additionalProperties'] : near['additionalProperties'];
  return {
    ...far,
    ...near,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(others === undefined ? {} : { additionalProperties: others }),
  };
}

/** Evaluates a schema condition that compares keys with constants, such as one that selects a module. */
function holds(condition: JsonObject, value: Json | undefined): boolean {
  const wanted = Object.entries(isObject(condition['properties']) ? condition['properties'] : {});
  return wanted.every(([key, each]) => isObject(each) && own(value, key) === each['const']);
}

function fits({ type }: JsonObject, value: Json | undefined): boolean {
  if (type === undefined || value === undefined) return value !== undefined;
  const types = isList(type) ? type : [type];
  const actual = value === null ? 'null' : isList(value) ? 'array' : typeof value;
  return types.some((each) => each === actual || (each === 'integer' && actual === 'number'));
}

function kindOf({ type, enum: choices, const: constant, properties, items }: JsonObject): Shape['kind'] {
  if (choices !== undefined || constant !== undefined) return 'choice';
  const [first] = isList(type) ? type : [type];
  if (first === 'object' || properties !== undefined) return 'object';
  if (first === 'array' || items !== undefined) return 'list';
  if (first === 'string') return 'text';
  if (first === 'number' || first === 'integer') return 'number';
  return first === 'boolean' ? 'switch' : 'any';
}

/** Returns the initial value of a new field with this shape. */
export function beginning({ kind, choices, example, fallback }: Shape): Json {
  if (fallback !== undefined) return fallback;
  if (kind === 'object') return {};
  if (kind === 'list') return [];
  if (kind === 'switch') return true;
  if (kind === 'choice') return choices[0] ?? '';
  if (kind === 'number') return typeof example === 'number' ? example : 0;
  return '';
}
