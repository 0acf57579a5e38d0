/** Columns of pods. */

import type { ContainerStatus, Pod } from '@tributary/api/core-v1';
import { humanDuration } from '@tributary/apimachinery';
import type { ColumnInput } from '@tributary/server';
import { column } from '../../shared/columns.ts';

export const podColumns: readonly ColumnInput<Pod>[] = [
  column('Ready', 'Ready containers, of all', (pod) => {
    const { ready, total } = summaryOf(pod);
    return `${ready}/${total}`;
  }),
  column('Status', 'The state of the pod', (pod) => summaryOf(pod).reason),
  column('Restarts', 'The restarts of the containers', (pod) => restartsText(pod)),
];

export const widePodColumns: readonly ColumnInput<Pod>[] = [
  column('IP', 'The address of the pod', ({ status }) => status.podIPs?.[0]?.ip || '<none>'),
  column('Node', 'The node of the pod', ({ spec }) => spec.nodeName || '<none>'),
  column(
    'Nominated Node',
    'The node on which other pods are preempted',
    ({ status }) => status.nominatedNodeName || '<none>',
  ),
  column('Readiness Gates', 'Readiness gates that are true, of all', ({ spec, status }) => {
    const gates = spec.readinessGates ?? [];
    if (gates.length === 0) return '<none>';
    const open = gates.filter(({ conditionType }) => isTrue(status.conditions, conditionType));
    return `${open.length}/${gates.length}`;
  }),
];

interface Summary {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  readonly restarts: number;
  readonly lastRestart: string;
}

/** As kubectl shows it: the reason of a waiting or failed container comes before the phase. */
function summaryOf(pod: Pod): Summary {
  const { spec, status, metadata } = pod;
  const sidecars = new Set(
    (spec.initContainers ?? [])
      .filter(({ restartPolicy }) => restartPolicy === 'Always')
      .map(({ name }) => name),
  );
  const first = initializing(pod, sidecars);
  const isReady = first.reason === undefined || isTrue(status.conditions, 'Initialized');
  const running = isReady ? containersOf(pod) : undefined;
  const initStatuses = (status.initContainerStatuses ?? []).filter(
    ({ name }) => !isReady || sidecars.has(name),
  );
  const counted = [...initStatuses, ...(isReady ? (status.containerStatuses ?? []) : [])];
  return {
    ready: first.ready + (running?.ready ?? 0),
    total: (spec.containers ?? []).length + sidecars.size,
    reason: whileDeleted(
      { deleted: Boolean(metadata.deletionTimestamp), status },
      running?.reason ?? first.reason ?? phaseOf(pod),
    ),
    restarts: counted.reduce((sum, { restartCount }) => sum + restartCount, 0),
    lastRestart: counted.map(endedAt).sort().at(-1) ?? '',
  };
}

function endedAt({ lastState }: ContainerStatus): string {
  return lastState?.terminated?.finishedAt ?? '';
}

function restartsText(pod: Pod): string {
  const { restarts, lastRestart } = summaryOf(pod);
  if (restarts === 0 || lastRestart === '') return String(restarts);
  return `${restarts} (${humanDuration(Date.now() - Date.parse(lastRestart))} ago)`;
}

function phaseOf({ status }: Pod): string {
  const isGated = (status.conditions ?? []).some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  return isGated ? 'SchedulingGated' : status.reason || status.phase || '';
}

/** The first init container that has not completed, and the number of ready sidecars. */
function initializing(
  { spec, status }: Pod,
  sidecars: ReadonlySet<string>,
): { readonly ready: number; readonly reason?: string } {
  let ready = 0;
  for (const [index, one] of (status.initContainerStatuses ?? []).entries()) {
    const { terminated, waiting } = one.state ?? {};
    if (terminated?.exitCode === 0) continue;
    if (sidecars.has(one.name) && one.started) {
      if (one.ready) ready += 1;
      continue;
    }
    if (terminated) return { ready, reason: `Init:${endOf(terminated)}` };
    if (waiting?.reason && waiting.reason !== 'PodInitializing') {
      return { ready, reason: `Init:${waiting.reason}` };
    }
    return { ready, reason: `Init:${index}/${(spec.initContainers ?? []).length}` };
  }
  return { ready };
}

function containersOf(pod: Pod): { readonly ready: number; readonly reason: string } {
  const { containerStatuses = [], conditions } = pod.status;
  let reason = phaseOf(pod);
  let failure = '';
  let ready = 0;
  for (const { state = {}, ready: isReady } of containerStatuses.toReversed()) {
    const { waiting, terminated, running } = state;
    if (waiting?.reason) reason = waiting.reason;
    else if (terminated) {
      reason = endOf(terminated);
      if (terminated.exitCode !== 0) failure = reason;
    } else if (isReady && running) ready += 1;
  }
  if (reason !== 'Completed') return { ready, reason };
  if (ready > 0 && isTrue(conditions, 'Ready')) return { ready, reason: 'Running' };
  return { ready, reason: failure || (ready > 0 ? 'NotReady' : reason) };
}

function endOf(end: {
  readonly reason?: string;
  readonly signal?: number;
  readonly exitCode: number;
}): string {
  if (end.reason) return end.reason;
  return end.signal ? `Signal:${end.signal}` : `ExitCode:${end.exitCode}`;
}

function whileDeleted(
  { deleted, status }: { readonly deleted: boolean; readonly status: Pod['status'] },
  reason: string,
): string {
  if (!deleted) return reason;
  if (status.reason === 'NodeLost') return 'Unknown';
  return status.phase === 'Failed' || status.phase === 'Succeeded' ? reason : 'Terminating';
}

function isTrue(
  conditions: readonly { readonly type: string; readonly status: string }[] | undefined,
  wanted: string,
): boolean {
  return (conditions ?? []).find(({ type }) => type === wanted)?.status === 'True';
}
