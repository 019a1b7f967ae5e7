/** `types`, `default_type` and `charset`: content types of files by their extension. */
import type { Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { setting } from '../response/setting.ts';

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

/** The type of what has no extension, or an unknown one. */
export function defaultType(_site: Site, scope: Scope): string {
  return withCharset(scope, scope.value('default_type') ?? 'text/plain');
}

/** The handlers that give files their content types. */
export function contentTypeHandlers(site: Site, scope: Scope): Node[] {
  const placeholder = 'nginx.content_type';
  const mappings = typesOf(scope).map(([extension, type]) => ({
    input: `.${extension}`,
    outputs: [withCharset(scope, type)],
  }));
  return [
    {
      handler: 'map',
      source: '{http.request.uri.path.file.ext}',
      destinations: [`{${placeholder}}`],
      mappings,
      defaults: [defaultType(site, scope)],
    },
    setting({ 'Content-Type': `{${placeholder}}` }, [200, 206]),
  ];
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
  const types = scope.find('charset_types')?.args ?? charsetTypes;
  return types.includes(type) || types.includes('*') ? `${type}; charset=${charset}` : type;
}
