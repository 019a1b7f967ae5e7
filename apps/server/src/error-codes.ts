/** The error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_ADAPTER_BUSY: {
    meaning: 'Too many configurations wait to be adapted.',
    advice: 'Send the request again after some seconds.',
  },
  ERR_COMMAND: {
    meaning: 'A command was called wrongly, or cannot do what it was asked for.',
    advice: '`sluice help COMMAND` shows its options.',
  },
  ERR_MODULE_API: {
    meaning: 'A package of modules was written for another version of `@sluice/module`.',
    advice: 'Install a version of the package that fits, or update the server.',
  },
  ERR_MODULE_LOAD: {
    meaning: 'A package of modules cannot be loaded, or registers other modules than its manifest says.',
    advice: 'The message has the file and the line. For authors: `sluice manifest` writes the manifest again.',
  },
  ERR_MODULE_PACKAGE: {
    meaning: 'A package of modules is not installed, or has no modules.',
    advice: 'Install it beside the server or in the configuration folder.',
  },
  ERR_RESUME: {
    meaning: 'The saved configuration cannot be read.',
    advice: 'Start with `--config`, or repair the file that the message names; the journal has the changes since.',
  },
  ERR_UPGRADE: {
    meaning: 'A newer process could not take over, or has taken over already.',
    advice: 'The log has what the new process said. Requests that came too late can be sent again.',
  },
  ERR_FLEET_SETTINGS: {
    meaning: 'A server cannot join the fleet as its settings say.',
    advice: 'The message says which setting to change. A server stays in its fleet until it is started again.',
  },
};
