/** `try_files FILE… { policy NAME }`: rewrites to the first file that there is. */
import {
  compact,
  moduleObject,
  type ConfigValue,
  type DirectiveReader,
  type MatcherSetConfig,
  type RouteConfig,
} from '@sluice/caddyfile';

const policies = ['first_exist', 'first_exist_fallback', 'smallest_size', 'largest_size', 'most_recently_modified'];

const found = '{http.matchers.file.relative}';

/** A file may bring a query, which the file system does not know: such a file gets a route of its own. */
export function tryFiles(reader: DirectiveReader): readonly ConfigValue[] {
  const words = reader.arguments();
  let policy = '';
  for (const option of reader.block()) {
    if (option !== 'policy') continue;
    if (policy !== '') throw reader.error('try_policy already configured');
    policy = reader.argument();
    if (!policies.includes(policy)) throw reader.error(`unrecognized try policy: ${policy}`);
  }
  const routes: RouteConfig[] = [];
  let files: string[] = [];
  const flush = (query: string): void => {
    if (files.length > 0) routes.push(routeTo(files, query, policy));
    files = [];
  };
  for (const word of words) {
    const mark = word.indexOf('?');
    if (mark < 0) {
      files.push(word);
      continue;
    }
    flush('');
    files.push(word.slice(0, mark));
    flush(word.slice(mark));
  }
  flush('');
  if (routes.length === 1) return [{ pile: 'route', value: routes[0] }];
  const group = reader.scope.assembly.groups.next();
  return routes.map((route) => ({ pile: 'route', value: { group, ...route } }));
}

function routeTo(files: readonly string[], query: string, policy: string): RouteConfig {
  const match: MatcherSetConfig = { file: compact({ try_files: files, try_policy: policy }) };
  return { match: [match], handle: [moduleObject('handler', 'rewrite', { uri: `${found}${query}` })] };
}
