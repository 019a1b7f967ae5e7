/** Trust stores of a machine. */
import { X509Certificate } from 'node:crypto';
import { SluiceError } from '@sluice/base';

/** A root certificate to install or remove. */
export interface RootCertificate {
  readonly pem: string;
  /** Common name, for messages and stores that require it. */
  readonly name: string;
  /** Hexadecimal digits without leading zeros, as expected by system tools. */
  readonly serial: string;
  /**
   * Common name and decimal serial number, which identify the certificate in browser stores. Caddy uses the same label, so that each server
   * finds certificates that the other installed.
   */
  readonly label: string;
  /** Label as a file name. */
  readonly id: string;
  /** Label and file name used by earlier versions: `sluice-0123456789abcdef`. */
  readonly formerId: string;
}

/** A trust store. Errors contain advice. */
export interface TrustStore {
  /** Name for messages, such as `the system (/usr/local/share/ca-certificates)`. */
  readonly name: string;
  /** Installs the certificate, unless it is already installed. */
  install(root: RootCertificate): Promise<void>;
  /** Removes the certificate, if installed. */
  remove(root: RootCertificate): Promise<void>;
}

/** The machine as seen by trust stores; tests use a fake one. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** Directory that replaces the file system root in tests; empty in production. */
  readonly root: string;
  /** Home directory of the user, for browser stores. */
  readonly home: string;
  /** Reports whether a program exists. */
  has(command: string): Promise<boolean>;
  /** Runs a program to completion. If the program fails, rejects with its output. */
  run(command: string, args: readonly string[]): Promise<void>;
}

/** Parses the first certificate of a PEM string, which must be a CA certificate. */
export function rootCertificate(pem: string): RootCertificate {
  const certificate = new X509Certificate(pem);
  if (!certificate.ca)
    throw new SluiceError('ERR_PKI_TRUST', 'not a CA certificate; only CA certificates can be added to a trust store');
  const commonName = /^CN=(.+)$/m.exec(certificate.subject)?.[1];
  const name = commonName ?? 'Sluice';
  const label = `${name} ${BigInt(`0x${certificate.serialNumber}`)}`;
  return {
    pem: certificate.toString(),
    name,
    serial: certificate.serialNumber.replace(/^0+(?=.)/, ''),
    label,
    // The CA chooses the name, which must not escape the directory.
    id: label.replaceAll(/[ /\\\0]/g, '_'),
    formerId: `sluice-${certificate.fingerprint256.replaceAll(':', '').slice(0, 16).toLowerCase()}`,
  };
}
