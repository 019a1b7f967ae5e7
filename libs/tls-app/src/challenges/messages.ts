/** Messages about ACME challenges that threads exchange. */
import { question, topic, type Question, type Topic } from '@sluice/threads';
import type { CertificatePair } from '../contracts/key-pair.ts';

/** An ACME challenge that was added or removed. */
export type ChallengeChange =
  | { readonly kind: 'http'; readonly name: string; readonly challenge: string; readonly response: string | null }
  | { readonly kind: 'tls-alpn'; readonly name: string; readonly certificate: CertificatePair | null };

/** Broadcast by the control thread when a challenge has changed. Resolves when every thread has applied the change. */
export const challengeChanged: Question<ChallengeChange, null> = question('tls.challenge');

/** Request for the active challenges, sent by each starting thread. */
export const allChallenges: Question<null, readonly ChallengeChange[]> = question('tls.all_challenges');

/** A request for a challenge that the thread does not have. For http-01, `challenge` is the token. */
export type ChallengeQuery =
  | { readonly kind: 'http'; readonly name: string; readonly challenge: string }
  | { readonly kind: 'tls-alpn'; readonly name: string };

/** Request for a challenge that another server may have stored. The response is `null` if there is none. */
export const sharedChallenge: Question<ChallengeQuery, ChallengeChange | null> = question('tls.shared_challenge');

/** Broadcast by the control thread. The value is true if shared storage may contain challenges. */
export const challengesShared: Topic<boolean> = topic('tls.challenges_shared');

/** Request for the value of {@link challengesShared}, sent by each starting thread. */
export const areChallengesShared: Question<null, boolean> = question('tls.are_challenges_shared');
