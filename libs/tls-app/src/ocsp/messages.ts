/** What the threads tell each other about OCSP responses. */
import { question, topic, type Question, type Topic } from '@sluice/threads';
import type { Staple, StapleChanges } from './staples.ts';

/** Control to all: OCSP responses that came and went. */
export const staplesChanged: Topic<StapleChanges> = topic('tls.staples');

/** Asked by a thread that begins: the OCSP responses that hold. */
export const allStaples: Question<null, readonly Staple[]> = question('tls.all_staples');
