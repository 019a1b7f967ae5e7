/** Caddyfile options that the `tls` directive and the global options share. */
import type { Json } from '@sluice/base';
import { readModule, word, type Dispenser, type IssuerConfig, type Term, type WordOptions } from '@sluice/caddyfile';

/** Parses an issuer: `NAME …`. */
export function readIssuer(reader: Dispenser): IssuerConfig {
  const name = reader.argument();
  const issuer: IssuerConfig = { module: name };
  return Object.assign(issuer, reader.module(`tls.issuance.${name}`));
}

export function readProvider(reader: Dispenser, name: string): Json {
  return readModule(reader, 'dns.providers', 'name', name);
}

/** Declares an argument that is a number between 0 and 1. */
export function ratio(options: WordOptions): Term {
  return word('<ratio>', {
    ...options,
    convert(reader, text) {
      const found = Number(text);
      if (text.trim() === '' || Number.isNaN(found))
        throw reader.error(`parsing renewal_window_ratio: '${text}' is not a number`);
      if (found > 0 && found < 1) return found;
      throw reader.error('renewal_window_ratio must be between 0 and 1 (exclusive)');
    },
  });
}
