/** nginx snippets in annotations, converted by the server's nginx adapter. */
import { isArray, isObject, listAt, objectAt, own, type Json, type JsonObject } from '@sluice/base';
import type { AnnotationName } from '../annotations/table.ts';
import type { Snippet } from '../objects.ts';
import { ingressTargets, type IngressScope } from '../scope.ts';
import { expanded } from './redirects.ts';

/** Directives that a snippet may contain. Other directives are ignored by the adapter or have no meaning in a location. */
const supported: ReadonlySet<string> = new Set(
  (
    'add_header allow break client_max_body_size deny expires if proxy_connect_timeout proxy_hide_header ' +
    'proxy_read_timeout proxy_send_timeout proxy_set_header return rewrite satisfy set'
  ).split(' '),
);

const marker = 'sluice-ingress-backend';

/** Returns a complete nginx configuration, in which a location contains the snippet. */
export function snippetConfiguration(snippet: string): string {
  return `events {}
http {
  server {
    listen 80;
    location / {
      client_max_body_size 0;
${snippet}
      proxy_pass http://${marker};
    }
  }
}
`;
}

/** Returns the handlers of the snippet's location. Redirects use the default port of their scheme. */
export function readSnippet(adapted: JsonObject): Snippet {
  const [server] = Object.values(objectAt(adapted, ['apps', 'http', 'servers']));
  const handlers = listAt(objectAt(server ?? null, ['named_routes', 'server.locations']), ['handle']);
  const text = JSON.stringify(handlers).replaceAll('{nginx.redirect_port}', '');
  if (handlers.length === 0 || text.includes('"handler":"invoke"'))
    return { handlers: [], error: 'the snippet refers to other locations, which is not supported' };
  return { handlers: JSON.parse(text) as readonly object[], error: null };
}

/** Returns a function that surrounds the backend's handlers with the handlers of the snippets. */
export function snippetsOf(scope: IngressScope): (backend: readonly JsonObject[]) => readonly JsonObject[] {
  const wraps = (['server-snippet', 'configuration-snippet'] as const).map((name) => wrapping(name, scope));
  return (backend) => wraps.reduceRight((inner, wrap) => wrap(inner), backend);
}

function wrapping(
  name: AnnotationName,
  scope: IngressScope,
): (backend: readonly JsonObject[]) => readonly JsonObject[] {
  const snippet = checkedSnippet(name, scope);
  if (snippet === null) return (backend) => backend;
  scope.dependsOn.add(ingressTargets.snippet(snippet));
  const result = scope.view.snippet(snippet);
  // Refuse the Ingress. Without the snippet, the location could accept requests that the snippet would reject.
  if (result === null) return scope.annotations.refuse(name, 'the snippet has not been checked yet');
  if (result.error !== null) return scope.annotations.refuse(name, result.error);
  return (backend) =>
    (result.handlers as readonly JsonObject[]).map((each) => replaceProxy(each, backend) as JsonObject);
}

function checkedSnippet(name: AnnotationName, { annotations, settings }: IngressScope): string | null {
  const text = annotations.text(name);
  if (text === undefined) return null;
  if (!settings.allowSnippets) {
    annotations.warn(name, 'snippets are disabled unless allow_snippets is set; this annotation is ignored');
    return null;
  }
  const { statements, problem } = statementsOf(text);
  if (problem !== null) return annotations.refuse(name, problem);
  for (const { directive } of statements)
    if (!supported.has(directive) && directive !== 'more_set_headers' && directive !== '}')
      annotations.warn(name, `directive ${directive} is not supported`);
  const kept = statements.map(({ directive, text: each }) =>
    directive === 'more_set_headers' ? moreSetHeaders(each) : supported.has(directive) || directive === '}' ? each : '',
  );
  return kept.join('\n');
}

interface Statement {
  readonly directive: string;
  readonly text: string;
}

