/** Translates `types`, `default_type` and `charset`, which determine content types by file extension. */
import type { Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { literal } from '../text/regular-expression.ts';
import { setting } from './setting.ts';

/** nginx's default types. */
const builtIn: readonly (readonly [extension: string, type: string])[] = [
  ['html', 'text/html'],
  ['gif', 'image/gif'],
  ['jpg', 'image/jpeg'],
];

/** Content types that get a `charset` if `charset_types` is not set. */
const charsetTypes = [
  'text/html',
  'text/xml',
  'text/plain',
  'text/vnd.wap.wml',
  'application/javascript',
  'application/rss+xml',
];

/** Returns a placeholder for the content type determined by the extension of the request path. */
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

/** Returns mappings that ignore case, with one regular expression per content type. They are evaluated last. */
function inAnyCase(types: readonly (readonly [extension: string, type: string])[]): Node[] {
  const extensions = new Map<string, string[]>();
  for (const [extension, type] of types) extensions.set(type, [...(extensions.get(type) ?? []), literal(extension)]);
  return [...extensions].map(([type, names]) => ({ input_regexp: `(?i)^\\.(?:${names.join('|')})$`, outputs: [type] }));
}

/** Returns handlers that set the content type of files, including error pages. */
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
