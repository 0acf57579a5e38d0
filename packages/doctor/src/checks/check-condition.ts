import type { APIService } from '@tributary/api/apiregistration-v1';
import { type CheckResult, passed } from '../report/diagnosis.ts';

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
  /** The server itself responded; the aggregator may respond from its cache. */
  readonly isDirect: boolean;
  readonly nowMs: number;
}

/** Whether the condition agrees with the other checks. */
export function checkCondition(
  name: string,
  { condition, isDirect, nowMs }: ConditionFacts,
): CheckResult {
  if (condition?.status === 'True') return passed(`Available (${condition.reason})`);
  const message =
    condition === undefined
      ? 'the APIService has no Available condition'
      : `Available is ${condition.status} (${condition.reason}): ${condition.message}`;
  const impact = 'the aggregator responds 503 until the condition is True';
  if (!isDirect) {
    const text =
      'run this command on a machine that reaches the server, with the --data-dir that has the front-proxy client certificate, to find the broken hop';
    return {
      status: 'failed',
      message,
      impact,
      fixes: [{ kind: 'server', action: 'change', text }],
    };
  }
  return {
    status: 'failed',
    message: `${message}; but every check from this machine passed`,
    impact: `${impact}; it is out of date, or the aggregator uses a different network than this machine`,
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
