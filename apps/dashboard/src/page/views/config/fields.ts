/** Form fields for an object. Editing a field changes only the value of its key. */
import { isObject, own, removeAt, setAt, type Json, type Path } from '../../base/json.ts';
import type { SchemaReader, Shape } from '../../base/schema.ts';

export interface FormField {
  readonly key: string;
  readonly value: Json;
  /** Shape of the value. `null` for unknown keys, which are kept and can be edited as JSON. */
  readonly shape: Shape | null;
}

/** A field that can be added to the object. */
export interface FreeField {
  readonly key: string;
  readonly shape: Shape;
}

export interface Form {
  readonly fields: readonly FormField[];
  readonly free: readonly FreeField[];
  /** Shape of other keys, or `null` if other keys are not permitted. */
  readonly others: Shape | null;
}

/** Returns the form for an object, with the fields in document order. */
export function formOf(reader: SchemaReader, shape: Shape, value: Json | undefined): Form {
  const object = isObject(value) ? value : {};
  const shapeOf = (key: string): Shape | null => {
    const schema = Object.hasOwn(shape.properties, key) ? shape.properties[key] : shape.others;
    return schema === null || schema === undefined ? null : reader.shape(schema, own(object, key));
  };
  return {
    fields: Object.entries(object).map(([key, item]) => ({ key, value: item, shape: shapeOf(key) })),
    free: Object.keys(shape.properties)
      .filter((key) => !Object.hasOwn(object, key))
      .flatMap((key) => {
        const found = shapeOf(key);
        return found === null ? [] : [{ key, shape: found }];
      }),
    others: shape.others === null ? null : reader.shape(shape.others, undefined),
  };
}

/** Returns a copy of the document with a new value for a field. `undefined` removes the field. */
export function withField(document: Json | undefined, object: Path, key: string, value: Json | undefined): Json {
  const path = [...object, key];
  return value === undefined ? removeAt(document, path) : setAt(document, path, value);
}
