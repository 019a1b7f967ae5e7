/** QUIC without sockets, without waiting and without TLS: for tests of the transport and of what runs on it. */
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
