/** Messages about challenges between threads. */
import { question, topic, type Question, type Topic } from '@sluice/threads';
import type { CertificatePair } from '../contracts/key-pair.ts';

/** A challenge that was added or removed. */
export type ChallengeChange =
  | { readonly kind: 'http'; readonly name: string; readonly challenge: string; readonly response: string | null }
  | { readonly kind: 'tls-alpn'; readonly name: string; readonly certificate: CertificatePair | null };

/** Broadcast by the control thread. Resolves when every thread has applied the change. */
export const challengeChanged: Question<ChallengeChange, null> = question('tls.challenge');

/** Query for the active challenges, sent by a starting thread. */
export const allChallenges: Question<null, readonly ChallengeChange[]> = question('tls.all_challenges');

/** A challenge that a thread does not have. For http-01, `challenge` is the token. */
export type ChallengeQuery =
  | { readonly kind: 'http'; readonly name: string; readonly challenge: string }
  | { readonly kind: 'tls-alpn'; readonly name: string };

/** Query for a challenge that another server may have stored; the result is `null` if there is none. */
export const sharedChallenge: Question<ChallengeQuery, ChallengeChange | null> = question('tls.shared_challenge');

/** Broadcast by the control thread: true if challenges may be in a shared storage. */
export const challengesShared: Topic<boolean> = topic('tls.challenges_shared');

/** Query for {@link challengesShared}, sent by a starting thread. */
export const areChallengesShared: Question<null, boolean> = question('tls.are_challenges_shared');
