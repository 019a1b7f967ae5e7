/** Error codes that this package defines; `docs/errors.md` documents them. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_ADAPTER_BUSY: {
    meaning: 'Too many configurations are queued for adapting.',
    advice: 'Retry after a few seconds.',
  },
  ERR_COMMAND: {
    meaning: 'A command was used incorrectly, or cannot do what was requested.',
    advice: 'Run `sluice help COMMAND` to see its options.',
  },
  ERR_MODULE_API: {
    meaning: 'A module package requires another version of `@sluice/module`.',
    advice: 'Install a compatible version of the package, or update the server.',
  },
  ERR_MODULE_LOAD: {
    meaning: 'A module package cannot be loaded, or registers modules other than those in its manifest.',
    advice: 'See the file and line in the message. Module authors: regenerate the manifest with `sluice manifest`.',
  },
  ERR_MODULE_PACKAGE: {
    meaning: 'A module package is not installed, or contains no modules.',
    advice: "Install it in the server's directory or in the directory of the configuration.",
  },
  ERR_RESUME: {
    meaning: 'The saved configuration cannot be read.',
    advice: 'Start the server with `--config`, or repair the file in the message. The journal contains later changes.',
  },
  ERR_TESTS: {
    meaning: 'A test that a policy requires fails with the changed configuration, or tests could not run.',
    advice:
      'The message names the test or file. Run the tests with `sluice plan --tests FILE`, and see `tests` of the policy.',
  },
  ERR_UPGRADE: {
    meaning: 'A new process could not take over from this one, or has already taken over.',
    advice: 'The log contains the output of the new process. Requests rejected during the handover can be sent again.',
  },
  ERR_FLEET_SETTINGS: {
    meaning: 'A server cannot join the fleet with its current settings.',
    advice: 'Change the setting in the message. A server remains in its fleet until it is restarted.',
  },
};
