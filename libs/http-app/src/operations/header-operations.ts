/**
 * Operations on header fields, compiled once and used by `headers` and `reverse_proxy`. The order is add, set, delete, replace. There is
 * one exception: deleting `*` comes first, because it would otherwise undo the other operations.
 */
import { compileRegExp, lowerAscii, type SafeRegExp } from '@sluice/base';
import { headerMap, list, map, options, string, strings, type Context, type Options } from '@sluice/registry';
import type { Exchange } from '../exchange/exchange.ts';
import type { HeaderMap } from '@sluice/http1';
import { compileText, type HttpTemplate } from '../placeholders/resolve.ts';

const replacementOptions = options({
  search: string('String to search for.'),
  search_regexp: string('Regular expression (RE2 syntax) to search for.'),
  replace: string('Replacement string. `$1` and `${name}` expand to the capture groups of the expression.'),
});

export const headerOperationFields = {
  add: headerMap('Fields to add, one line per value.'),
  set: headerMap(
    'Fields to set, replacing existing values. Several values are joined with commas, except for Set-Cookie.',
  ),
  delete: strings('Fields to delete: names, `prefix*`, `*suffix`, `*substring*`, or `*` for all fields.'),
  replace: map(
    'Replacements in field values, by field name. `*` = all fields.',
    list('Replacements, in order.', replacementOptions),
  ),
};

export const headerOperationOptions = options(headerOperationFields);

/** A compiled set of header operations. */
export interface HeaderOperations {
  apply(headers: HeaderMap, exchange: Exchange): void;
}

/** Compiled operations on request header fields. The field `Host` refers to the request host. */
export interface RequestHeaderOperations {
  applyToRequest(exchange: Exchange): void;
}

type Config = Options<typeof headerOperationOptions>;
type Operation = (headers: HeaderMap, exchange: Exchange) => void;

/** Compiles header operations. Errors name the option under the path `at`. */
export function compileHeaderOperations(
  config: Config,
  context: Context,
  ...at: string[]
): HeaderOperations & RequestHeaderOperations {
  const operations: Operation[] = [];
  for (const pattern of config.delete ?? []) if (mayBeAll(pattern)) operations.push(deleteAllOperation(pattern));
  for (const [name, values] of entries(config.add)) operations.push(addOperation(name, values));
  for (const [name, values] of entries(config.set)) operations.push(setOperation(name, values));
  for (const pattern of config.delete ?? []) if (pattern !== all) operations.push(deleteOperation(pattern));
  for (const [name, replacements] of Object.entries(config.replace ?? {})) {
    const compiled = (replacements ?? []).map((replacement, i) =>
      compileReplacement(replacement, context, [...at, 'replace', name, i]),
    );
    operations.push(replaceOperation(name, compiled));
  }
  return new CompiledOperations(operations.slice(), mentionsHost(config));
}

/** Use a class, because it needs less memory than closures. Closures would keep the provisioning context alive for each of many routes. */
class CompiledOperations implements HeaderOperations, RequestHeaderOperations {
  readonly #operations: readonly Operation[];
  readonly #touchesHost: boolean;

  constructor(operations: readonly Operation[], touchesHost: boolean) {
    this.#operations = operations;
    this.#touchesHost = touchesHost;
  }

