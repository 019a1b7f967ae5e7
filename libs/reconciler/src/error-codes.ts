/** The error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_ADAPTER: {
    meaning: 'A configuration in another format, such as a Caddyfile, cannot be turned into JSON.',
    advice: 'The message has the line of the file. `sluice adapt` shows the result without applying it.',
  },
  ERR_ADAPTER_UNKNOWN: {
    meaning: 'There is no configuration adapter of this name.',
    advice: 'Use one of the names that the message lists, or load the package that brings the adapter.',
  },
  ERR_CONFIG_ID: {
    meaning: 'An `@id` is not a text or a number, or stands in the document twice.',
    advice: 'Give each object an `@id` of its own; the message names the place.',
  },
  ERR_PROVISION_TIMEOUT: {
    meaning: 'The code, provision or start of a module did not finish within 30 s. Nothing was changed.',
    advice:
      'The message names the module. Look for a server that it waits for, or report it to the author of the module.',
  },
  ERR_DISPOSAL: {
    meaning: 'What a module had acquired was not released in time after a change.',
    advice:
      'Report it to the author of the module; the server goes on, and may hold the memory or the file until it ends.',
  },
  ERR_PATCH_TEST: {
    meaning: 'An operation `test` of a JSON patch has failed; nothing of the patch was applied.',
    advice: 'Read the document again: it has changed since the patch was made.',
  },
  ERR_PROVISION: {
    meaning: 'A module has thrown something that is not an error while it was provisioned.',
    advice: 'Report it to the author of the module.',
  },
  ERR_STORAGE_MISSING: {
    meaning: 'Something needs the storage, and the configuration of the storage was refused.',
    advice: 'Correct the key `storage`; the message has the cause.',
  },
  ERR_UNCONFIRMED: {
    meaning: 'A change waits to be confirmed, or there is none to confirm.',
    advice: 'Confirm or undo the change that waits, then send this one again.',
  },
};
