/** Dry runs tell of keys that stand twice in what was sent: of the configuration that came of it nothing shows them. */
import { duplicateKeys, formatWhere, type ConfigPath } from '@sluice/base';
import type { ChangeResult } from '@sluice/reconciler';
import type { Finding } from '@sluice/registry';

/** The result with what the JSON of a body has twice; `at` is where the body goes. Results of real changes stay as they are. */
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
