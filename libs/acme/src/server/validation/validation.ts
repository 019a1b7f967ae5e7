import type { ChallengeType } from '../../protocol/challenge.ts';
import type { Identifier } from '../../protocol/problem.ts';

export interface Validation {
  readonly type: ChallengeType;
  readonly identifier: Identifier;
  readonly token: string;
  /** Expected key authorization. */
  readonly authorization: string;
}

/** Validates challenges. Rejects with a problem if the validation fails. */
export interface Validator {
  validate(validation: Validation): Promise<void>;
}
