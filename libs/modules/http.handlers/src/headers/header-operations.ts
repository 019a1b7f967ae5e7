/** Operations on header fields: `NAME VALUE`, `+NAME VALUE`, `-NAME`, `?NAME VALUE`, `>NAME VALUE`, `NAME FIND REPLACE`. */
import { asJson, compact, dictionary, type Dispenser } from '@sluice/caddyfile';
import { canonicalHeaderName, type Json, type JsonObject } from '@sluice/base';

/** Collects operations. */
export class HeaderOperations {
  readonly #response: boolean;
  readonly #add: Record<string, string[]> = dictionary<string[]>();
  readonly #set: Record<string, string[]> = dictionary<string[]>();
  readonly #delete: string[] = [];
  readonly #replace: Record<string, Json[]> = dictionary<Json[]>();
  /** Fields that a response must not have yet. */
  readonly absent: string[] = [];
  deferred = false;

  /** `response` tells whether the fields are those of responses, which have more operations. */
  constructor(response: boolean) {
    this.#response = response;
  }

  /** Reads the operation on a field from the words after the cursor. */
  read(field: string, reader: Dispenser): void {
    const value = reader.nextArgument() ? reader.value : '';
    this.apply(field, value, reader.nextArgument() ? reader.value : undefined, reader);
  }

  /** Adds an operation. */
  apply(written: string, value: string, replacement: string | undefined, reader: Dispenser): void {
    const field = written.endsWith(':') ? written.slice(0, -1) : written;
    const name = field.slice(1);
    if (field.startsWith('+')) (this.#add[canonicalHeaderName(name)] ??= []).push(value);
    else if (field.startsWith('-')) this.#remove(name);
    else if (field.startsWith('?')) this.#setDefault(name, value, reader);
    else if (replacement !== undefined) this.#replaceIn(field, value, replacement);
    else if (field.startsWith('>')) this.#setLate(name, value);
    else this.#set[canonicalHeaderName(field)] = [value];
  }

  #remove(name: string): void {
    this.#delete.push(name);
    if (this.#response) this.deferred = true;
  }

  #setDefault(name: string, value: string, reader: Dispenser): void {
    if (!this.#response) {
      throw reader.error(
        `${name}: the default header modifier ('?') can only be used on response headers; for conditional manipulation of request headers, use matchers`,
      );
    }
    this.absent.push(name);
    this.#set[canonicalHeaderName(name)] = [value];
  }

  #setLate(name: string, value: string): void {
    this.#set[canonicalHeaderName(name)] = [value];
    if (this.#response) this.deferred = true;
  }

  #replaceIn(field: string, find: string, replacement: string): void {
    const late = field.startsWith('>');
    const name = late ? field.slice(1) : field;
    (this.#replace[name] ??= []).push(compactReplacement(find, replacement));
    if (late && this.#response) this.deferred = true;
  }

  /** The operations as options have them. */
  json(): JsonObject {
    return compact({
      add: asJson(this.#add),
      set: asJson(this.#set),
      delete: this.#delete,
      replace: asJson(this.#replace),
    });
  }
}

function compactReplacement(find: string, replacement: string): JsonObject {
  return compact({ search_regexp: find, replace: replacement });
}
