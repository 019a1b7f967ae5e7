/** What the threads tell each other about challenges. */
import { question, topic, type Question, type Topic } from '@sluice/threads';
import type { CertificatePair } from '../contracts/key-pair.ts';

/** A challenge that is put up, or taken down. */
export type ChallengeChange =
  | { readonly kind: 'http'; readonly name: string; readonly challenge: string; readonly response: string | null }
  | { readonly kind: 'tls-alpn'; readonly name: string; readonly certificate: CertificatePair | null };

/** Control to all: resolves when every thread has done so. */
export const challengeChanged: Question<ChallengeChange, null> = question('tls.challenge');

/** Asked by a thread that begins: the challenges that are up. */
export const allChallenges: Question<null, readonly ChallengeChange[]> = question('tls.all_challenges');

/** A challenge that is not up in a thread. `challenge` is the token of http-01. */
export type SoughtChallenge =
  | { readonly kind: 'http'; readonly name: string; readonly challenge: string }
  | { readonly kind: 'tls-alpn'; readonly name: string };

/** Asked for a challenge that another server may have put up in the storage; `null` if none has. */
export const sharedChallenge: Question<SoughtChallenge, ChallengeChange | null> = question('tls.shared_challenge');

/** Control to all: whether to ask for such. */
export const challengesShared: Topic<boolean> = topic('tls.challenges_shared');

/** Asked by a thread that begins. */
export const areChallengesShared: Question<null, boolean> = question('tls.are_challenges_shared');