  apply(headers: HeaderMap, exchange: Exchange): void {
    for (const operation of this.#operations) operation(headers, exchange);
  }

  applyToRequest(exchange: Exchange): void {
    exchange.keepOriginalHeaders();
    if (this.#touchesHost) this.#applyWithHost(exchange);
    else this.apply(exchange.headers, exchange);
  }

  /** The request host isn't stored as a header field. Add it temporarily, so that operations can change it. */
  #applyWithHost(exchange: Exchange): void {
    const { headers } = exchange;
    headers.set('host', exchange.host);
    this.apply(headers, exchange);
    const hosts = headers.all('host');
    exchange.host = hosts.at(-1) ?? '';
    headers.delete('host');
  }
}

function entries(fields: Config['add']): [string, readonly string[]][] {
  return Object.entries(fields ?? {}).map(([name, values]) => [name, values ?? []]);
}

/** Reports whether the operations may change the request host. Returns true for any field name with a placeholder. */
function mentionsHost(config: Config): boolean {
  const names = [
    ...Object.keys(config.add ?? {}),
    ...Object.keys(config.set ?? {}),
    ...(config.delete ?? []),
    ...Object.keys(config.replace ?? {}),
  ];
  return names.some((name) => name.toLowerCase() === 'host' || name.includes('*') || name.includes('{'));
}

function compileName(name: string): HttpTemplate {
  return compileText(name, 'keep');
}

function fieldName(name: HttpTemplate, exchange: Exchange): string {
  return lowerAscii(name.constant ?? name.expand(exchange));
}

function addOperation(name: string, values: readonly string[]): Operation {
  const field = compileName(name);
  const texts = values.map((value) => compileText(value, 'keep'));
  return (headers, exchange) => {
    for (const text of texts) headers.append(fieldName(field, exchange), text.expand(exchange));
  };
}

function setOperation(name: string, values: readonly string[]): Operation {
  const field = compileName(name);
  if (values.length > 1 && field.constant?.toLowerCase() === 'set-cookie') return setLinesOperation(values);
  const text = compileText(values.join(','), 'keep');
  const constant = field.constant?.toLowerCase();
  if (constant !== undefined) return (headers, exchange) => headers.set(constant, text.expand(exchange));
  return (headers, exchange) => headers.set(fieldName(field, exchange), text.expand(exchange));
}

/** `Set-Cookie` values can't be joined with commas (RFC 9110 §5.3), so each value becomes a separate field line. */
function setLinesOperation(values: readonly string[]): Operation {
  const add = addOperation('set-cookie', values);
  return (headers, exchange) => {
    headers.delete('set-cookie');
    add(headers, exchange);
  };
}

/** Matches all fields. */
const all = '*';

/**
 * Reports whether the pattern may match all fields. Returns true for a pattern with a placeholder, because the placeholder may expand to
 * `*`.
 */
function mayBeAll(pattern: string): boolean {
  return pattern === all || pattern.includes('{');
}

function deleteAllOperation(pattern: string): Operation {
  const template = compileName(pattern);
  return (headers, exchange) => {
    if (template.expand(exchange) === all) headers.clear();
  };
}

function deleteOperation(pattern: string): Operation {
  const template = compileName(pattern);
  if (template.constant !== null) {
    const matches = fieldPattern(template.constant.toLowerCase());
    if (typeof matches === 'string') return (headers) => void headers.delete(matches);
    return (headers) => headers.deleteWhere(matches);
  }
  return (headers, exchange) => {
    const name = fieldName(template, exchange);
    if (name === all) return;
    const matches = fieldPattern(name);
    if (typeof matches === 'string') headers.delete(matches);
    else headers.deleteWhere(matches);
  };
}

/** Returns a predicate for a pattern with leading or trailing asterisks. Returns any other pattern unchanged, as a field name. */
function fieldPattern(pattern: string): string | ((name: string) => boolean) {
  const starts = pattern.startsWith('*');
  const ends = pattern.endsWith('*');
  if (!starts && !ends) return pattern;
  if (starts && ends) {
    const inside = pattern.slice(1, -1);
    return (name) => name.includes(inside);
  }
  const part = starts ? pattern.slice(1) : pattern.slice(0, -1);
  return starts ? (name) => name.endsWith(part) : (name) => name.startsWith(part);
}

type Replace = (value: string, exchange: Exchange) => string;

function compileReplacement(
  config: Options<typeof replacementOptions> | null,
  context: Context,
  at: readonly (string | number)[],
): Replace {
  const search = config?.search ?? '';
  const pattern = config?.search_regexp ?? '';
  const replacement = compileText(config?.replace ?? '', 'keep');
  if (pattern !== '') {
    if (search !== '') throw context.error('has both search and search_regexp; keep one of them', ...at);
    let expression: SafeRegExp;
    try {
      expression = compileRegExp(pattern);
    } catch (error) {
      throw context.error((error as Error).message, ...at, 'search_regexp');
    }
    return (value, exchange) => expression.replaceAll(value, replacement.expand(exchange));
  }
  const searched = compileText(search, 'keep');
  return (value, exchange) => value.replaceAll(searched.expand(exchange), () => replacement.expand(exchange));
}

function replaceOperation(name: string, replacements: readonly Replace[]): Operation {
  const field = compileName(name);
  return (headers, exchange) => {
    const wanted = fieldName(field, exchange);
    for (let i = 0; i < headers.size; i++) {
      if (wanted !== '*' && headers.names[i] !== wanted) continue;
      let value = headers.valueAt(i);
      for (const replace of replacements) value = replace(value, exchange);
      headers.values[i] = value;
    }
  };
}
