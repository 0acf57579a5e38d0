/** Converts `spec.behavior` to and from upstream's annotation, which has the field names of the Go struct. */
import type {
  HorizontalPodAutoscalerBehavior as Behavior,
  HPAScalingPolicy as Policy,
  HPAScalingRules as Rules,
} from '@tributary/api/autoscaling-v2';
import { defined, listOf, quantityOf, recordOf, textOf, wholeOf } from './annotation-json.ts';

export function behaviorText({ scaleUp, scaleDown }: Behavior): string {
  return JSON.stringify({ ScaleUp: goRules(scaleUp), ScaleDown: goRules(scaleDown) });
}

export function parseBehavior(value: unknown): Behavior | undefined {
  const fields = recordOf(value);
  if (fields === undefined) return undefined;
  const [scaleUp, scaleDown] = [rulesOf(fields.ScaleUp), rulesOf(fields.ScaleDown)];
  if (scaleUp === undefined && scaleDown === undefined) return undefined;
  return defined({ scaleUp, scaleDown });
}

function goRules(rules: Rules | undefined) {
  if (rules === undefined) return null;
  return {
    StabilizationWindowSeconds: rules.stabilizationWindowSeconds ?? null,
    SelectPolicy: rules.selectPolicy ?? null,
    Policies:
      rules.policies?.map(({ type, value, periodSeconds }) => ({
        Type: type,
        Value: value,
        PeriodSeconds: periodSeconds,
      })) ?? null,
    Tolerance: rules.tolerance ?? null,
  };
}

function rulesOf(value: unknown): Rules | undefined {
  const fields = recordOf(value);
  if (fields === undefined) return undefined;
  return defined({
    stabilizationWindowSeconds: wholeOf(fields.StabilizationWindowSeconds),
    selectPolicy: textOf(fields.SelectPolicy),
    policies: listOf(fields.Policies, policyOf),
    tolerance: quantityOf(fields.Tolerance),
  });
}

function policyOf(item: unknown): Policy | undefined {
  const fields = recordOf(item);
  const type = textOf(fields?.Type);
  const [value, periodSeconds] = [wholeOf(fields?.Value), wholeOf(fields?.PeriodSeconds)];
  if (type === undefined || value === undefined || periodSeconds === undefined) return undefined;
  return { type, value, periodSeconds };
}
