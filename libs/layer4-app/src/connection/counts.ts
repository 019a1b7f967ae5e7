/** Connections of a route, for the admin API. */

/** Counters of one route in this thread. They are kept if the route is provisioned again at the same position. */
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
