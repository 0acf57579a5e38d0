import type { Container, Pod } from '@tributary/api/core-v1';
import { defaultPodSpec } from '../pod-template/defaults.ts';

export function defaultPod({ spec }: Pod): void {
  defaultPodSpec(spec);
  spec.enableServiceLinks ??= true;
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    requestLimits(container);
    if (spec.hostNetwork) openHostPorts(container);
  }
}

/** Limits are the default requests, in pods only, not in templates. */
function requestLimits({ resources }: Container): void {
  if (resources.limits === undefined) return;
  resources.requests = { ...resources.limits, ...resources.requests };
}

function openHostPorts({ ports = [] }: Container): void {
  for (const port of ports) port.hostPort ||= port.containerPort;
}
