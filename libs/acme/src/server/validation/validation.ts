import type { ChallengeType } from '../../protocol/challenge.ts';
import type { Identifier } from '../../protocol/problem.ts';

export interface Validation {
  readonly type: ChallengeType;
  readonly identifier: Identifier;
  readonly token: string;
  /** Expected key authorization. */
  readonly authorization: string;
}

/** Validates a challenge. Rejects with a problem on failure. */
export interface Validator {
  validate(validation: Validation): Promise<void>;
}