/** Splits a snippet into statements. Braces must be balanced, because an unmatched brace would end the enclosing location. */
function statementsOf(text: string): { readonly statements: readonly Statement[]; readonly problem: string | null } {
  const statements: Statement[] = [];
  let [start, depth, quote] = [0, 0, ''];
  for (let i = 0; i < text.length; i++) {
    const character = text[i] ?? '';
    if (quote !== '') {
      if (character === '\\') i++;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '\\') i++;
    else if (character === '#' && /(?:^|[\s;{}])$/.test(text.slice(0, i))) {
      const end = text.indexOf('\n', i);
      text = text.slice(0, i) + (end < 0 ? '' : text.slice(end));
      i--;
    } else if (';{}'.includes(character) && !(character === '{' && text[i - 1] === '$') && !isVariableEnd(text, i)) {
      depth += character === '{' ? 1 : character === '}' ? -1 : 0;
      if (depth < 0) return { statements: [], problem: 'the snippet has an unexpected "}"' };
      const statement = text.slice(start, i + 1).trim();
      const [directive = ''] = /^[^\s;{(]+/.exec(statement) ?? [];
      if (directive !== '') statements.push({ directive, text: statement });
      start = i + 1;
    }
  }
  const isComplete = depth === 0 && quote === '' && text.slice(start).trim() === '';
  return { statements, problem: isComplete ? null : 'the snippet is incomplete; a ";", "}" or quote is missing' };
}

function isVariableEnd(text: string, at: number): boolean {
  return text[at] === '}' && /\$\{\w*$/.test(text.slice(0, at));
}

/** Converts `more_set_headers "Name: value"` of the headers-more module. */
function moreSetHeaders(statement: string): string {
  const fields = [...statement.matchAll(/["']([^"':]+):\s*([^"']*)["']/g)];
  return fields.map(([, name = '', value = '']) => `add_header ${name} "${value}" always;`).join('\n');
}

/** Replaces the proxy placeholder with the backend's handlers. Applies the snippet's header operations to the backend. */
function replaceProxy(json: Json, backend: readonly JsonObject[]): Json {
  if (isArray(json))
    return json.flatMap((each): readonly Json[] =>
      isMarked(each) ? withFields(each, backend) : [replaceProxy(each, backend)],
    );
  if (!isObject(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, replaceProxy(value, backend)]));
}

function isMarked(json: Json): json is JsonObject {
  return (
    isObject(json) && own(json, 'handler') === 'reverse_proxy' && JSON.stringify(json['upstreams']).includes(marker)
  );
}

function withFields(marked: JsonObject, backend: readonly JsonObject[]): readonly JsonObject[] {
  const { Host: host, ...set } = objectAt(marked, ['headers', 'request', 'set']);
  const fields = JSON.stringify(host) === JSON.stringify([marker]) || host === undefined ? set : { ...set, Host: host };
  const hidden = listAt(objectAt(marked, ['headers', 'response']), ['delete']).filter((each) => each !== 'Via');
  return [
    ...(Object.keys(fields).length === 0 ? [] : [{ handler: 'headers', request: { set: fields } }]),
    ...(hidden.length === 0 ? [] : [{ handler: 'headers', response: { delete: hidden, deferred: true } }]),
    ...backend,
  ];
}

/** Returns the request fields that a snippet sets with `proxy_set_header`. */
export function fieldsInSnippet(
  name: AnnotationName,
  { annotations, settings }: IngressScope,
): Record<string, readonly string[]> {
  const text = annotations.text(name);
  if (text === undefined) return {};
  if (!settings.allowSnippets) {
    annotations.warn(name, 'snippets are disabled unless allow_snippets is set; this annotation is ignored');
    return {};
  }
  const fields: Record<string, readonly string[]> = {};
  for (const { directive, text: statement } of statementsOf(text).statements) {
    const [, field = '', , quoted, bare] =
      /^proxy_set_header\s+([\w-]+)\s+(?:(["'])(.*)\2|(\S+?))\s*;$/s.exec(statement) ?? [];
    if (field === '') annotations.warn(name, `directive ${directive} is not supported`);
    else fields[field] = [expanded(name, quoted ?? bare ?? '', annotations)];
  }
  return fields;
}
