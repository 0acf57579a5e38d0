/** The entry of the validation thread of a control plane: definitions, and objects with CEL rules. */
import { ruleJobs, serveJobs } from '@tributary/server/validation';
import { DEFINITION_JOB, validateDefinitionJob } from './definition-jobs.ts';

serveJobs({ ...ruleJobs(), [DEFINITION_JOB]: validateDefinitionJob });
