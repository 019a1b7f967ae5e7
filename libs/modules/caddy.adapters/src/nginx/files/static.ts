/** Translates static files, nginx's default content handler: index files, directories and other files. */
import { passing, raise, rewriteTo, terminal, type Node } from '../json.ts';
import { responseHandlers } from '../response/stages.ts';
import type { Scope } from '../scope.ts';
import { redirectHandlers } from '../script/return.ts';
import type { Site } from '../site.ts';
import { isOn } from '../syntax/directive.ts';
import { expandText } from '../text/expand.ts';
import { contentTypeHandlers } from '../response/content-types.ts';
import { filesOf, type Files } from './alias.ts';

const asFolder: Node = { path_regexp: { pattern: '/$' } };
const current = '{http.request.uri.path}';

/** As in nginx, reject other request methods before looking for a file. */
const otherMethods = terminal(
  [{ handler: 'headers', response: { set: { Allow: ['GET, HEAD'] } } }, raise(405)],
  [{ not: [{ method: ['GET', 'HEAD', 'POST'] }] }],
);

/** Returns the routes that serve the static files of a location. */
export function staticRoutes(site: Site, scope: Scope): Node[] {
  const files = filesOf(site, scope);
  const before = files.captured.map((match) => passing([], [match]));
  return [
    otherMethods,
    ...before,
    ...files.guards,
    ...indexRoutes(site, scope, files),
    ...folderRoutes(site, scope, files),
    terminal([
      ...responseHandlers(site, scope),
      ...contentTypeHandlers(site, scope),
      ...files.enter,
      fileServer(scope, files),
    ]),
  ];
}

/**
 * Returns routes for index files. nginx serves an index file with an internal redirect, which can lead to another location. For an index
 * name that begins with a slash, nginx checks only the directory.
 */
function indexRoutes(site: Site, scope: Scope, files: Files): Node[] {
  const index = scope.find('index');
  const names = index?.args ?? ['index.html'];
  return names.flatMap((name, i) => {
    const text = expandText(name, { site, scope, at: index ?? site.directive });
    if (name.startsWith('/')) {
      const absent = i === 0 ? [] : [terminal([raise(404)], [{ ...asFolder, not: folderOf(files) }])];
      return [...absent, terminal([rewriteTo(text), ...site.redirect()], [asFolder])];
    }
    const exists = { file: { root: files.root, try_files: [`${files.path}${text}`] } };
    return [terminal([rewriteTo(`${current}${text}`), ...site.redirect()], [{ ...asFolder, ...exists }])];
  });
}

/** Returns alternative matcher sets that match directory paths. */
function folderOf({ root, path, top }: Files): Node[] {
  return [{ file: { root, try_files: [`${path}/`] } }, ...(top === null ? [] : [top])];
}

/**
 * Returns routes for directories without an index file. Such directories are either rejected or listed. A path without the trailing slash
 * is redirected.
 */
function folderRoutes(site: Site, scope: Scope, files: Files): Node[] {
  const folders = folderOf(files);
  const listed = isOn(scope.find('autoindex'));
  const list = [...responseHandlers(site, scope), ...files.enter, { ...fileServer(scope, files), browse: {} }];
  return [
    terminal(
      [rewriteTo(`${current}/`), ...redirectHandlers(site, scope, { status: 301, location: '{http.request.uri}' })],
      folders.map((folder) => ({ ...folder, not: [asFolder] })),
    ),
    ...(listed && files.unlisted !== null ? [terminal([raise(404)], [files.unlisted])] : []),
    ...(listed
      ? [
          terminal(
            list,
            folders.map((folder) => ({ ...asFolder, ...folder, method: ['GET', 'HEAD'] })),
          ),
        ]
      : []),
    terminal(
      [raise(403)],
      folders.map((folder) => ({ ...asFolder, ...folder })),
    ),
    terminal([raise(404)], [asFolder]),
  ];
}

function fileServer(scope: Scope, files: Files): Node {
  const precompressed = [
    ...(isOn(scope.find('brotli_static')) ? ['br'] : []),
    ...(['on', 'always'].includes(scope.value('gzip_static') ?? '') ? ['gzip'] : []),
  ];
  return {
    handler: 'file_server',
    root: files.root,
    index_names: [],
    canonical_uris: false,
    ...(precompressed.length === 0
      ? {}
      : {
          precompressed: Object.fromEntries(precompressed.map((name) => [name, {}])),
          precompressed_order: precompressed,
        }),
  };
}
