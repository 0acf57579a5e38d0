/** The entry of the thread in which a control plane judges what takes long: definitions, and objects by their rules. */
import { ruleJobs, serveJobs } from '@tributary/server/validation';
import { DEFINITION_JOB, judgeDefinition } from './definition-jobs.ts';

serveJobs({ ...ruleJobs(), [DEFINITION_JOB]: judgeDefinition });
