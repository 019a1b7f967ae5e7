/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_ADAPTER: {
    meaning: 'A configuration in another format, such as a Caddyfile, cannot be converted to JSON.',
    advice: 'The message contains the line number. `sluice adapt` shows the result without applying it.',
  },
  ERR_ADAPTER_UNKNOWN: {
    meaning: 'Unknown configuration adapter.',
    advice: 'Use one of the names listed in the message, or load the package that contains the adapter.',
  },
  ERR_CONFIG_ID: {
    meaning: 'An `@id` is not a string or number, or is not unique.',
    advice: 'Give each object a unique `@id`; the message contains the path.',
  },
  ERR_PROVISION_TIMEOUT: {
    meaning: 'Loading, provisioning or starting a module did not complete within 30 s. Nothing was changed.',
    advice: 'The message names the module. Check whether it waits for a server, or report it to the module author.',
  },
  ERR_DISPOSAL: {
    meaning: 'Resources of a module were not released in time after a change.',
    advice: 'Report it to the module author. The server continues, but may hold the memory or file until it exits.',
  },
  ERR_PATCH_TEST: {
    meaning: 'A `test` operation of a JSON Patch failed; nothing was applied.',
    advice: 'Read the document again: it has changed since the patch was created.',
  },
  ERR_PROVISION: {
    meaning: 'A module threw a value that is not an error while it was being provisioned.',
    advice: 'Report it to the module author.',
  },
  ERR_ROLLOUT: {
    meaning: 'A rollout in steps cannot start, or a request to control it does not apply.',
    advice: 'Check `GET /rollout`. The message names the part of the change or of the request that is not possible.',
  },
  ERR_STORAGE_MISSING: {
    meaning: 'The storage is required, but its configuration was rejected.',
    advice: 'Fix the `storage` option; the message contains the cause.',
  },
  ERR_UNCONFIRMED: {
    meaning: 'A change is waiting for confirmation, or there is none to confirm.',
    advice: 'Confirm or revert the pending change, then send this one again.',
  },
};
