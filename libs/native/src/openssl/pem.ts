/** Converts certificates and keys between PEM, OpenSSL objects and DER. */
import { addressIn, Block } from '../memory.ts';
import { openssl, opensslError } from './functions.ts';

/** Parses the certificates in a PEM string. The caller takes ownership of each certificate. */
export function readCertificates(pem: string): bigint[] {
  const { PEM_read_bio_X509, ERR_clear_error } = openssl();
  const found: bigint[] = [];
  withBio(pem, (bio) => {
    for (;;) {
      const certificate = PEM_read_bio_X509(bio, 0n, 0n, 0n);
      if (certificate === 0n) break;
      found.push(certificate);
    }
  });
  // Clear the error queue, because OpenSSL reports the end of the text as an error.
  ERR_clear_error();
  return found;
}

/** Passes a string to OpenSSL as a BIO. */
export function withBio(text: string, read: (bio: bigint) => void): void {
  const { BIO_new_mem_buf, BIO_free } = openssl();
  const bytes = Buffer.from(`${text}\n`);
  const bio = BIO_new_mem_buf(addressIn(bytes, 0, bytes.length), bytes.length);
  if (bio === 0n) throw opensslError('cannot allocate memory to read PEM data');
  try {
    read(bio);
  } finally {
    BIO_free(bio);
    // OpenSSL reads the bytes in place, so they must stay allocated until this line.
    keepAlive(bytes);
  }
}

function keepAlive(_bytes: Buffer): void {}

/** Encodes a certificate in DER. The caller keeps ownership of the certificate. */
export function derOf(certificate: bigint): Buffer {
  const { i2d_X509 } = openssl();
  const length = i2d_X509(certificate, 0n);
  const out = new Block(length);
  const pointer = new Block(8);
  pointer.bytes.writeBigUInt64LE(out.at(0, length));
  i2d_X509(certificate, pointer.at(0, 8));
  return Buffer.from(out.bytes.subarray(0, length));
}
