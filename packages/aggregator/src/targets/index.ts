/** The resolution of Services, for programs that explain the aggregator's behavior. */
export { resolveService } from './resolve-service.ts';
