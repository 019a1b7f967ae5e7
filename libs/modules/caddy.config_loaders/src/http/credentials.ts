import { readFile } from 'node:fs/promises';
import type { SecureContextOptions } from 'node:tls';

export interface CredentialFiles {
  readonly client_certificate_file?: string | null | undefined;
  readonly client_certificate_key_file?: string | null | undefined;
  readonly root_ca_pem_files?: readonly string[] | null | undefined;
}

export async function readCredentials(files: CredentialFiles): Promise<SecureContextOptions> {
  const { client_certificate_file: cert, client_certificate_key_file: key, root_ca_pem_files: roots } = files;
  return {
    ...(cert && key ? { cert: await readFile(cert), key: await readFile(key) } : {}),
    ...(roots && roots.length > 0 ? { ca: await Promise.all(roots.map((file) => readFile(file))) } : {}),
  };
}
