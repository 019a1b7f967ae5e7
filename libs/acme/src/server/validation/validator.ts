/** Server-side challenge validation (RFC 8555 §8). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChallengeType } from '../../protocol/challenge.ts';
import { isAcmeProblem } from '../../protocol/problem.ts';
import { validateDns } from './dns-01.ts';
import { validateHttp } from './http-01.ts';
import type { ValidationNetwork } from './network.ts';
import { validateTlsAlpn } from './tls-alpn-01.ts';
import type { Validation, Validator } from './validation.ts';

const byType: Readonly<Record<ChallengeType, (validation: Validation, network: ValidationNetwork) => Promise<void>>> = {
  'http-01': validateHttp,
  'tls-alpn-01': validateTlsAlpn,
  'dns-01': validateDns,
};

/** Types of problems that may be transient. For example, the client's web server may still be starting. */
const passing: ReadonlySet<string> = new Set(['connection', 'dns']);

/** Validates challenges over the network. Retries after transient problems. */
export class NetworkValidator implements Validator {
  readonly #network: ValidationNetwork;

  constructor(network: ValidationNetwork) {
    this.#network = network;
  }

  async validate(validation: Validation): Promise<void> {
    for (const pause of this.#network.pauses) {
      try {
        return await byType[validation.type](validation, this.#network);
      } catch (error) {
        if (!isAcmeProblem(error) || !passing.has(error.type)) throw error;
        await sleep(pause, undefined, { ref: false });
      }
    }
    return byType[validation.type](validation, this.#network);
  }
}
