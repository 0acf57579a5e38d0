import type { APIService } from '@tributary/api/apiregistration-v1';
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

export interface ConditionFacts {
  readonly condition: Condition | undefined;
  /** The server itself was asked, not the aggregator, which may answer from memory. */
  readonly isSeen: boolean;
  readonly nowMs: number;
}

/** Whether the aggregator knows by now what the doctor has seen. */
export function judgeCondition(
  name: string,
  { condition, isSeen, nowMs }: ConditionFacts,
): Judgement {
  if (condition?.status === 'True') return well(`Available (${condition.reason})`);
  const said =
    condition === undefined
      ? 'nobody has said whether it is available'
      : `Available is ${condition.status} (${condition.reason}): ${condition.message}`;
  const matters = 'requests are answered with 503 while the condition says so';
  if (!isSeen) {
    const text =
      'run this command where the server can be reached, with the --data-dir that has the certificate of the front proxy: it then sees which hop is broken';
    return {
      outcome: 'broken',
      words: said,
      matters,
      fixes: [{ kind: 'server', action: 'change', text }],
    };
  }
  return {
    outcome: 'broken',
    words: `${said}; but everything is well from here`,
    matters: `${matters}: it is out of date, or the aggregator sees another network than this machine`,
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
