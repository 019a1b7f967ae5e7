/** Dry runs report duplicate keys in the sent text, since the resulting configuration doesn't contain them. */
import { duplicateKeys, formatWhere, type ConfigPath } from '@sluice/base';
import type { ChangeResult } from '@sluice/reconciler';
import type { Finding } from '@sluice/registry';

/** Adds the duplicate keys in a JSON body to the result. `at` is the body's path. Results of actual changes are unchanged. */
export function withRepeatedKeys<R extends ChangeResult>(result: R, body: Buffer | null, at: ConfigPath): R {
  const { report } = result;
  if (report === null || body === null) return result;
  const repeated = duplicateKeys(body.toString()).map(({ path, line }): Finding => ({
    check: 'duplicate-key',
    severity: 'warning',
    path: formatWhere([...at, ...path]),
    message: `duplicate key, repeated on line ${line} of the body: the last value applies; remove one`,
  }));
  return { ...result, report: { ...report, warnings: [...repeated, ...report.warnings] } };
}
