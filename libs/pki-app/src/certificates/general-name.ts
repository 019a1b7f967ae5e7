/** Converts names to subject alternative names (RFC 5280 §4.2.1.6). */
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { JsonGeneralName } from '@peculiar/x509';
import { SluiceError } from '@sluice/base';

/**
 * Returns a subject alternative name of the right type: IP address, email address or URI. Other names are host names, which may contain a
 * wildcard.
 */
export function generalName(name: string): JsonGeneralName {
  if (isIP(name) !== 0) return { type: 'ip', value: name };
  if (name.includes('://')) return { type: 'url', value: name };
  if (name.includes('@')) return { type: 'email', value: name };
  const [wildcard] = /^(?:\*\.)*/.exec(name) as RegExpExecArray;
  const host = domainToASCII(name.slice(wildcard.length));
  if (host === '' || /[^a-z0-9._-]/.test(host))
    throw new SluiceError('ERR_CERTIFICATE', `${JSON.stringify(name)} is not a valid certificate name`);
  return { type: 'dns', value: wildcard + host };
}
