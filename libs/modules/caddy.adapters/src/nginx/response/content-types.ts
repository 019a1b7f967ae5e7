/** `types`, `default_type` and `charset`: content types of files by their extension. */
import type { Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { literal } from '../text/regular-expression.ts';
import { setting } from './setting.ts';

/** What nginx knows where no `types` are given. */
const builtIn: readonly (readonly [extension: string, type: string])[] = [
  ['html', 'text/html'],
  ['gif', 'image/gif'],
  ['jpg', 'image/jpeg'],
];

/** Types that `charset` is added to where no `charset_types` are given. */
const charsetTypes = [
  'text/html',
  'text/xml',
  'text/plain',
  'text/vnd.wap.wml',
  'application/javascript',
  'application/rss+xml',
];

/** The placeholder of the content type that the path of a request has by its extension. */
export function contentType(site: Site, scope: Scope): string {
  const fallback = withCharset(scope, scope.value('default_type') ?? 'text/plain');
  const types = typesOf(scope).map(([extension, type]) => [extension, withCharset(scope, type)] as const);
  return site.lookUp('content_type', {
    handler: 'map',
    source: '{http.request.uri.path.file.ext}',
    mappings: [
      { input: '', outputs: [fallback] },
      ...types.map(([extension, type]) => ({ input: `.${extension}`, outputs: [type] })),
      ...inAnyCase(types),
    ],
    defaults: [fallback],
  });
}

/** Extensions whose letters are not the usual ones, an expression per type: they are looked at last. */
function inAnyCase(types: readonly (readonly [extension: string, type: string])[]): Node[] {
  const extensions = new Map<string, string[]>();
  for (const [extension, type] of types) extensions.set(type, [...(extensions.get(type) ?? []), literal(extension)]);
  return [...extensions].map(([type, names]) => ({ input_regexp: `(?i)^\\.(?:${names.join('|')})$`, outputs: [type] }));
}

/** The handlers that give files their content types, also where one is the page of an error. */
export function contentTypeHandlers(site: Site, scope: Scope): Node[] {
  return [setting({ 'Content-Type': contentType(site, scope) }, [2, 4, 5])];
}

function typesOf(scope: Scope): (readonly [string, string])[] {
  const blocks = scope.all('types');
  if (blocks.length === 0) return [...builtIn];
  const types = new Map<string, string>();
  for (const { block } of blocks)
    for (const { name, args } of block ?? []) for (const extension of args) types.set(extension, name);
  return [...types];
}

function withCharset(scope: Scope, type: string): string {
  const charset = scope.value('charset') ?? 'off';
  if (charset === 'off' || charset.startsWith('$') || type.includes('charset=')) return type;
  const types = ['text/html', ...(scope.find('charset_types')?.args ?? charsetTypes)];
  return types.includes(type) || types.includes('*') ? `${type}; charset=${charset}` : type;
}
