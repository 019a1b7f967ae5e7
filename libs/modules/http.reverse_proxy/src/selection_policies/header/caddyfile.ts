/** `header FIELD { fallback POLICY }` */
import type { Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { readFallback } from '../../common/fallback-syntax.ts';

/** Reads the field. */
export function readHeader(reader: Dispenser): Json {
  const field = reader.onlyArgument();
  return { field, ...readFallback(reader) };
}
