/** `certificate_selection` in a connection policy: chooses between several certificates for a name. */
import type { Json } from '@sluice/base';
import type { ClientHello, SelectionConfig } from '@sluice/contracts';
import type { Certificate } from './certificate.ts';
import { suits } from './compatibility.ts';

/** Reports whether the policy allows a certificate. */
export type Selection = (certificate: Certificate) => boolean;

/** Compiles the `certificate_selection` options. Returns `null` if they allow all certificates. */
export function compileSelection(config: SelectionConfig | null | undefined): Selection | null {
  const tests: Selection[] = [];
  const serials = (config?.serial_number ?? []).map(serialText);
  const organizations = config?.subject_organization ?? [];
  const kind = config?.public_key_algorithm ?? '';
  const any = config?.any_tag ?? [];
  const all = config?.all_tags ?? [];
  if (serials.length > 0) tests.push(({ serial }) => serials.includes(serial));
  if (organizations.length > 0) tests.push((each) => organizations.some((name) => each.organizations.includes(name)));
  if (kind !== '') tests.push(({ keyKind }) => keyKind === kind);
  if (any.length > 0) tests.push(({ tags }) => any.some((tag) => tags.includes(tag)));
  if (all.length > 0) tests.push(({ tags }) => all.every((tag) => tags.includes(tag)));
  return tests.length === 0 ? null : (certificate) => tests.every((test) => test(certificate));
}

function serialText(value: Json): string {
  return String(value).trim();
}

/**
 * Returns the best allowed certificate, or `null` if none is allowed. Certificates that are currently valid and supported by the client are
 * preferred. The first of several equally good certificates is returned.
 */
export function best(
  certificates: readonly Certificate[],
  hello: ClientHello,
  selection: Selection | null,
  now: number,
): Certificate | null {
  let found: Certificate | null = null;
  let rank = -1;
  for (const certificate of certificates) {
    if (selection !== null && !selection(certificate)) continue;
    const valid = certificate.notBefore <= now && now < certificate.notAfter;
    const mine = (suits(hello, certificate) ? 2 : 0) + (valid ? 1 : 0);
    if (mine > rank) {
      found = certificate;
      rank = mine;
    }
    if (mine === 3) break;
  }
  return found;
}
