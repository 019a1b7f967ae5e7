/** What the threads tell each other about challenges. */
import { question, type Question } from '@sluice/threads';
import type { CertificatePair } from '../contracts/key-pair.ts';

/** A challenge that is put up, or taken down. */
export type ChallengeChange =
  | { readonly kind: 'http'; readonly name: string; readonly challenge: string; readonly response: string | null }
  | { readonly kind: 'tls-alpn'; readonly name: string; readonly certificate: CertificatePair | null };

/** Control to all: resolves when every thread has done so. */
export const challengeChanged: Question<ChallengeChange, null> = question('tls.challenge');

/** Asked by a thread that begins: the challenges that are up. */
export const allChallenges: Question<null, readonly ChallengeChange[]> = question('tls.all_challenges');
