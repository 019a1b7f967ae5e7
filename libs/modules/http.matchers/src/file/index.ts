/** `http.matchers.file`: matches requests for which a file exists. */
import {
  compileRoot,
  compileText,
  disk,
  fileSystemsApp,
  httpMatchers,
  isFolder,
  type Exchange,
  type FileSystem,
  type FileSystemsApp,
  type HttpMatcher,
  type HttpTemplate,
  noRoot,
} from '@sluice/http-app';
import { anything, choice, defineModule, list, options, string, strings, type Options } from '@sluice/registry';
import { joinRoot } from '@sluice/base';
import { textsOf } from '../common/texts.ts';
import { compileEntry, type Entry } from './candidate.ts';
import { policies, searchBy, type Found, type Policy } from './search.ts';
import { run } from './steps.ts';

export const fileOptions = options({
  fs: string(
    'Name of a file system of the `caddy.filesystems` app. May contain placeholders. Default: the local disk.',
  ),
  root: string(
    'Root directory for the paths in `try_files`. May contain placeholders. Default: `{http.vars.root}` if it is set, otherwise the working directory.',
  ),
  try_files: list(
    'Paths to try in order, relative to the root directory. Paths with a trailing slash match only directories. May contain placeholders and `*`. If the last entry is a status code such as `=404`, and no file matches, the request fails with that status code. Default: the request path.',
    anything({ type: ['string', 'null'] }),
    { examples: [['{http.request.uri.path}', '{http.request.uri.path}/index.html', '/index.php']] },
  ),
  try_policy: choice(
    'Policy for selecting a file. `first_exist_fallback` selects the last path even if it does not exist. Default: `first_exist`.',
    [...policies, ''],
  ),
  split_path: strings(
    'Suffixes, such as `.php`, at which to split paths. A path is split after the first segment that ends with one of the suffixes. The rest of the path is available as `{http.matchers.file.remainder}`.',
  ),
});

export const fileModule = defineModule(httpMatchers, {
  name: 'file',
  effect: 'reads',
  help: 'Matches requests for which a file exists. Properties of the matched file are available as `{http.matchers.file.relative}`, `.absolute`, `.type` (`file` or `directory`) and `.remainder`.',
  config: fileOptions,
  async provision(config, context): Promise<HttpMatcher> {
    const named = (config.fs ?? '') === '' ? null : await context.appIfConfigured(fileSystemsApp);
    return fileMatcher(config, named);
  },
});

/** Creates the matcher. `named` provides the file systems to which the `fs` option may refer. */
export function fileMatcher(config: Options<typeof fileOptions>, named: FileSystemsApp | null): HttpMatcher {
  const splits = config.split_path ?? [];
  const sources = config.try_files == null ? ['{http.request.uri.path}'] : textsOf(config.try_files);
  return new FileMatcher({
    fileSystem: compileText(config.fs ?? '', 'empty'),
    named,
    root: compileRoot(config.root),
    entries: sources.map((source) => compileEntry(source, splits)),
    policy: config.try_policy == null || config.try_policy === '' ? 'first_exist' : config.try_policy,
  });
}

interface FileMatcherParts {
  readonly fileSystem: HttpTemplate;
  readonly named: FileSystemsApp | null;
  readonly root: (exchange: Exchange) => string;
  readonly entries: readonly Entry[];
  readonly policy: Policy;
}

class FileMatcher implements HttpMatcher {
  readonly #parts: FileMatcherParts;

  constructor(parts: FileMatcherParts) {
    this.#parts = parts;
  }

  match(exchange: Exchange): boolean | Promise<boolean> {
    const { entries, policy, root } = this.#parts;
    const files = this.#fileSystem(exchange);
    if (files === null) return false;
    const folder = root(exchange);
    if (folder === noRoot) return false;
    const found = run(searchBy(policy, { entries, files, root: folder, exchange }));
    return found instanceof Promise
      ? found.then((later) => report(exchange, folder, later))
      : report(exchange, folder, found);
  }

  #fileSystem(exchange: Exchange): FileSystem | null {
    const { fileSystem, named } = this.#parts;
    const name = fileSystem.constant ?? fileSystem.expand(exchange);
    return name === '' || name === 'default' ? disk : (named?.find(name) ?? null);
  }
}

/** Sets the placeholders that describe the file found. */
function report(exchange: Exchange, root: string, found: Found | null): boolean {
  const top = joinRoot(root, '/');
  const file = found === null ? null : joinRoot(root, found.path);
  if (found === null || top === null || file === null) return false;
  // As in Caddy, the root path has no trailing slash if a fallback policy uses the last entry without a lookup.
  const absolute = found.path.endsWith('/') && (found.path !== '/' || found.facts !== null) ? `${file}/` : file;
  exchange.setPlaceholder('http.matchers.file.relative', top === '.' ? absolute : absolute.slice(top.length));
  exchange.setPlaceholder('http.matchers.file.absolute', absolute);
  exchange.setPlaceholder(
    'http.matchers.file.type',
    found.facts !== null && isFolder(found.facts) ? 'directory' : 'file',
  );
  exchange.setPlaceholder('http.matchers.file.remainder', found.remainder);
  return true;
}
