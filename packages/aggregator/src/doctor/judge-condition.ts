import type { APIService } from '@tributary/core-server/parts';
import { type Judgement, well } from './finding.ts';

export interface Condition {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export function availableCondition({ status }: APIService): Condition | undefined {
  const found = status?.conditions?.find(({ type }) => type === 'Available');
  if (found === undefined) return undefined;
  return { status: found.status ?? '', reason: found.reason ?? '', message: found.message ?? '' };
}

/** Whether the aggregator knows by now what the doctor has seen. */
export function judgeCondition(name: string, condition: Condition | undefined, nowMs: number): Judgement {
  if (condition?.status === 'True') return well(`Available (${condition.reason})`);
  const said =
    condition === undefined
      ? 'nobody has said whether it is available'
      : `Available is ${condition.status} (${condition.reason}): ${condition.message}`;
  return {
    outcome: 'broken',
    words: `${said}; but everything is well from here`,
    matters: 'requests are answered with 503 while the condition says so: it is out of date, or the aggregator sees another network than this machine',
    fixes: [
      {
        kind: 'kubectl',
        args: [
          'annotate',
          'apiservice',
          name,
          '--overwrite',
          `aggregation.tributary.dev/examined=${new Date(nowMs).toISOString()}`,
        ],
      },
    ],
  };
}
