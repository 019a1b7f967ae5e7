/** Messages about OCSP responses that threads exchange. */
import { question, topic, type Question, type Topic } from '@sluice/threads';
import type { Staple, StapleChanges } from './staples.ts';

/** Broadcast by the control thread when OCSP responses have changed. */
export const staplesChanged: Topic<StapleChanges> = topic('tls.staples');

/** Request for all valid OCSP responses, sent by each starting thread. */
export const allStaples: Question<null, readonly Staple[]> = question('tls.all_staples');
