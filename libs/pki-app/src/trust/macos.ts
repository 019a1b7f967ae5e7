/** macOS trust store: the system keychain. */
import type { Machine, RootCertificate, TrustStore } from './store.ts';
import { withFile } from './with-file.ts';

const keychain = '/Library/Keychains/System.keychain';

/** Returns the trust store that uses the `security` program. The program prompts for an administrator password if necessary. */
export function macosStore(machine: Machine): TrustStore {
  return {
    name: `the system (${keychain})`,
    install: (root: RootCertificate) =>
      withFile(root, (path) =>
        machine.run('security', ['add-trusted-cert', '-d', '-r', 'trustRoot', '-k', keychain, path]),
      ),
    remove: (root: RootCertificate) =>
      withFile(root, (path) => machine.run('security', ['remove-trusted-cert', '-d', path])),
  };
}
