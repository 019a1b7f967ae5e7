/** What the directive `tls` and global options have in common. */
import { compact, type Dispenser, type Issuer } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** `NAME …`: an issuer. */
export function readIssuer(reader: Dispenser): Issuer {
  const name = reader.argument();
  const issuer: Issuer = { module: name };
  return Object.assign(issuer, reader.module(`tls.issuance.${name}`));
}

/** `smallest`, or a block with `root_common_name` and `any_common_name`. */
export function readPreferredChains(reader: Dispenser): Json {
  if (reader.nextArgument()) {
    if (reader.value !== 'smallest') throw reader.error(`Invalid argument '${reader.value}'`);
    reader.noArguments();
    return { smallest: true };
  }
  const fields: Record<string, Json> = {};
  for (const option of reader.block()) {
    if (option !== 'root_common_name' && option !== 'any_common_name')
      throw reader.error(`invalid subdirective '${option}'`);
    const known = (fields[option] ?? []) as readonly string[];
    fields[option] = [...known, ...reader.arguments()];
  }
  return compact(fields);
}

/** A number between 0 and 1. */
export function readRatio(reader: Dispenser): number {
  const text = reader.onlyArgument();
  const ratio = Number(text);
  if (text.trim() === '' || Number.isNaN(ratio))
    throw reader.error(`parsing renewal_window_ratio: '${text}' is not a number`);
  if (ratio > 0 && ratio < 1) return ratio;
  throw reader.error('renewal_window_ratio must be between 0 and 1 (exclusive)');
}
