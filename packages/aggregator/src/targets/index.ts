/** How the aggregator resolves a Service, for programs that explain what it does. */
export { resolveService } from './resolve-service.ts';
