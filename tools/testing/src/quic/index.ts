/** QUIC without sockets, waiting or TLS, for tests of the transport and of protocols on top of it. */
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
