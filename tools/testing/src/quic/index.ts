/** Simulates QUIC without sockets, real time or TLS. Used to test the transport and the protocols that use it. */
export { FakeTls } from './fake-tls.ts';
export {
  Collector,
  Peer,
  perfect,
  randomOf,
  serverAddress,
  SimulatedClock,
  Simulation,
  type NetworkLink,
} from './simulation.ts';
