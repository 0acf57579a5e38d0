import type { Container, PodSpec } from '@tributary/api/core-v1';
import { compareQuantities, parseQuantity } from '@tributary/apimachinery';

const COUNTED = ['cpu', 'memory'];

/** Guaranteed when requests equal limits, BestEffort without any, otherwise Burstable. */
export function qosClassOf(spec: PodSpec): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const amounts = containers.flatMap(({ resources }) =>
    COUNTED.flatMap((name) => [resources.limits?.[name], resources.requests?.[name]]),
  );
  if (!amounts.some(isSomething)) return 'BestEffort';
  return containers.every(isGuaranteed) ? 'Guaranteed' : 'Burstable';
}

function isGuaranteed({ resources }: Container): boolean {
  return COUNTED.every((name) => {
    const [limit, request] = [resources.limits?.[name], resources.requests?.[name]];
    if (!isSomething(limit)) return false;
    const [most, requested] = [parseQuantity(limit ?? ''), parseQuantity(request ?? limit ?? '')];
    return most.ok && requested.ok && compareQuantities(most.quantity, requested.quantity) === 0;
  });
}

function isSomething(amount: string | undefined): boolean {
  return amount !== undefined && /[1-9]/.test(amount);
}
