/** `query KEY { fallback POLICY }` */
import type { Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { readFallback } from '../../common/fallback-syntax.ts';

/** Reads the key. */
export function readQuery(reader: Dispenser): Json {
  const key = reader.onlyArgument();
  return { key, ...readFallback(reader) };
}
