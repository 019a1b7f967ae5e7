/** Explicit congestion notification (ECN) on a path (RFC 9000 §13.4). Sent packets are marked while the path supports it. */
import { numberAt } from '@sluice/base';

/** Number of lost marked packets after which marking stops, if no marked packet has been acknowledged. */
const maxTestLosses = 10;

/** ECN counters in an ACK frame. */
export interface EcnCounts {
  readonly ect0: number;
  readonly ect1: number;
  readonly ce: number;
}

export class Ecn {
  /** True if sent packets are marked with ECT(0). */
  marks = true;
  #arrived = false;
  #lost = 0;
  /** For each packet number space, the counters that the peer last reported and the number of marked packets. */
  readonly #ect0 = [0, 0, 0];
  readonly #ce = [0, 0, 0];
  readonly #sent = [0, 0, 0];

  onSent(which: number): void {
    this.#sent[which] = numberAt(this.#sent, which) + 1;
  }

  /** Called when a marked packet was lost. The path may drop marked packets. */
  onLost(): void {
    this.#lost += 1;
    if (!this.#arrived && this.#lost >= maxTestLosses) this.marks = false;
  }

  /**
   * Handles an acknowledgment of new packets. `marked` is the number of these packets that had ECN marks. `counts` is `null` if the ACK
   * frame contains no counters. Returns true if the path reported congestion.
   */
  onAck(which: number, marked: number, counts: EcnCounts | null): boolean {
    if (marked > 0) this.#arrived = true;
    if (counts === null) {
      // Stop marking, because the peer or the path doesn't report marks (RFC 9000 §13.4.2.1).
      if (marked > 0) this.marks = false;
      return false;
    }
    const ect0 = counts.ect0 - numberAt(this.#ect0, which);
    const ce = counts.ce - numberAt(this.#ce, which);
    this.#ect0[which] = counts.ect0;
    this.#ce[which] = counts.ce;
    const isSound =
      ect0 >= 0 &&
      ce >= 0 &&
      ect0 + ce >= marked &&
      counts.ect1 === 0 &&
      counts.ect0 + counts.ce <= numberAt(this.#sent, which);
    if (!isSound) this.marks = false;
    return isSound && ce > 0;
  }
}
