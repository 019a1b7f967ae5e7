/** What the directive `tls` and global options have in common. */
import type { Dispenser, IssuerConfig } from '@sluice/caddyfile';

/** `NAME …`: an issuer. */
export function readIssuer(reader: Dispenser): IssuerConfig {
  const name = reader.argument();
  const issuer: IssuerConfig = { module: name };
  return Object.assign(issuer, reader.module(`tls.issuance.${name}`));
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
