/** Splits a request path into the script path and the path info. */
import { HttpError } from '@sluice/http-app';
import { cleanRequestPath, lowerAscii, unescapePathOrNull } from '@sluice/base';

export interface ScriptPath {
  /** Script path relative to the root, for example `/index.php`. Empty if no split rule matches. */
  readonly script: string;
  /** Part of the path after the script, which becomes `PATH_INFO`. */
  readonly pathInfo: string;
}

/**
 * Splits an escaped request path. Routes match the decoded and cleaned path, so the script must come from that path too. In a path such as
 * `/admin.php/..%2fother.php`, the script depends on the order of cleaning and decoding. Such paths get status 400, because a client could
 * otherwise bypass a script's access rules.
 */
export function scriptPathOf(rawPath: string, splits: readonly string[]): ScriptPath {
  const [script, pathInfo] = splitScript(cleanRequestPath(decoded(rawPath)), splits);
  if (rawPath.includes('%') && splitScript(decoded(cleanRequestPath(rawPath)), splits)[0] !== script)
    throw new HttpError(
      400,
      `request path ${JSON.stringify(rawPath)} refers to different scripts before and after decoding`,
    );
  return { script, pathInfo };
}

function decoded(rawPath: string): string {
  return unescapePathOrNull(rawPath) ?? rawPath;
}

/** Splits a decoded path into script and path info. If no split rule matches, the whole path is path info. */
export function splitScript(path: string, splits: readonly string[]): readonly [script: string, pathInfo: string] {
  if (splits.length === 0) return ['', path];
  const lower = lowerAscii(path);
  for (const split of splits) {
    const at = lower.indexOf(split);
    if (at >= 0) return [path.slice(0, at + split.length), path.slice(at + split.length)];
  }
  return [path, ''];
}
