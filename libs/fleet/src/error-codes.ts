/** The error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_FLEET_STORE: {
    meaning: 'The store of the fleet cannot be reached, or refused what was asked of it. Nothing was changed.',
    advice: 'Look at the store; the message has what it said. Requests are served meanwhile.',
  },
  ERR_FLEET_UNREADABLE: {
    meaning:
      'The store of the fleet responds, but holds a head, an entry of the log, a snapshot or a rollout that cannot be read.',
    advice: 'The message names the value. Restore the store from a backup, or remove what another program wrote there.',
  },
  ERR_FLEET_EMPTY: {
    meaning:
      'The store is empty although members of the cluster have a history. A new member does not found another fleet there.',
    advice: 'Restore the store, or `POST /fleet/adopt` on the member whose configuration is to stay.',
  },
  ERR_FLEET_KEY: {
    meaning: 'An `Idempotency-Key` came again with another change, or with that of a rollout that was rolled back.',
    advice: 'Use a new key for each change.',
  },
  ERR_FLEET_UNKNOWN: {
    meaning: 'The store of the fleet took a change and did not say what became of it.',
    advice: 'Read the configuration before you send the change again; with the same operation it is made once.',
  },
  ERR_FLEET_FORKED: {
    meaning:
      'The store has another history than this member, as when it lost changes or was restored. Nothing of it was applied.',
    advice: 'Compare both by `GET /fleet`; `POST /fleet/adopt` takes what the store has.',
  },
  ERR_FLEET_BEHIND: {
    meaning: 'This member could not apply what the fleet has, so that it cannot change it.',
    advice: 'Send the change to another member, or remove the cause on this one and `POST /fleet/retry`.',
  },
  ERR_FLEET_MOVED: {
    meaning: 'Other members changed what the edit is about meanwhile, so that it would not be the same edit.',
    advice: 'Read the configuration again and repeat the change.',
  },
  ERR_FLEET_KNOWN: {
    meaning: 'A change with this `Idempotency-Key` was made before.',
    advice: 'Nothing has to be done: it is in force.',
  },
  ERR_FLEET_ROLLOUT: {
    meaning:
      'A roll-out is under way where there has to be none, or none where there has to be one; there are too few members; or its plan cannot be read.',
    advice: 'Look at `GET /fleet/rollout`: wait until it is over, or `POST /fleet/rollout/abort`.',
  },
  ERR_FLEET_MODULES: {
    meaning: 'A member of the fleet lacks a module that a change needs. Nothing was changed.',
    advice: 'Install the module on the member that the message names, or take that member out of the fleet.',
  },
  ERR_FLEET_FILE: {
    meaning: 'A configuration file was to be loaded again by a member of a fleet.',
    advice: 'Change the configuration by the admin API of any member. The file is for the member that makes the fleet.',
  },
  ERR_FLEET_NONE: {
    meaning: 'Something of a fleet was asked of a server that is in none.',
    advice: 'Give it `admin.fleet`, or start it by `sluice run --fleet`.',
  },
};
