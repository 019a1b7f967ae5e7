/** Explicit congestion notification of one path (RFC 9000 §13.4): marks what is sent, for as long as the path carries the marks. */

/** Marked packets that may be lost, none having arrived, before marking stops. */
const maxTestLosses = 10;

/** Counters of an ACK frame. */
export interface EcnCounts {
  readonly ect0: number;
  readonly ect1: number;
  readonly ce: number;
}

export class Ecn {
  /** Whether packets are marked ECT(0). */
  marks = true;
  #arrived = false;
  #lost = 0;
  /** By packet number space: counters as the peer last reported them, and packets marked so far. */
  readonly #ect0 = [0, 0, 0];
  readonly #ce = [0, 0, 0];
  readonly #sent = [0, 0, 0];

  onSent(which: number): void {
    this.#sent[which] = (this.#sent[which] as number) + 1;
  }

  /** A marked packet was lost: a path may drop what is marked. */
  onLost(): void {
    this.#lost += 1;
    if (!this.#arrived && this.#lost >= maxTestLosses) this.marks = false;
  }

  /**
   * Takes an acknowledgement that has reported newer packets, `marked` of which were marked. `counts`: `null` if it has none.
   * Returns true if the path marked more packets as congested.
   */
  onAck(which: number, marked: number, counts: EcnCounts | null): boolean {
    if (marked > 0) this.#arrived = true;
    if (counts === null) {
      // RFC 9000 §13.4.2.1: the peer, or the path, does not report marks.
      if (marked > 0) this.marks = false;
      return false;
    }
    const ect0 = counts.ect0 - (this.#ect0[which] as number);
    const ce = counts.ce - (this.#ce[which] as number);
    this.#ect0[which] = counts.ect0;
    this.#ce[which] = counts.ce;
    const isSound =
      ect0 >= 0 &&
      ce >= 0 &&
      ect0 + ce >= marked &&
      counts.ect1 === 0 &&
      counts.ect0 + counts.ce <= (this.#sent[which] as number);
    if (!isSound) this.marks = false;
    return isSound && ce > 0;
  }
}
