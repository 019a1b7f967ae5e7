/** Windows trust store: the machine's roots. */
import type { Machine, RootCertificate, TrustStore } from './store.ts';
import { withFile } from './with-file.ts';

/** Uses `certutil`, which requires an administrator. */
export function windowsStore(machine: Machine): TrustStore {
  return {
    name: 'the system (Trusted Root Certification Authorities)',
    install: (root: RootCertificate) =>
      withFile(root, (path) => machine.run('certutil', ['-addstore', '-f', 'Root', path])),
    remove: ({ serial }: RootCertificate) => machine.run('certutil', ['-delstore', 'Root', serial]),
  };
}
