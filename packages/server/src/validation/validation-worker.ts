/** The entry of the thread of a server that has no other kinds of judgement than rules. */
import { ruleJobs } from './rule-jobs.ts';
import { serveJobs } from './serve-jobs.ts';

serveJobs(ruleJobs());
