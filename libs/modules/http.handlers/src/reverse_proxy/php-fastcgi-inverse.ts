/** The routes of a PHP site as `php_fastcgi`. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import {
  durationWord,
  keyedLines,
  listAt,
  noWords,
  objectAt,
  optionLines,
  valueAt,
  words,
  written,
  type Line,
  type WriteDirective,
  type WriteSequence,
  type Writer,
  type WrittenSequence,
} from '@sluice/caddyfile';
import { proxyLines } from './inverse.ts';

/** `php_fastcgi UPSTREAM… { … }` for the two or three routes that it makes. */
export const phpRoutes: WriteSequence = (routes, writer) => {
  const at = routes.slice(0, 3).findIndex((route) => transportOf(route)['protocol'] === 'fastcgi');
  const php = routes[at];
  return php === undefined ? null : writePhp(routes.slice(0, at), php, writer);
};

/** `php_fastcgi MATCHER UPSTREAM… { … }`: its routes stand in one of their own. */
export const phpSubroute: WriteDirective = async (handler, writer) => {
  const routes = listAt(handler, ['routes']);
  const found = await phpRoutes(routes, writer);
  return found === null || found.taken !== routes.length ? null : written(found.words ?? [], found.block ?? []);
};

async function writePhp(before: readonly Json[], php: Json, writer: Writer): Promise<WrittenSequence | null> {
  const [handler, ...more] = listAt(php, ['handle']);
  if (!isObject(handler) || more.length > 0) return null;
  const { transport: _transport, ...proxy } = handler;
  const { words: upstreams, block } = await proxyLines(proxy, writer);
  const suffixes = words(transportOf(php)['split_path']);
  const options = [...indexLines(before), ...transportLines(transportOf(php), suffixes), ...block];
  return { ...written(upstreams, options), taken: before.length + 1 };
}

function transportOf(route: Json | undefined): JsonObject {
  return objectAt(listAt(route, ['handle'])[0], ['transport']);
}

function transportLines(transport: JsonObject, suffixes: readonly string[]): Line[] {
  return [
    ...optionLines(transport, [['root', 'root']]),
    ...(suffixes.join() === '.php' ? [] : [{ words: ['split', ...suffixes] }]),
    ...keyedLines(transport['env']).map((line) => ({ words: ['env', ...line.words] })),
    ...optionLines(transport, [
      ['resolve_root_symlink', 'resolve_root_symlink', noWords],
      ['capture_stderr', 'capture_stderr', noWords],
      ['dial_timeout', 'dial_timeout', durationWord],
      ['read_timeout', 'read_timeout', durationWord],
      ['write_timeout', 'write_timeout', durationWord],
    ]),
  ];
}

/** `index` and `try_files`, where the routes before that of the upstream are not the usual ones. */
function indexLines(before: readonly Json[]): Line[] {
  const rewrite = before.at(-1);
  if (rewrite === undefined) return [{ words: ['index', 'off'] }];
  const files = words(valueAt(listAt(rewrite, ['match'])[0], ['file', 'try_files']));
  const own = '{http.request.uri.path}';
  const folder = files.find((file) => file.startsWith(`${own}/`)) ?? '';
  const index = folder === '' ? 'index.php' : folder.slice(own.length + 1);
  const isUsual = files.join('\n') === [own, folder, index].join('\n');
  return [
    ...(index === 'index.php' ? [] : [{ words: ['index', index] }]),
    ...(isUsual ? [] : [{ words: ['try_files', ...files] }]),
  ];
}
