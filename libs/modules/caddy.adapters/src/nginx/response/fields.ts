/** `add_header`: fields of responses. */
import { node, passing, subroute, type Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { argument } from '../syntax/directive.ts';
import { expandText, mayBeEmpty } from '../text/expand.ts';

/** Responses that get fields without `always`, and `expires`. */
export const successes: readonly number[] = [200, 201, 204, 206, 301, 302, 303, 304, 307, 308];

/** The handlers of the `add_header` that count here. */
export function fieldHandlers(site: Site, scope: Scope): Node[] {
  return [...plainHandlers(site, scope), ...alwaysHandlers(site, scope)];
}

/** The handlers of the `add_header` without `always`. */
export function plainHandlers(site: Site, scope: Scope): Node[] {
  return adding(
    site,
    fieldsOf(site, scope).filter(({ always }) => !always),
    successes,
  );
}

/** The handlers of the `add_header … always` alone, for errors. */
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
  /** Whether no other field that is added has its name. */
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

/** A field whose value may turn out to be empty is left out then; what only the response tells is not known so early. */
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

/** The value as one placeholder: a matcher looks up no more. */
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
  // One that only the response tells is added and, if it is empty, removed again.
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

/** A placeholder that is the name of a field where its value is empty, and then says what to delete. */
export function emptyField(site: Site, field: string, value: string): string {
  return site.lookUp('empty_field', {
    handler: 'map',
    source: value,
    mappings: [{ input: '', outputs: [field] }],
    defaults: [''],
  });
}
