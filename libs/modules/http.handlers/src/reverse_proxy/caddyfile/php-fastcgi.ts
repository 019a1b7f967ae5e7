/**
 * `php_fastcgi [matcher] UPSTREAM… { root …; split …; env …; index …; try_files …; … }`: routes as PHP sites want them.
 * Folders with an index get a slash, other paths are rewritten to what is there, and what is PHP goes to the upstream.
 */
import {
  asJson,
  compact,
  moduleObject,
  subrouteHandler,
  type ConfigValue,
  type DirectiveReader,
  type MatcherSetConfig,
  type RouteConfig,
} from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { FastCgiOptions } from './fastcgi-options.ts';
import { readProxyOption } from './options.ts';
import { ProxyDraft } from './proxy-draft.ts';

/** Makes the routes. With a matcher they stand in a route of their own. */
export function phpFastcgi(reader: DirectiveReader): readonly ConfigValue[] {
  const match = reader.matcher();
  const draft = new ProxyDraft();
  const options = new FastCgiOptions();
  for (const address of reader.remaining()) draft.addUpstream(address, reader);
  for (const option of reader.block()) {
    if (options.read(option, reader) || readProxyOption(option, draft, reader)) continue;
    throw reader.error(`unrecognized subdirective ${option}`);
  }
  draft.transport = { name: 'fastcgi', options: options.transport() };
  const proxy = moduleObject('handler', 'reverse_proxy', draft.json(reader));
  const php: RouteConfig = { match: [{ path: options.split.map((suffix) => `*${suffix}`) }], handle: [proxy] };
  const routes = [...rewrites(options), php];
  if (match !== undefined) return reader.route(match, subrouteHandler(routes));
  return [{ pile: 'route', value: { routes } }];
}

function rewrites({ index, tryFiles, split }: FastCgiOptions): RouteConfig[] {
  if (index === 'off') return [];
  const inFolder = `{http.request.uri.path}/${index}`;
  const usual = tryFiles.length === 0;
  const files = usual ? ['{http.request.uri.path}', inFolder, index] : tryFiles;
  const last = files.at(-1) ?? '';
  const fallback = usual || (files.length > 0 && last.endsWith('.php'));
  const file = compact({
    try_files: asJson(files),
    try_policy: fallback ? 'first_exist_fallback' : '',
    split_path: asJson(split),
  });
  const rewrite: RouteConfig = {
    match: [{ file }],
    handle: [moduleObject('handler', 'rewrite', { uri: '{http.matchers.file.relative}' })],
  };
  return files.includes(inFolder) ? [folderRedirect(inFolder), rewrite] : [rewrite];
}

/** A folder with an index is redirected to its path with a slash. */
function folderRedirect(inFolder: string): RouteConfig {
  const match: MatcherSetConfig = { file: { try_files: [inFolder] }, not: [{ path: ['*/'] }] };
  const to = './{http.request.orig_uri.path.file_escaped}/{http.request.orig_uri.prefixed_query}';
  const redirect: Json = moduleObject('handler', 'static_response', { headers: { Location: [to] }, status_code: 308 });
  return { match: [match], handle: [redirect] };
}
