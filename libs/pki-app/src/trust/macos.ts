/** The store of macOS: the keychain of the system. */
import type { Machine, RootCertificate, TrustStore } from './store.ts';
import { withFile } from './with-file.ts';

const keychain = '/Library/Keychains/System.keychain';

/** The store, by the program `security`, which asks for the password of an administrator where it needs one. */
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
