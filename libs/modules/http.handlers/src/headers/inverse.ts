/** Header operations as `header` and `request_header`. */
import { isArray, isObject, type Json, type JsonObject } from '@sluice/base';
import { objectAt, responseMatcherLine, words, type Line, type WriteDirective, type Written } from '@sluice/caddyfile';

/** `header FIELD VALUE`, or a block where there are several. */
export const header: WriteDirective = ({ response, request }) => {
  if (!isObject(response) || request !== undefined) return null;
  const { require, deferred, ...operations } = response;
  if (isDefault(require)) return joined(defaultLines(operations, require));
  const lines = operationLines(operations);
  if (require !== undefined) lines.push(responseMatcherLine('match', require));
  const late = deferred === true && operations['delete'] === undefined;
  return joined(late ? [...lines, { words: ['defer'] }] : lines);
};

/** `request_header FIELD VALUE` */
export const requestHeader: WriteDirective = ({ request, response }) =>
  isObject(request) && response === undefined ? joined(operationLines(request)) : null;

/** Fields that are set only where a response has none of that name. */
function isDefault(require: Json | undefined): boolean {
  const { headers, status_code: statuses } = isObject(require) ? require : {};
  if (!isObject(headers) || statuses !== undefined) return false;
  return Object.values(headers).every((value) => value === null);
}

/** Values for fields that a response does not have, under the names that it is asked for. */
function defaultLines(operations: JsonObject, require: Json | undefined): Line[] {
  const asked = objectAt(require, ['headers']);
  return Object.entries(objectAt(operations, ['set'])).map(([field, values]) => {
    const name = Object.keys(asked).find((each) => each.toLowerCase() === field.toLowerCase()) ?? field;
    return { words: [`?${name}`, ...words(values)] };
  });
}

function joined(lines: readonly Line[]): Written {
  const [only] = lines;
  return lines.length === 1 && only?.block === undefined ? { words: only?.words ?? [] } : { block: lines };
}

/** A line for each operation. */
export function operationLines({ add, set, delete: removed, replace }: JsonObject): Line[] {
  const lines: Line[] = [];
  for (const [field, values] of fieldsOf(add)) {
    for (const value of words(values)) lines.push({ words: [`+${field}`, value] });
  }
  for (const [field, values] of fieldsOf(set)) lines.push({ words: [field, ...words(values)] });
  for (const field of words(removed)) lines.push({ words: [`-${field}`] });
  for (const [field, values] of fieldsOf(replace)) {
    for (const each of isArray(values) ? values : []) {
      const { search_regexp: find = '', replace: to = '' } = isObject(each) ? each : {};
      lines.push({ words: [field, ...words(find), ...words(to)] });
    }
  }
  return lines;
}

function fieldsOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isObject(value) ? Object.entries(value) : [];
}
