/** Values that the app provides for its servers. */
import { token, type Token } from '@sluice/registry';

/** How long requests in flight may go on when a listener is given up, in milliseconds; 0: as long as they want. */
export const gracePeriodToken: Token<number> = token<number>('grace_period');
