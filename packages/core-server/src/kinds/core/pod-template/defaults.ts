import type { Container, EnvVar, HTTPGetAction, PodSpec, Probe } from '@tributary/api/core-v1';
import { defaultVolume } from './default-volume.ts';
import { defaultPullPolicy } from './image-name.ts';

const GRACE_SECONDS = 30;

/** Upstream's defaults for pod templates; pods have more. */
export function defaultPodSpec(spec: PodSpec): void {
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.restartPolicy ||= 'Always';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= GRACE_SECONDS;
  spec.schedulerName ||= 'default-scheduler';
  // The older field and the newer one are the same.
  spec.serviceAccountName ||= spec.serviceAccount ?? '';
  if (spec.serviceAccountName === '') delete spec.serviceAccountName;
  else spec.serviceAccount = spec.serviceAccountName;
  for (const volume of spec.volumes ?? []) defaultVolume(volume);
  for (const container of spec.initContainers ?? []) defaultContainer(container);
  for (const container of spec.containers ?? []) defaultContainer(container);
  // The fields that they share with other containers have the same defaults.
  for (const container of spec.ephemeralContainers ?? []) defaultContainer(container as Container);
}

function defaultContainer(container: Container): void {
  container.imagePullPolicy ||= defaultPullPolicy(container.image ?? '');
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
  for (const port of container.ports ?? []) port.protocol ||= 'TCP';
  for (const variable of container.env ?? []) defaultVariable(variable);
  const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
  for (const probe of [livenessProbe, readinessProbe, startupProbe]) {
    if (probe) defaultProbe(probe);
  }
  for (const handler of [lifecycle?.postStart, lifecycle?.preStop]) {
    if (handler?.httpGet) defaultHttpGet(handler.httpGet);
  }
}

function defaultVariable({ valueFrom }: EnvVar): void {
  if (valueFrom?.fieldRef) valueFrom.fieldRef.apiVersion ||= 'v1';
  if (valueFrom?.fileKeyRef) valueFrom.fileKeyRef.optional ??= false;
}

function defaultProbe(probe: Probe): void {
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  if (probe.httpGet) defaultHttpGet(probe.httpGet);
  if (probe.grpc) probe.grpc.service ??= '';
}

function defaultHttpGet(action: HTTPGetAction): void {
  action.path ||= '/';
  action.scheme ||= 'HTTP';
}
