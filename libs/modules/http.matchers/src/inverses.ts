/** How the options of the matchers of this package are written again. */
import { moduleInverses, type ModuleInverse, type WriteModule } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

function inverse(name: string, load: () => Promise<WriteModule>): ModuleInverse {
  return { name: `http.matchers.${name}`, load };
}

const wordsOf = async (): Promise<WriteModule> => (await import('./common/write-words.ts')).writeWords;
const rangesOf = async (): Promise<WriteModule> => (await import('./common/write-words.ts')).writeRanges;
const regexpsOf = async (): Promise<WriteModule> => (await import('./common/write-words.ts')).writeKeyedRegexps;

const contributions: readonly ModuleInverse[] = [
  inverse('host', wordsOf),
  inverse('method', wordsOf),
  inverse('path', wordsOf),
  inverse('protocol', wordsOf),
  inverse('client_ip', rangesOf),
  inverse('remote_ip', rangesOf),
  inverse('header_regexp', regexpsOf),
  inverse('vars_regexp', regexpsOf),
  inverse('header', async () => (await import('./header/inverse.ts')).writeHeader),
  inverse('query', async () => (await import('./query/inverse.ts')).writeQuery),
  inverse('vars', async () => (await import('./vars/inverse.ts')).writeVars),
  inverse('tls', async () => (await import('./tls/inverse.ts')).writeTls),
  inverse('expression', async () => (await import('./expression/inverse.ts')).writeExpression),
  inverse('path_regexp', async () => (await import('./path_regexp/inverse.ts')).writePathRegexp),
  inverse('file', async () => (await import('./file/inverse.ts')).writeFile),
  inverse('url_pattern', async () => (await import('./url_pattern/inverse.ts')).writeUrlPattern),
  inverse('not', async () => (await import('./not/inverse.ts')).writeNot),
];

/** Adds the inverses. */
export function registerInverses(registry: Registry): void {
  registry.contribute(moduleInverses, ...contributions);
}
