/** Error codes of this package, documented in `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_ADAPTER: {
    meaning: 'A configuration in another format, such as a Caddyfile, cannot be converted to JSON.',
    advice: 'Correct the line in the message. To see the result without applying it, run `sluice adapt`.',
  },
  ERR_ADAPTER_UNKNOWN: {
    meaning: 'Unknown configuration adapter.',
    advice: 'Use an adapter name from the message, or load the package that contains the adapter.',
  },
  ERR_CONFIG_ID: {
    meaning: 'An `@id` is not a string or number, or is not unique.',
    advice: 'Give each object a unique `@id`. The message contains the path of the object.',
  },
  ERR_PROVISION_TIMEOUT: {
    meaning: 'A module was not loaded, provisioned or started within 30 s. Nothing was changed.',
    advice:
      'Check whether the module in the message is waiting for another server. If not, report the problem to the module author.',
  },
  ERR_DISPOSAL: {
    meaning: 'A module did not release its resources in time after a change.',
    advice:
      'Report the problem to the module author. The server continues, but memory or files may stay in use until it exits.',
  },
  ERR_PATCH_TEST: {
    meaning: 'A `test` operation in a JSON Patch failed. Nothing was applied.',
    advice: 'Read the document again, because it has changed since the patch was created. Then create a new patch.',
  },
  ERR_PROVISION: {
    meaning: 'While a module was being provisioned, it threw a value that is not an `Error`.',
    advice: 'Report the problem to the module author.',
  },
  ERR_ROLLOUT: {
    meaning:
      'A gradual rollout cannot be started on this server, or the request is not valid in the current state of the rollout.',
    advice:
      'Check the rollout with `GET /rollout`. The message explains which part of the change or request is not supported.',
  },
  ERR_STORAGE_MISSING: {
    meaning: 'Storage is required, but the storage configuration was rejected.',
    advice: 'Fix the `storage` option. The message contains the cause.',
  },
  ERR_UNCONFIRMED: {
    meaning: 'A previous change is still waiting for confirmation, or there is no change to confirm.',
    advice: 'Confirm or revert the pending change, then send the new change again.',
  },
};
