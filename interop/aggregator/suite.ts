/** The aggregator with the sample API server behind it, against the real ones. */
import { join } from 'node:path';
import { goldenDir, type Suite } from '../differential/suite.ts';
import { differences } from './differences.ts';
import { groups } from './rows/index.ts';

export const aggregatorSuite: Suite = {
  name: 'aggregator',
  subject: 'the aggregator of `tributary up`',
  groups,
  kinds: {},
  lists: { differences, todoRows: [], todoPaths: [] },
  responsesDir: join(goldenDir, 'aggregator'),
  sharedRevisions: true,
};
