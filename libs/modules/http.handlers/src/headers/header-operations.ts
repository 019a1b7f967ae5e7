/** Syntax of header operations: `NAME VALUE`, `+NAME VALUE`, `-NAME`, `?NAME VALUE`, `>NAME VALUE`, `NAME FIND REPLACE`. */
import { canonicalHeaderName, isArray, isObject, type Json, type JsonObject } from '@sluice/base';
import { asJson, compact, dictionary, objectAt, words, type Dispenser, type Line } from '@sluice/caddyfile';

export class HeaderOperations {
  readonly #response: boolean;
  readonly #add = dictionary<string[]>();
  readonly #set = dictionary<string[]>();
  readonly #delete: string[] = [];
  readonly #replace = dictionary<Json[]>();
  /** Header fields that must be absent from the response for the operations to apply. */
  readonly absent: string[] = [];
  deferred = false;

  /** `response` is true for response headers, which support more operations. */
  constructor(response: boolean) {
    this.#response = response;
  }

  /** Parses an operation on a header from the words after the cursor. */
  read(field: string, reader: Dispenser): void {
    const value = reader.nextArgument() ? reader.value : '';
    this.apply(field, value, reader.nextArgument() ? reader.value : undefined, reader);
  }

  apply(written: string, value: string, replacement: string | undefined, reader: Dispenser): void {
    const [, sign = '', name = ''] = /^([+\-?>]?)(.*?):?$/s.exec(written) ?? [];
    const field = canonicalHeaderName(name);
    if (sign === '+') (this.#add[field] ??= []).push(value);
    else if (sign === '-') this.#delete.push(name);
    else if (sign === '?' && !this.#response)
      throw reader.error(
        `${name}: the default header modifier ('?') can only be used on response headers; for conditional manipulation of request headers, use matchers`,
      );
    else if (replacement === undefined || sign === '?') this.#set[field] = [value];
    else (this.#replace[name] ??= []).push(compact({ search_regexp: value, replace: replacement }));
    if (sign === '?') this.absent.push(name);
    if (this.#response && (sign === '-' || sign === '>')) this.deferred = true;
  }

  json(): JsonObject {
    const { add, set, replace } = { add: this.#add, set: this.#set, replace: this.#replace };
    return compact({ add: asJson(add), set: asJson(set), delete: this.#delete, replace: asJson(replace) });
  }
}

export function operationLines({ add, set, delete: removed, replace }: JsonObject): Line[] {
  const entries = (value: Json | undefined): [string, Json][] => Object.entries(objectAt(value, []));
  return [
    ...entries(add).flatMap(([field, values]) => words(values).map((value) => ({ words: [`+${field}`, value] }))),
    ...entries(set).map(([field, values]) => ({ words: [field, ...words(values)] })),
    ...words(removed).map((field) => ({ words: [`-${field}`] })),
    ...entries(replace).flatMap(([field, values]) =>
      (isArray(values) ? values : []).map((each) => {
        const { search_regexp: find = '', replace: to = '' } = isObject(each) ? each : {};
        return { words: [field, ...words(find), ...words(to)] };
      }),
    ),
  ];
}
