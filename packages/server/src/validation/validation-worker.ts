/** Entry of the validation thread of a server without other validation jobs. */
import { ruleJobs } from './rule-jobs.ts';
import { serveJobs } from './serve-jobs.ts';

serveJobs(ruleJobs());
