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
  const fields = fieldsOf(site, scope);
  const plain = fields.filter(({ always }) => !always);
  return [
    ...adding(site, plain, successes),
    ...adding(
      site,
      fields.filter(({ always }) => always),
      null,
    ),
  ];
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
}

function fieldsOf(site: Site, scope: Scope): Field[] {
  return scope.all('add_header').flatMap((directive) => {
    const name = argument(directive, 0, 'a field name and a value');
    const value = expandText(argument(directive, 1, 'a value after the name'), { site, scope, at: directive });
    return value === '' ? [] : [{ name, value, always: directive.args[2] === 'always' }];
  });
}

/** A field whose value may turn out to be empty is left out then; what only the response tells is not known so early. */
function mayBeLeftOut({ value }: Field): boolean {
  return mayBeEmpty(value) && !/\{http\.(?:reverse_proxy|response)\./.test(value);
}

function adding(site: Site, fields: readonly Field[], statuses: readonly number[] | null): Node[] {
  const sure = fields.filter((field) => !mayBeLeftOut(field));
  return [
    ...(sure.length === 0 ? [] : [fieldNode(sure, statuses)]),
    ...fields
      .filter(mayBeLeftOut)
      .map((field) =>
        subroute([passing([fieldNode([field], statuses)], [{ not: [{ vars: { [asOne(site, field)]: [''] } }] }])]),
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

function fieldNode(fields: readonly Field[], statuses: readonly number[] | null): Node {
  const add: Record<string, string[]> = {};
  for (const { name, value } of fields) add[name] = [...(add[name] ?? []), value];
  return {
    handler: 'headers',
    response: node({ add, deferred: true, require: statuses === null ? undefined : { status_code: statuses } }),
  };
}
