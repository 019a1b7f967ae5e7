/** Connection counts of a route, for the admin API. */

/** Connection counters of one route in this thread. They survive when the route is provisioned again at the same position. */
export class ConnectionCount {
  active = 0;
  total = 0;

  enter(): void {
    this.active++;
    this.total++;
  }

  leave(): void {
    this.active--;
  }
}
