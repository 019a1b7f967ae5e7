/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_FLEET_STORE: {
    meaning: 'The fleet store is unavailable, or rejected a request. Nothing was changed.',
    advice: 'Check the store. The message contains its response. The server continues to serve requests.',
  },
  ERR_FLEET_UNREADABLE: {
    meaning: 'The fleet store contains an invalid head, log entry, snapshot or rollout.',
    advice:
      'Restore the store from a backup, or remove data that another program wrote. The message contains the key of the value.',
  },
  ERR_FLEET_EMPTY: {
    meaning:
      'The store is empty, although members of the fleet have a history. A new member does not create another fleet in this store.',
    advice: 'Restore the store, or call `POST /fleet/adopt` on the member whose configuration you want to keep.',
  },
  ERR_FLEET_KEY: {
    meaning: 'An `Idempotency-Key` was reused for a different change, or for a rollout that was rolled back.',
    advice: 'Use a new key for each change.',
  },
  ERR_FLEET_UNKNOWN: {
    meaning: 'The fleet store received a change but did not report whether it was applied.',
    advice:
      'Read the configuration before sending the change again. With the same `Idempotency-Key`, the change is applied only once.',
  },
  ERR_FLEET_FORKED: {
    meaning:
      "The store's history differs from this member's history, for example after data loss or a restore. Nothing was applied.",
    advice: "Compare both histories with `GET /fleet`. To adopt the store's document, call `POST /fleet/adopt`.",
  },
  ERR_FLEET_BEHIND: {
    meaning: "This member could not apply the fleet's configuration, so it cannot accept changes.",
    advice: 'Send the change to another member, or fix the cause on this member and call `POST /fleet/retry`.',
  },
  ERR_FLEET_MOVED: {
    meaning: 'Other members changed the same part of the configuration, so the edit no longer applies.',
    advice: 'Read the configuration again and repeat the change.',
  },
  ERR_FLEET_KNOWN: {
    meaning: 'A change with this `Idempotency-Key` was already applied.',
    advice: 'No action is required. The change is in effect.',
  },
  ERR_FLEET_ROLLOUT: {
    meaning:
      'A rollout is already in progress, no rollout is in progress, the fleet has too few members, or the plan is invalid.',
    advice: 'Check `GET /fleet/rollout`. Wait until the rollout completes, or call `POST /fleet/rollout/abort`.',
  },
  ERR_FLEET_MODULES: {
    meaning: 'A fleet member lacks a module that a change requires. Nothing was changed.',
    advice: 'Install the module on the member named in the message, or remove that member from the fleet.',
  },
  ERR_FLEET_FILE: {
    meaning: 'A fleet member cannot reload a configuration file.',
    advice:
      'Change the configuration through the admin API of any member. Only the member that creates the fleet uses the file.',
  },
  ERR_FLEET_NONE: {
    meaning: 'A fleet operation was sent to a server that is not a fleet member.',
    advice: 'Configure `admin.fleet`, or start the server with `sluice run --fleet`.',
  },
};
