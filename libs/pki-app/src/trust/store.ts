/** Where machines keep the authorities that they trust. */
import { X509Certificate } from 'node:crypto';
import { SluiceError } from '@sluice/base';

/** A root certificate to be trusted, or not any more. */
export interface RootCertificate {
  readonly pem: string;
  /** Common name, for people and for stores that want one. */
  readonly name: string;
  /** Hexadecimal digits without leading zeros, as the tools of systems take them. */
  readonly serial: string;
  /**
   * Common name and decimal serial number: by this stores of browsers know it. The reference gives the same name, so that
   * either finds what the other has installed.
   */
  readonly label: string;
  /** The label as the name of a file. */
  readonly id: string;
  /** What earlier versions used in place of both: `sluice-0123456789abcdef`. */
  readonly formerId: string;
}

/** One store of a machine. Its errors say what to do. */
export interface TrustStore {
  /** For messages, such as `the system (/usr/local/share/ca-certificates)`. */
  readonly name: string;
  /** Has the certificate trusted. Does nothing where it is already. */
  install(root: RootCertificate): Promise<void>;
  /** Has it not trusted any more. Does nothing where it is not. */
  remove(root: RootCertificate): Promise<void>;
}

/** The machine as stores see it; a test gives another one than the real one. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** In front of the absolute paths of stores; empty for the machine itself. */
  readonly root: string;
  /** Home of the user, for stores of browsers. */
  readonly home: string;
  /** Whether there is a program of this name. */
  has(command: string): Promise<boolean>;
  /** Runs a program to its end. Rejects, with what it says, where it fails. */
  run(command: string, args: readonly string[]): Promise<void>;
}

/** Reads the first certificate of a text, which has to be one of an authority. */
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
    // The name is the authority's choice: it must not lead out of the folder.
    id: label.replaceAll(/[ /\\\0]/g, '_'),
    formerId: `sluice-${certificate.fingerprint256.replaceAll(':', '').slice(0, 16).toLowerCase()}`,
  };
}
