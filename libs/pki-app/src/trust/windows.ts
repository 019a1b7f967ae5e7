/** Windows trust store: the root certificates of the local machine. */
import type { Machine, RootCertificate, TrustStore } from './store.ts';
import { withFile } from './with-file.ts';

/** Returns the trust store that uses `certutil`, which requires administrator rights. */
export function windowsStore(machine: Machine): TrustStore {
  return {
    name: 'the system (Trusted Root Certification Authorities)',
    install: (root: RootCertificate) =>
      withFile(root, (path) => machine.run('certutil', ['-addstore', '-f', 'Root', path])),
    remove: ({ serial }: RootCertificate) => machine.run('certutil', ['-delstore', 'Root', serial]),
  };
}
