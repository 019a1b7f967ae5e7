/** What is validated, and who does it (RFC 8555 §8). */
import type { ChallengeType } from '../../protocol/challenge.ts';
import type { Identifier } from '../../protocol/problem.ts';

/** A challenge to be validated. */
export interface Validation {
  readonly type: ChallengeType;
  readonly identifier: Identifier;
  readonly token: string;
  /** The key authorization that must be found. */
  readonly authorization: string;
}

/** Looks whether a challenge is fulfilled; rejects with a problem if it is not. */
export interface Validator {
  validate(validation: Validation): Promise<void>;
}
