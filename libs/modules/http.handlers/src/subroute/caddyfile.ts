/** `route`, `handle`, `handle_path` and `handle_errors`. */
import {
  compact,
  moduleObject,
  subrouteHandler,
  type ConfigValue,
  type DirectiveReader,
  type MatcherSetConfig,
  type RouteConfig,
} from '@sluice/caddyfile';

/** `route [matcher] { … }`: directives in the order they are written in. */
export function route(reader: DirectiveReader): readonly ConfigValue[] {
  const match = reader.matcher();
  return reader.route(match, subrouteHandler(reader.routes(false)));
}

/** `handle [matcher] { … }`: only the first that matches runs. */
export function handle(reader: DirectiveReader): readonly ConfigValue[] {
  const match = reader.matcher();
  return reader.route(match, subrouteHandler(reader.routes(true)));
}

/** `handle_path PATH { … }`: as `handle`, without what the path matched. */
export function handlePath(reader: DirectiveReader): readonly ConfigValue[] {
  if (!reader.nextArgument()) throw reader.argumentError();
  const path = reader.value;
  if (!path.startsWith('/')) throw reader.error(`path matcher must begin with '/', got ${path}`);
  const inner = reader.routes(true);
  const prefix = path.endsWith('/*') ? path.slice(0, -2) : path.replace(/\*$/, '');
  const rewrite = moduleObject('handler', 'rewrite', compact({ strip_path_prefix: prefix }));
  const match: MatcherSetConfig = { path: [path] };
  return reader.route([match], subrouteHandler([{ handle: [rewrite] }, ...inner]));
}

/** `handle_errors [STATUS | CLASS]… { … }` */
export function handleErrors(reader: DirectiveReader): readonly ConfigValue[] {
  const words = reader.remaining();
  const expression = words.length === 0 ? null : statusExpression(words, reader);
  const inner = reader.routes(true);
  const handle = [subrouteHandler(inner)];
  const value: RouteConfig = expression === null ? { handle } : { match: [{ expression }], handle };
  return [{ pile: 'error_route', value: [value] }];
}

/** Matches statuses by an expression: classes first. */
function statusExpression(words: readonly string[], reader: DirectiveReader): string {
  const codes: string[] = [];
  const classes: string[] = [];
  for (const word of words) {
    if (word.length !== 3) throw reader.error(`bad status value '${word}'`);
    if (/^\dxx$/.test(word)) {
      const first = word.charAt(0);
      classes.push(`{http.error.status_code} >= ${first}00 && {http.error.status_code} <= ${first}99`);
    } else if (/^\d{3}$/.test(word)) {
      codes.push(word);
    } else {
      throw reader.error(`bad status value '${word}'`);
    }
  }
  if (codes.length > 0) classes.push(`{http.error.status_code} in [${codes.join(', ')}]`);
  return classes.join(' || ');
}
