/** Creates temporary certificate files for programs that accept only files. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RootCertificate } from './store.ts';

/** Calls `use` with the path of a temporary certificate file. The file is removed afterwards. */
export async function withFile(root: RootCertificate, use: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-trust-'));
  try {
    const path = join(folder, `${root.id}.crt`);
    await writeFile(path, root.pem);
    await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
