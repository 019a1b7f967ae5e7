/** Error codes that this package defines; `docs/errors.md` documents them. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_ADAPTER_BUSY: {
    meaning: 'Too many configurations are waiting to be adapted.',
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
    advice: "Install the package in the server's directory or in the directory of the configuration.",
  },
  ERR_RESUME: {
    meaning: 'The saved configuration cannot be read.',
    advice:
      'Start the server with `--config`, or repair the file named in the message. Changes made after that file was written are in the journal.',
  },
  ERR_TESTS: {
    meaning: 'A test required by a policy failed with the changed configuration, or the required tests could not run.',
    advice:
      'See the test or file named in the message, and the `tests` option of the policy. Run the tests with `sluice plan --tests FILE`.',
  },
  ERR_UPGRADE: {
    meaning: 'A new server process could not take over from the running process, or has already taken over.',
    advice: 'The log contains the output of the new process. Retry requests that were rejected during the handover.',
  },
  ERR_FLEET_SETTINGS: {
    meaning: 'A server cannot join the fleet with its current settings.',
    advice:
      'Change the setting named in the message. A running server cannot switch fleets; restart it with the new settings.',
  },
};
