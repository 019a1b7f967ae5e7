/** Translates `add_header`, which adds response headers. */
import { node, passing, subroute, type Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { argument } from '../syntax/directive.ts';
import { expandText, mayBeEmpty } from '../text/expand.ts';

/** Response statuses to which `expires` applies, as well as `add_header` without `always`. */
export const successes: readonly number[] = [200, 201, 204, 206, 301, 302, 303, 304, 307, 308];

/** Returns the handlers for the `add_header` directives that apply. */
export function fieldHandlers(site: Site, scope: Scope): Node[] {
  return [...plainHandlers(site, scope), ...alwaysHandlers(site, scope)];
}

/** Returns the handlers for `add_header` without `always`. */
export function plainHandlers(site: Site, scope: Scope): Node[] {
  return adding(
    site,
    fieldsOf(site, scope).filter(({ always }) => !always),
    successes,
  );
}

/** Returns the handlers for `add_header … always`, which also apply to errors. */
export function alwaysHandlers(site: Site, scope: Scope): Node[] {
  return adding(
    site,
    fieldsOf(site, scope).filter(({ always }) => always),
    null,
  );
}

interface Field {
  readonly name: string;
  readonly value: string;
  readonly always: boolean;
  /** True if this is the only added header with its name. */
  readonly alone: boolean;
}

function fieldsOf(site: Site, scope: Scope): Field[] {
  const directives = scope.all('add_header');
  return directives.flatMap((directive) => {
    const name = argument(directive, 0, 'a field name and a value');
    const value = expandText(argument(directive, 1, 'a value after the name'), { site, scope, at: directive });
    const alone = directives.every(
      (other) => other === directive || other.args[0]?.toLowerCase() !== name.toLowerCase(),
    );
    return value === '' ? [] : [{ name, value, always: directive.args[2] === 'always', alone }];
  });
}

/**
 * Reports whether a header must be omitted because its value may be empty. Returns false for values from the response, which become
 * available too late for this check.
 */
function mayBeLeftOut({ value }: Field): boolean {
  return mayBeEmpty(value) && !/\{(?:http\.(?:reverse_proxy|response)|nginx\.response)\b/.test(value);
}

function adding(site: Site, fields: readonly Field[], statuses: readonly number[] | null): Node[] {
  const sure = fields.filter((field) => !mayBeLeftOut(field));
  return [
    ...(sure.length === 0 ? [] : [fieldNode(site, sure, statuses)]),
    ...fields
      .filter(mayBeLeftOut)
      .map((field) =>
        subroute([
          passing([fieldNode(site, [field], statuses)], [{ not: [{ vars: { [asOne(site, field)]: [''] } }] }]),
        ]),
      ),
  ];
}

/** Returns the value as a single placeholder, because a matcher can look up only one placeholder. */
function asOne(site: Site, { value }: Field): string {
  if (value.indexOf('}') === value.length - 1) return value;
  return site.lookUp('joined', {
    handler: 'map',
    source: value,
    mappings: [{ input: '', outputs: [''] }],
    defaults: ['1'],
  });
}

function fieldNode(site: Site, fields: readonly Field[], statuses: readonly number[] | null): Node {
  const add: Record<string, string[]> = {};
  for (const { name, value } of fields) add[name] = [...(add[name] ?? []), value];
  // A header with a value from the response is added, and then removed if it is empty.
  const empty = fields
    .filter(({ value, alone }) => alone && mayBeEmpty(value))
    .map(({ name, value }) => emptyField(site, name, value));
  return {
    handler: 'headers',
    response: node({
      add,
      delete: empty.length === 0 ? undefined : empty,
      deferred: true,
      require: statuses === null ? undefined : { status_code: statuses },
    }),
  };
}

/** Returns a placeholder for a delete operation. It expands to the header name if the value is empty. */
export function emptyField(site: Site, field: string, value: string): string {
  return site.lookUp('empty_field', {
    handler: 'map',
    source: value,
    mappings: [{ input: '', outputs: [field] }],
    defaults: [''],
  });
}
