/** Flow control and the limits of requests in flight. */

export type { Flow, FlowControl, Seat, WaitLimit } from './flow-control.ts';
export { MAX_MUTATING_REQUESTS_IN_FLIGHT, MAX_REQUESTS_IN_FLIGHT } from './seats.ts';
