import { SluiceError } from '@sluice/base';
import type { ChallengeBoard } from '../contracts/challenge-board.ts';

/** Challenge board for all threads except the control thread. It rejects all challenges. */
export const noBoard: ChallengeBoard = {
  http: () =>
    Promise.reject(new SluiceError('ERR_THREAD_ROLE', 'ACME challenges can be added only in the control thread')),
  tlsAlpn: () =>
    Promise.reject(new SluiceError('ERR_THREAD_ROLE', 'ACME challenges can be added only in the control thread')),
};
