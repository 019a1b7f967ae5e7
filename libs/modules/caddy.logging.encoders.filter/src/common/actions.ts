/** Actions that delete, replace or hash query parameters and cookies. */
import { createHash } from 'node:crypto';
import type { Context } from '@sluice/registry';

/** Returns the new value, or `null` to delete the parameter or cookie. */
export type Action = (value: string) => string | null;

/** Compiles an action from its `type` option. */
export function compileAction(
  type: string | null | undefined,
  value: string | null | undefined,
  context: Context,
  index: number,
): Action {
  switch (type) {
    case 'delete':
      return () => null;
    case 'replace':
      return () => value ?? '';
    case 'hash':
      return (text) => createHash('sha256').update(text).digest('hex').slice(0, 8);
    default:
      throw context.error(
        `must be delete, replace or hash, not ${JSON.stringify(type ?? null)}`,
        'actions',
        index,
        'type',
      );
  }
}
