import { isObject, own } from '@sluice/base';
import type { CheckedModule, Warn } from '@sluice/registry';

/** Warns if the value of `status_code` is not a valid status. Accepts values with placeholders. */
export function checkStatus({ node }: CheckedModule, warn: Warn): void {
  const value = isObject(node) ? own(node, 'status_code') : undefined;
  if (value === undefined || value === null || value === '') return;
  const text = String(value);
  if (/\{[^{}]*\}/.test(text) || (/^\+?\d{1,9}$/.test(text) && Number(text) >= 100 && Number(text) <= 999)) return;
  warn(
    `${JSON.stringify(value)} is not a status code, so requests fail with 500; use a number from 100 to 999`,
    'status_code',
  );
}
