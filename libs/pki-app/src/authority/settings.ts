/** Settings of a CA, computed from its options by applying defaults and expanding placeholders. */
import { compileTemplate, maxTimer, parseDuration, resolveGlobal, type Resolver } from '@sluice/base';
import type { AuthorityOptions, KeyPairOptions } from '../options.ts';

/** File paths of a user-provided key pair. */
export interface KeyPairFiles {
  readonly certificate: string;
  /** Path of the private key; `null` if not provided. */
  readonly privateKey: string | null;
}

/** Settings of a CA; see {@link AuthorityOptions}. Durations are in milliseconds. */
export interface AuthoritySettings {
  readonly id: string;
  readonly name: string;
  readonly rootCommonName: string;
  readonly intermediateCommonName: string;
  readonly intermediateLifetime: number;
  readonly maintenanceInterval: number;
  readonly renewalWindowRatio: number;
  readonly root: KeyPairFiles | null;
  readonly intermediate: KeyPairFiles | null;
}

const day = 86_400_000;

/** Lifetime of a generated root certificate, in milliseconds. */
export const rootLifetime: number = 3600 * day;

/** Creates an error about an option of the CA. */
export type Refuse = (message: string, ...at: string[]) => Error;

export function settingsOf(id: string, config: AuthorityOptions, refuse: Refuse): AuthoritySettings {
  const name = config.name || 'Sluice Local Authority';
  const resolve: Resolver<unknown> = (placeholder) =>
    placeholder === 'pki.ca.name' ? () => name : resolveGlobal(placeholder);
  const expand = (text: string): string => compileTemplate(text, resolve, 'empty').expand(undefined);
  const lifetime = parseDuration(config.intermediate_lifetime ?? 0);
  if (lifetime < 0) throw refuse('must not be negative', 'intermediate_lifetime');
  if (lifetime >= rootLifetime && (config.root ?? null) === null)
    throw refuse(
      'must be shorter than the lifetime of the root certificate, which is 3600 days',
      'intermediate_lifetime',
    );
  const interval = parseDuration(config.maintenance_interval ?? 0);
  const ratio = config.renewal_window_ratio ?? 0;
  return {
    id,
    name,
    rootCommonName: expand(config.root_common_name || '{pki.ca.name} - {time.now.year} ECC Root'),
    intermediateCommonName: expand(config.intermediate_common_name || '{pki.ca.name} - ECC Intermediate'),
    intermediateLifetime: lifetime === 0 ? 7 * day : lifetime,
    maintenanceInterval: interval > 0 ? Math.min(Math.max(interval, 1000), maxTimer) : 600_000,
    renewalWindowRatio: ratio > 0 && ratio < 1 ? ratio : 0.2,
    root: filesOf(config.root, 'root', refuse),
    intermediate: filesOf(config.intermediate, 'intermediate', refuse),
  };
}

function filesOf(pair: KeyPairOptions | null | undefined, at: string, refuse: Refuse): KeyPairFiles | null {
  if (pair === null || pair === undefined) return null;
  if ((pair.format || 'pem_file') !== 'pem_file')
    throw refuse(`${JSON.stringify(pair.format)} is not a supported format; use pem_file`, at, 'format');
  if (!pair.certificate) throw refuse('path of the certificate file is missing', at, 'certificate');
  if (at === 'intermediate' && !pair.private_key)
    throw refuse(
      'path of the private key file is missing; the key is required to issue certificates',
      at,
      'private_key',
    );
  return { certificate: pair.certificate, privateKey: pair.private_key || null };
}
