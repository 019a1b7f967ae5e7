import type { JsonObject } from '@sluice/base';
import type { IngressScope } from '../scope.ts';

const units: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** Returns the maximum size of request bodies in bytes. 0 means no limit. */
export function bodyLimit({ annotations }: IngressScope): number {
  const text = annotations.text('proxy-body-size');
  if (text === undefined) return 0;
  const [, number, unit = ''] = /^(\d{1,9})([kmg]?)$/i.exec(text) ?? [];
  if (number === undefined)
    annotations.warn('proxy-body-size', `expected a size such as 8m, not ${JSON.stringify(text)}`);
  return Number(number ?? 0) * (units[unit.toLowerCase()] ?? 1);
}

export function bodyHandlers(scope: IngressScope): readonly JsonObject[] {
  const limit = bodyLimit(scope);
  return limit === 0 ? [] : [{ handler: 'request_body', max_size: limit }];
}
