/** Which part of a path is the script, and which is for the script to read. */
import { HttpError } from '@sluice/http-app';
import { cleanRequestPath, lowerAscii, unescapePathOrNull } from '@sluice/base';

/** A path, split. */
export interface ScriptPath {
  /** From the root, such as `/index.php`; empty where nothing says what a script is. */
  readonly script: string;
  /** What stands after it: `PATH_INFO`. */
  readonly pathInfo: string;
}

/**
 * Splits the escaped path of a request. Routes are matched with the decoded and cleaned path, so the script is one of that
 * path. A path that is another script's when it is cleaned before it is decoded, such as `/admin.php/..%2fother.php`, is
 * an error of status 400: who protects one of the two must not find the other run.
 */
export function scriptPathOf(rawPath: string, splits: readonly string[]): ScriptPath {
  const [script, pathInfo] = splitScript(cleanRequestPath(decoded(rawPath)), splits);
  if (rawPath.includes('%') && splitScript(decoded(cleanRequestPath(rawPath)), splits)[0] !== script)
    throw new HttpError(
      400,
      `${JSON.stringify(rawPath)} names one script as it was sent and another when it is decoded`,
    );
  return { script, pathInfo };
}

function decoded(rawPath: string): string {
  return unescapePathOrNull(rawPath) ?? rawPath;
}

/** The script of a decoded path, and what stands after it. Without a rule all of the path stands after. */
export function splitScript(path: string, splits: readonly string[]): readonly [script: string, pathInfo: string] {
  if (splits.length === 0) return ['', path];
  const lower = lowerAscii(path);
  for (const split of splits) {
    const at = lower.indexOf(split);
    if (at >= 0) return [path.slice(0, at + split.length), path.slice(at + split.length)];
  }
  return [path, ''];
}
