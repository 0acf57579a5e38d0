/** What rights and service accounts do to requests that are about something else. */
import type { RowGroup, Step } from '../../differential/row.ts';
import { ALICE, granted, rule } from './policy.ts';
import { ask } from './pods-words.ts';
import { feature } from './words.ts';

const STREAMS = ['exec', 'attach', 'portforward'] as const;
const row = feature('authorization');
const mayRead = (stream: string): Step[] => granted(ALICE, [rule([`pods/${stream}`], ['get'])]);

export const authEffects: RowGroup = {
  name: 'auth-effects',
  rows: [
    ...STREAMS.map((stream) =>
      row(
        `${stream} in a missing pod by somebody who may only read`,
        ...mayRead(stream),
        ask(stream, { query: { command: 'ls', stdout: '1' }, as: 'alice' }),
      ),
    ),
    row(
      'portforward of what is no number by somebody who may only read',
      ...mayRead('portforward'),
      ask('portforward', { query: { ports: 'x' }, as: 'alice' }),
    ),
  ],
};
