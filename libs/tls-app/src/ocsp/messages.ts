/** Messages about OCSP responses between threads. */
import { question, topic, type Question, type Topic } from '@sluice/threads';
import type { Staple, StapleChanges } from './staples.ts';

/** Broadcast by the control thread when OCSP responses changed. */
export const staplesChanged: Topic<StapleChanges> = topic('tls.staples');

/** Query for the valid OCSP responses, sent by a starting thread. */
export const allStaples: Question<null, readonly Staple[]> = question('tls.all_staples');
