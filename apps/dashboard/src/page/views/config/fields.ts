/** What a form shows of an object, and how an edit of a field changes the document: that key alone, whatever else there is. */
import { isObject, own, removeAt, setAt, type Json, type Path } from '../../base/json.ts';
import type { SchemaReader, Shape } from '../../base/schema.ts';

/** A key of an object. */
export interface FormField {
  readonly key: string;
  readonly value: Json;
  /** `null` for a key that the server does not know; it is kept and can be edited as JSON. */
  readonly shape: Shape | null;
}

/** A key that could be added. */
export interface FreeField {
  readonly key: string;
  readonly shape: Shape;
}

/** An object as a form. */
export interface Form {
  readonly fields: readonly FormField[];
  readonly free: readonly FreeField[];
  /** What other keys may hold, where there may be any. */
  readonly others: Shape | null;
}

/** Reads it. Fields stand in the order of the document. */
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

/** The document after a field was given a value, or taken away (`undefined`). */
export function withField(document: Json | undefined, object: Path, key: string, value: Json | undefined): Json {
  const path = [...object, key];
  return value === undefined ? removeAt(document, path) : setAt(document, path, value);
}
