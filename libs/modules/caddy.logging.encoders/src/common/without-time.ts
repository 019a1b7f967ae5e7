/** Service through which a host disables the time in human-readable lines. */
import { token, type Token } from '@sluice/registry';

/** Provided as true if another program, such as the journal, adds a time to each line. */
export const withoutTime: Token<boolean> = token<boolean>('log-lines-without-time');
