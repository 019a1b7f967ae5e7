/** Finds duplicate keys in the request body. Dry runs report these keys, because the resulting configuration no longer contains them. */
import { duplicateKeys, formatWhere, type ConfigPath } from '@sluice/base';
import type { ChangeResult } from '@sluice/reconciler';
import type { Finding } from '@sluice/registry';

/**
 * Adds duplicate keys in a JSON body to a dry-run result. `at` is the configuration path of the body. Does not modify the results of actual
 * changes.
 */
export function withRepeatedKeys<R extends ChangeResult>(result: R, body: Buffer | null, at: ConfigPath): R {
  const { report } = result;
  if (report === null || body === null) return result;
  const repeated = duplicateKeys(body.toString()).map(({ path, line }): Finding => ({
    check: 'duplicate-key',
    severity: 'warning',
    path: formatWhere([...at, ...path]),
    message: `duplicate key, repeated on line ${line} of the body: only the last value applies; remove one of the keys`,
  }));
  return { ...result, report: { ...report, warnings: [...repeated, ...report.warnings] } };
}
