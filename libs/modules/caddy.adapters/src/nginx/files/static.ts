/** Serving files, as nginx does where nothing else is said: index files, folders, files. */
import { passing, raise, rewriteTo, terminal, type Node } from '../json.ts';
import type { LocationPath } from '../location-path.ts';
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

/** The routes that serve files of a location. */
export function staticRoutes(site: Site, scope: Scope, path: LocationPath): Node[] {
  const files = filesOf(site, scope, path);
  const before = files.captured.map((match) => passing([], [match]));
  return [
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
 * A folder's index file is looked for, and served as if it was asked for: maybe by another location. A name that begins
 * with a slash is taken unseen, once it is known that there is such a folder.
 */
function indexRoutes(site: Site, scope: Scope, files: Files): Node[] {
  const index = scope.find('index');
  const names = index?.args ?? ['index.html'];
  return names.flatMap((name, i) => {
    const text = expandText(name, { site, scope, at: index ?? site.directive });
    if (name.startsWith('/')) {
      const absent = i === 0 ? [] : [terminal([raise(404)], [{ ...asFolder, not: [folderOf(files)] }])];
      return [...absent, terminal([rewriteTo(text), ...site.redirect()], [asFolder])];
    }
    const exists = { file: { root: files.root, try_files: [`${files.path}${text}`] } };
    return [terminal([rewriteTo(`${current}${text}`), ...site.redirect()], [{ ...asFolder, ...exists }])];
  });
}

function folderOf(files: Files): Node {
  return { file: { root: files.root, try_files: [`${files.path}/`] } };
}

/** Folders without an index are refused or listed; without a slash they are redirected to where they have one. */
function folderRoutes(site: Site, scope: Scope, files: Files): Node[] {
  const folder = folderOf(files);
  const listed = isOn(scope.find('autoindex'));
  const list = [...responseHandlers(site, scope), ...files.enter, { ...fileServer(scope, files), browse: {} }];
  return [
    terminal(
      [rewriteTo(`${current}/`), ...redirectHandlers(site, scope, { status: 301, location: '{http.request.uri}' })],
      [{ ...folder, not: [asFolder], method: ['GET', 'HEAD', 'POST'] }],
    ),
    terminal(listed ? list : [raise(403)], [{ ...asFolder, ...folder }]),
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
