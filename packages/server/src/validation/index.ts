/** The thread that runs expensive validation, and jobs of the control plane in it. */

export { JobThread, type ThreadRequest, type ThreadResponse } from './job-thread.ts';
export { ruleJobs } from './rule-jobs.ts';
export { serveJobs } from './serve-jobs.ts';
export type { ValidateContext } from './validate-context.ts';
export type { ValidationResult } from './validation-result.ts';
