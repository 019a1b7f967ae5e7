/** Interfaces of trust stores and of the machine that they belong to. */
import { X509Certificate } from 'node:crypto';
import { SluiceError } from '@sluice/base';

/** A root certificate to install or remove. */
export interface RootCertificate {
  readonly pem: string;
  /** Common name of the certificate, for messages and for trust stores that require it. */
  readonly name: string;
  /** Serial number as hexadecimal digits without leading zeros, as system tools expect. */
  readonly serial: string;
  /**
   * Common name and decimal serial number, which identify the certificate in browser stores. Caddy uses the same label, so Sluice and Caddy
   * find certificates that the other has installed.
   */
  readonly label: string;
  /** Label in a form that is safe as a file name. */
  readonly id: string;
  /** Label and file name that earlier versions used: `sluice-0123456789abcdef`. */
  readonly formerId: string;
}

/** A trust store. Its errors include advice for the user. */
export interface TrustStore {
  /** Name of the store for messages, such as `the system (/usr/local/share/ca-certificates)`. */
  readonly name: string;
  /** Installs the certificate unless it is already installed. */
  install(root: RootCertificate): Promise<void>;
  /** Removes the certificate if it is installed. */
  remove(root: RootCertificate): Promise<void>;
}

/** Machine interface that trust stores use. Tests replace it with a fake. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** Directory that replaces the file system root in tests. Empty in production. */
  readonly root: string;
  /** Home directory of the user, in which browser stores are located. */
  readonly home: string;
  /** Reports whether a program is installed. */
  has(command: string): Promise<boolean>;
  /** Runs a program and waits until it exits. If the program fails, rejects with its output. */
  run(command: string, args: readonly string[]): Promise<void>;
}

/** Parses the first certificate in a PEM string. It must be a CA certificate. */
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
    // Escape the name. The CA chooses it, so it could otherwise refer to another directory.
    id: label.replaceAll(/[ /\\\0]/g, '_'),
    formerId: `sluice-${certificate.fingerprint256.replaceAll(':', '').slice(0, 16).toLowerCase()}`,
  };
}
